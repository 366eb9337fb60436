import type { CommandEnd, Progress } from '../../model/talk.ts'
import type { Move } from '../entry/moves.ts'
import { parentOf } from '../survey/folders.ts'
import { walkProject } from '../survey/walk-project.ts'
import type { Running } from '../work/work.ts'
import { endOf, runCommand } from './run-command.ts'

/** Runs the pre or post command and reports how it ended; `undefined` when none is configured. */
export async function runProjectCommand(
  step: 'pre' | 'post',
  work: Running,
  moves: readonly Move[] = [],
): Promise<CommandEnd | undefined> {
  const { job, system, talk, without } = work
  const { config } = job.project
  const line = step === 'pre' ? config.preCommand : config.postCommand
  if (line.trim() === '') return undefined
  talk.report({ kind: 'step-started', step, command: line })
  const began = system.clock.monotonic()
  const end = endOf(await runCommand(step, line, work), config.commandTimeout)
  const ms = system.clock.monotonic() - began
  const also = step === 'post' ? await lookForOthers(moves, work) : { alsoChanged: [] }
  talk.report({ kind: 'command-ended', step, command: line, end, ms, ...also, ...(!end.ok && { without }) })
  return end
}

/**
 * The files outside the patch that changed since the post command started, sorted. The time of its note is the start,
 * because that is the file system's own clock. relay only names these files: it cannot know whether the command or the
 * user changed them. A formatter mostly works beside the patch's files, so the search begins there, in case there are
 * too many files.
 */
async function lookForOthers(moves: readonly Move[], { layout, stage, system }: Running): Promise<AlsoChanged> {
  const { root, files } = layout
  const noted = await files.stat(stage.command)
  if (noted === null) return { alsoChanged: [] }
  const own = new Set(moves.map(({ target }) => target))
  const changed: string[] = []
  let isPart = false
  const walk = walkProject(root, files, { signal: system.interruption, first: [...own].map(parentOf) })
  for await (const found of walk) {
    isPart ||= found === undefined
    for (const { path, stat } of found ?? []) {
      if (stat.kind === 'file' && stat.changedMs >= noted.changedMs && !own.has(path)) changed.push(path)
    }
  }
  return { alsoChanged: changed.sort(), ...(isPart && { alsoPart: true }) }
}

type AlsoChanged = Pick<Extract<Progress, { kind: 'command-ended' }>, 'alsoChanged' | 'alsoPart'>
