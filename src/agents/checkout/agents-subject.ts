import { join } from 'node:path'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'

/**
 * The first line of the last commit that the agent made by itself in its checkout. `undefined` where the agent made none, or
 * relay cannot tell.
 *
 * The subject is data only. relay reads two files and the objects of the agent's repository, and obeys no setting there.
 */
export async function agentsSubject(
  folder: string,
  own: PrivateRepository,
  system: Doors,
): Promise<string | undefined> {
  const gitDir = join(folder, '.git')
  const head = await lineOf(join(gitDir, 'HEAD'), system)
  const ref = /^ref: (refs\/heads\/\w[\w./-]*)$/.exec(head ?? '')?.[1]
  const name = ref === undefined || ref.includes('..') ? head : await lineOf(join(gitDir, ref), system)
  if (name === undefined || !/^[0-9a-f]{40,64}$/.test(name)) return undefined
  const git = own.git('index', folder, join(gitDir, 'objects'))
  const size = Number(await git(['cat-file', '-s', name], '', [0, 1, 128]))
  if (!(size > 0 && size < mostBytes)) return undefined
  const text = await git(['cat-file', 'commit', name], '', [0, 1, 128])
  const [, facts = '', subject = ''] = /^([\s\S]*?)\n\n([^\n]*)/.exec(text) ?? []
  // A commit without a parent is the start, which relay made.
  return /^parent /m.test(facts) ? subject.replaceAll(/\p{Cc}/gu, '').trim() || undefined : undefined
}

const mostBytes = 64 * 1024

/** The first line of a small file. `undefined` for a link and for anything else that is not a small file. */
async function lineOf(path: string, { files }: Doors): Promise<string | undefined> {
  const found = await files.inspect(path).catch(() => null)
  if (found?.kind !== 'file' || found.bytes.length > mostBytes) return undefined
  return new TextDecoder().decode(found.bytes).split('\n')[0]
}
