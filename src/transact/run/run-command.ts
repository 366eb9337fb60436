import { pathForCommands } from '../../ground/program-folders.ts'
import type { CommandResult } from '../../model/check.ts'
import type { CommandEnd, Step } from '../../model/talk.ts'
import type { Shell } from '../../ports.ts'
import { isGone } from '../disk/is-gone.ts'
import { removedStage, type Stage } from '../layout/stage.ts'
import { noteCommand, startedCommand } from '../layout/stage-notes.ts'
import type { Running } from '../work/work.ts'
import { keepOutput, wholeOutput } from './command-output.ts'

/** Every command of a transaction has this in its environment, and so have the processes that it starts. */
const uuidName = 'RELAY_UUID'

/** If relay dies first, a recovery can find the command and end it. */
export async function runCommand(
  step: Step,
  command: string,
  { job, stage, layout, system, without }: Running,
): Promise<CommandResult> {
  const { root, config } = job.project
  const result = await system.shell.run(command, {
    cwd: root,
    timeLimit: config.commandTimeout,
    signal: system.interruption,
    env: {
      ...Object.fromEntries(without.map(name => [name, undefined])),
      ...(await pathForCommands(root, system.env, layout.files)),
      RELAY_PHASE: step,
      [uuidName]: job.uuid,
    },
    whole: wholeOutput(step, stage),
    onStart: group => noteCommand(stage, { step, group }),
  })
  if (!system.interruption.aborted && (await isGone(stage.command, layout.files))) {
    const what = step === 'pre' || step === 'post' ? `the ${step} command` : 'the linter'
    throw removedStage(`${what} ran`, 'Make the command leave that folder alone, for example with')
  }
  await keepOutput(step, result, stage)
  return result
}

/** Ends a command that outlived its relay: it must not write into files that another relay restores or keeps. */
export async function endOutlived(stage: Stage, shell: Shell): Promise<boolean> {
  const started = await startedCommand(stage)
  return started === undefined ? false : shell.endLeftGroup(started.group, `${uuidName}=${stage.uuid}`)
}

export function endOf(result: CommandResult, timeLimit: number): CommandEnd {
  const { end, output } = result
  switch (end.kind) {
    case 'exit':
      return { ok: end.code === 0, why: end.code === 127 ? 'not found (exit 127)' : `exit ${end.code}`, output }
    case 'signal':
      return { ok: false, why: `ended by ${end.signal}`, output }
    case 'time-limit':
      return { ok: false, why: `no end within ${timeLimit} s`, output }
    case 'aborted':
      return { ok: false, why: 'interrupted', output }
  }
}
