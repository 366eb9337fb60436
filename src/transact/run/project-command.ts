import type { CommandEnd } from '../../model.ts'
import type { Move } from '../entry/moves.ts'
import { walkProject } from '../survey/walk-project.ts'
import type { Work } from '../work/work.ts'
import { endOf, runCommand } from './run-command.ts'

/** Runs the pre or post command and reports how it ended; `undefined` when none is configured. */
export async function runProjectCommand(
  step: 'pre' | 'post',
  work: Work,
  moves: readonly Move[] = [],
): Promise<CommandEnd | undefined> {
  const { job, system, talk } = work
  const { config } = job.project
  const line = step === 'pre' ? config.preCommand : config.postCommand
  if (line.trim() === '') return undefined
  talk.report({ kind: 'step-started', step, command: line })
  const began = system.clock.monotonic()
  const end = endOf(await runCommand(step, line, work), config.commandTimeout)
  const ms = system.clock.monotonic() - began
  const also = step === 'post' ? await alsoChanged(moves, work) : []
  talk.report({ kind: 'command-ended', step, command: line, end, ms, alsoChanged: also })
  return end
}

/** More than this many files are not looked at: noticing must stay cheap. */
const mostLooks = 20_000

/**
 * What the post command changed outside the patch, sorted; the moment it was noted to start is the file system's own. It
 * is only named: whether a command or the user changed it cannot be told.
 */
async function alsoChanged(moves: readonly Move[], { layout, stage }: Work): Promise<readonly string[]> {
  const { root, files } = layout
  const noted = await files.stat(stage.command)
  if (noted === null) return []
  const own = new Set(moves.map(({ target }) => target))
  const changed: string[] = []
  let looks = 0
  for await (const found of walkProject(root, files)) {
    looks += found.length
    if (looks > mostLooks) break
    for (const { path, stat } of found) {
      if (stat.kind === 'file' && stat.changedMs >= noted.changedMs && !own.has(path)) changed.push(path)
    }
  }
  return changed.sort()
}
