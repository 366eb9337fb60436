import { sensitivity } from './sensitive-paths.ts'

/** What a file of these families holds is nobody else's business, whatever it is needed for. */
const SECRET: ReadonlySet<string | undefined> = new Set([
  'runs when you enter the folder',
  'holds secrets',
  'holds keys or passwords',
  'opens access to machines or accounts',
])

/** A file whose present content must not be copied to where a model could get it. */
export function holdsSecrets(path: string): boolean {
  return SECRET.has(sensitivity(path, []))
}
