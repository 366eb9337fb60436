import type { CommandEnd, Step } from '../model.ts'
import type { CommandResult, System } from '../ports.ts'
import { noteCommand, type Stage } from './stage.ts'

/** Runs one of the project's commands; a recovery can find and end it, should relay die before it does. */
export async function runCommand(
  step: Step,
  command: string,
  project: { readonly root: string; readonly timeLimit: number; readonly uuid: string },
  stage: Stage,
  system: Pick<System, 'shell' | 'files' | 'interruption'>,
): Promise<CommandResult> {
  return system.shell.run(command, {
    cwd: project.root,
    timeLimit: project.timeLimit,
    signal: system.interruption,
    env: { RELAY_PHASE: step, RELAY_UUID: project.uuid },
    onStart: group => noteCommand(stage, { step, group }, system.files),
  })
}

/** How a command ended, in words. */
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
