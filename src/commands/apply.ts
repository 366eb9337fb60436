import { RelayError } from '../errors.ts'
import type { RelayOptions } from '../flows/draft.ts'
import { relay } from '../flows/relay.ts'
import type { Project } from '../model/project.ts'
import type { Response } from '../model/response.ts'
import type { AnswerChoice } from '../model/stale.ts'
import type { Outcome } from '../model/talk.ts'
import type { System, Talk } from '../ports.ts'
import { describeOutcome } from '../report/describe-outcome.ts'
import { readSource } from '../source/read-source.ts'
import { copyIfWished } from './follow-up/copy-follow-up.ts'
import { lastUnkept } from './follow-up/last-unkept.ts'
import { openProject } from './open/open-project.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { exitCodeByKind, exitCodeOf, exitCodeOfInterruption } from './talk/exit-code.ts'
import { showNotes } from './talk/show-notes.ts'
import { styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'
import { offerWayOut } from './talk/way-out.ts'

interface ApplyOptions extends TrustOptions {
  readonly yes?: boolean
  readonly allowSensitive?: boolean
  readonly again?: boolean
  readonly onOverlap?: AnswerChoice
  readonly last?: boolean
  readonly dryRun?: boolean
}

/** `relay apply`: takes each response that it is pointed at through the pipeline, and stops at the first that does not stay. */
export async function apply(system: System, from: readonly string[], options: ApplyOptions): Promise<number> {
  const project = await system.trace.span('project', () => openProject(system))
  if (options.dryRun === true) return showAll(from, options, project, system)
  await system.trace.span('trust', () => confirmCommands(project, system, options))
  const talk = createTalk(system, () => project, options)
  try {
    await system.trace.span('held', () => resumeHeldFirst(project, system, talk, options))
    // All of them first: a name that is mistyped is found before anything is applied.
    const responses = await readAll(from, options, project, system)
    for (const [index, response] of responses.entries()) {
      const code = await take(response, project, system, talk, options)
      if (code !== 0) {
        const left = from.slice(index + 1)
        if (left.length > 0) showNotes([`had no turn: ${left.join(', ')}`], system)
        return code
      }
    }
    return 0
  } finally {
    talk.close()
  }
}

/** What `relay parse` says of each; nothing is run, so no command has to be agreed to. */
async function showAll(
  from: readonly string[],
  options: ApplyOptions,
  project: Project,
  system: System,
): Promise<number> {
  // Loaded here: no other apply needs it.
  const { showResponse } = await import('./parse.ts')
  for (const response of await readAll(from, options, project, system)) {
    await showResponse(response, project.config.projectId, project, {}, system)
  }
  return 0
}

/** Takes a response, and then in another way if it was not taken and the user wants that; answers the exit code. */
async function take(
  response: Response,
  project: Project,
  system: System,
  talk: Talk,
  options: ApplyOptions,
): Promise<number> {
  const { source, text } = response
  const isEmpty = text.trim() === ''
  const { onOverlap, last, again } = options
  const asGiven = { again: again === true || last === true, ...(onOverlap === undefined ? {} : { onOverlap }) }
  for (let way: RelayOptions = asGiven; ; ) {
    const outcome = await relay(response, project, system, talk, way)
    const { whyUnasked, canAsk: willAsk } = system.terminal
    const about = { now: system.clock.now(), projectId: project.config.projectId, source, isEmpty, whyUnasked, willAsk }
    for (const line of describeOutcome(outcome, styleOf(system.terminal), about)) system.terminal.err(line)
    await copyIfWished(outcome, project, system)
    // Who says yes beforehand is not there to be asked.
    const isGone = options.yes === true && outcome.kind !== 'overlap'
    const next = isGone ? undefined : await offerWayOut(outcome, way, project, system)
    if (next === undefined) return exitCodeAtEnd(outcome, system)
    way = next
  }
}

function exitCodeAtEnd(outcome: Outcome, system: System): number {
  const isUntaken = ['refused', 'ignored', 'overlap'].includes(outcome.kind)
  if (isUntaken && system.interruption.aborted) return exitCodeOfInterruption(system)
  // Whoever was asked has declined.
  return outcome.kind === 'overlap' && system.terminal.canAsk ? exitCodeByKind.declined : exitCodeOf(outcome)
}

async function readAll(
  from: readonly string[],
  { last }: ApplyOptions,
  project: Project,
  system: System,
): Promise<readonly Response[]> {
  if (last === true && from.length > 0) throw new RelayError('usage', '--last takes no file')
  if (last === true) return [await lastDeclined(project, system)]
  const responses: Response[] = []
  for (const name of from.length === 0 ? [undefined] : from) {
    responses.push(await readSource(name, system, project.config.limits.responseBytes))
  }
  return responses
}

async function lastDeclined(project: Project, system: System): Promise<Response> {
  const found = await lastUnkept(project, system)
  if (found.kind === 'not-at-hand') {
    throw new RelayError('usage', found.why, {
      hint: 'Copy it once more in the chat, or name a file that holds it: `relay apply answer.md`.',
    })
  }
  if (found.last === undefined) {
    throw new RelayError('usage', 'No response was rolled back here that could be taken again', {
      hint: 'Name a file that holds one: `relay apply answer.md`.',
    })
  }
  return found.last.response
}
