import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { Response } from '../model/response.ts'
import type { System } from '../ports.ts'
import { readSource } from '../source/read-source.ts'
import { readDeclined } from '../transact/journal/declined.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import { wasKept } from '../transact/journal/history-line.ts'
import { askingProject } from './follow-up/asking-project.ts'
import { lastUnkept } from './follow-up/last-unkept.ts'
import { takeResponse } from './follow-up/take-response.ts'
import type { TakeOptions } from './follow-up/take-until-settled.ts'
import { lookIn } from './open/look.ts'
import { openProject } from './open/open-project.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { createTalk } from './talk/talk.ts'

interface ApplyOptions extends TrustOptions, TakeOptions {
  readonly allowSensitive?: boolean
  readonly dryRun?: boolean
  readonly kept?: string | true
  readonly declined?: string
}

/** `relay apply`: takes each response that it is pointed at through the pipeline, and stops at the first that does not stay. */
export async function apply(system: System, from: readonly string[], options: ApplyOptions): Promise<number> {
  const opened = await system.trace.span('project', () => openProject(system))
  // What a rule has declined is asked about now.
  const project = options.declined === undefined ? opened : askingProject(opened)
  if (options.kept !== undefined) return landKept(options.kept, from, options, project, system)
  if (options.dryRun === true) return showAll(from, options, project, system)
  await system.trace.span('trust', () => confirmCommands(project, system, options))
  const talk = createTalk(system, () => project, options)
  try {
    await system.trace.span('held', () => resumeHeldFirst(project, system, talk, options))
    // All of them first: a name that is mistyped is found before anything is applied.
    const responses = await readAll(from, options, project, system)
    for (const [index, response] of responses.entries()) {
      const code = await takeResponse(response, project, system, talk, options)
      if (code !== 0) {
        const left = from.slice(index + 1)
        if (left.length > 0) showNotes([`not tried: ${left.join(', ')} (${from[index]} was not kept)`], system)
        return code
      }
    }
    return 0
  } finally {
    talk.close()
  }
}

/** What an agent made is no response: what is said of those does not go with it. */
async function landKept(
  kept: string | true,
  from: readonly string[],
  options: ApplyOptions,
  project: Project,
  system: System,
): Promise<number> {
  if (from.length > 0) throw new RelayError('usage', '--kept takes no file')
  for (const [given, name] of [
    [options.last, '--last'],
    [options.again, '--again'],
    [options.declined !== undefined, '--declined'],
    [options.dryRun, '--dry-run'],
  ] as const) {
    if (given === true) throw new RelayError('usage', `--kept does not go with ${name}`)
  }
  // Loaded here: no other apply needs it.
  const { applyKept, keptNumber, showKept } = await import('./apply-kept.ts')
  return kept === true ? showKept(project, system) : applyKept(keptNumber(kept), project, system, options)
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

async function readAll(
  from: readonly string[],
  { last, declined }: ApplyOptions,
  project: Project,
  system: System,
): Promise<readonly Response[]> {
  if (last === true && from.length > 0) throw new RelayError('usage', '--last takes no file')
  if (declined !== undefined) {
    if (last === true || from.length > 0) throw new RelayError('usage', '--declined takes one number, and no file')
    return [await declinedResponse(declined, project, system)]
  }
  if (last === true) return [await lastDeclined(project, system)]
  const responses: Response[] = []
  for (const name of from.length === 0 ? [undefined] : from) {
    responses.push(await readSource(name, system, project.config.limits.responseBytes))
  }
  return responses
}

async function declinedResponse(word: string, project: Project, system: System): Promise<Response> {
  const { journal, layout } = await lookIn(project, system)
  const turn = findEntry(word, journal)
  if (wasKept(turn)) throw new RelayError('usage', `#${turn.number} was kept`)
  const found = await readDeclined(turn.number, layout)
  if (found !== undefined) return found.response
  throw new RelayError('usage', `The answer of #${turn.number} is no longer stored`, {
    hint: 'Copy it again in the chat, or name a file that holds it: `relay apply answer.md`.',
  })
}

async function lastDeclined(project: Project, system: System): Promise<Response> {
  const found = await lastUnkept(project, system)
  if (found.kind === 'not-at-hand') {
    throw new RelayError('usage', found.why, {
      hint: 'Copy it again in the chat, or name a file that holds it: `relay apply answer.md`.',
    })
  }
  if (found.last === undefined) {
    throw new RelayError('usage', 'No answer was rolled back here that relay could apply again', {
      hint: 'Name a file that holds an answer: `relay apply answer.md`.',
    })
  }
  return found.last.response
}
