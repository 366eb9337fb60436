import { runsUnderWay, type SteeredRun } from '../../agents/work/steering.ts'
import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { projectAround } from './project-around.ts'

/** The run under way here that the user means. Throws `usage` where there is none, or it is not clear which. */
export async function chooseRun(typed: string | undefined, system: System): Promise<SteeredRun> {
  const { project } = await projectAround(system)
  const runs = await runsUnderWay(project.root, system)
  if (runs.length === 0) {
    throw new RelayError('usage', `No agent works in ${project.root}`, { hint: 'See what is there: `relay status`.' })
  }
  const meant = typed === undefined ? runs : runsNamed(typed, runs)
  const [run, ...others] = meant
  if (run !== undefined && others.length === 0) return run
  const list = (run === undefined ? runs : meant).map(each => `  ${runWords(each)}`).join('\n')
  const what = run === undefined ? `No run under way is called "${visibleLine(typed ?? '')}". There is` : 'Which run?'
  throw new RelayError('usage', `${what}\n${list}`, { hint: 'Name it by its first word.' })
}

/** By the word or the name, else by a part of them; the first of these with a match decides. */
function runsNamed(typed: string, runs: readonly SteeredRun[]): readonly SteeredRun[] {
  const wanted = typed.trim().toLowerCase()
  const called = ({ word, name }: SteeredRun) => [word.toLowerCase(), name.toLowerCase()]
  const exact = runs.filter(run => called(run).includes(wanted))
  // The whole id of a session begins with its word.
  const isPart = (each: string) => each.includes(wanted) || (each.length >= shortest && wanted.startsWith(each))
  return exact.length > 0 ? exact : runs.filter(run => called(run).some(isPart))
}

/** Letters of a session's short id. */
const shortest = 8

/** A run by the word to type, and its name. */
export function runWords({ word, name }: SteeredRun): string {
  return visibleLine(word === name ? word : `${word}  ${name}`)
}
