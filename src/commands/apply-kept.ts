import { dropKept, listKept, noKeptWork, readKept } from '../agents/work/kept-work.ts'
import { RelayError } from '../errors.ts'
import { type AdoptOptions, adopt } from '../flows/adopt.ts'
import type { RelayOptions } from '../flows/understood-answer.ts'
import type { AgentChanges } from '../model/agent-changes.ts'
import type { Project } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import type { System } from '../ports.ts'
import { keptLines } from '../report/agents/kept-lines.ts'
import { type TakeOptions, takeUntilSettled } from './follow-up/take-until-settled.ts'
import { committerFor } from './open/committer.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'

interface ApplyKeptOptions extends TrustOptions, TakeOptions {
  readonly allowSensitive?: boolean
}

/**
 * `relay apply --kept 3`: lands kept work of an agent. It is judged like new work. When all of it is in the project, relay no
 * longer keeps it; after a no it stays.
 */
export async function applyKept(
  number: number,
  project: Project,
  system: System,
  options: ApplyKeptOptions,
): Promise<number> {
  const { note, changes } = await readKept(project.root, number, system)
  await confirmCommands(project, system, options)
  const talk = createTalk(system, () => project, options)
  try {
    await resumeHeldFirst(project, system, talk, options)
    const { title, agent, reasoning } = note
    const made: AgentChanges = { changes, title, source: `agent:${agent}`, reasoning }
    const committer = await committerFor(project, system, talk, options.commit)
    let isHome = false
    const take = async (way: RelayOptions) => {
      const outcome = await adopt(made, project, system, talk, { ...wayOf(way), committer })
      isHome = isWhole(outcome, way, made)
      return outcome
    }
    const about = { source: made.source, made: { again: `relay apply --kept ${number}` } }
    const code = await takeUntilSettled(take, about, project, system, options)
    if (isHome) await dropKept(project.root, number, system)
    else showNotes([`kept work ${number} stays`], system)
    return code
  } finally {
    talk.close()
  }
}

function wayOf({ choices, onOverlap }: RelayOptions): AdoptOptions {
  return { ...(choices && { choices }), ...(onOverlap && { onOverlap }) }
}

/** Whether all of the work is in the project. Changes that the user left out must stay available. */
function isWhole(outcome: Outcome, { choices, onOverlap }: RelayOptions, { changes }: AgentChanges): boolean {
  if (outcome.kind === 'unchanged') return (outcome.yours ?? []).length === 0
  const isMine = onOverlap === 'mine' || [...(choices?.values() ?? [])].some(({ choice }) => choice === 'mine')
  return outcome.kind === 'committed' && outcome.files >= changes.length && !isMine
}

/** `relay apply --kept`: lists the kept work. */
export async function showKept(project: Project, system: System): Promise<number> {
  const { terminal, clock } = system
  const notes = await listKept(project.root, system)
  for (const line of keptLines(notes, outStyle(terminal), clock.now())) terminal.out(line)
  if (notes.length === 0) terminal.err(noKeptWork)
  return 0
}

/** Parses the number after `--kept`. Throws `usage` where it is none. */
export function keptNumber(word: string): number {
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word)
  throw new RelayError('usage', `--kept takes the number of kept work, not "${word}"`, {
    hint: '`relay apply --kept` lists what there is.',
  })
}
