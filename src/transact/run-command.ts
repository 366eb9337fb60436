import { dirname, join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { CommandEnd, Step } from '../model.ts'
import type { CommandResult, Files, System } from '../ports.ts'
import { isGone } from './is-gone.ts'
import type { Layout } from './layout.ts'
import { commandSteps, noteCommand, type Stage } from './stage.ts'

const uuidName = 'RELAY_UUID'

/** What every command of a transaction has in its environment, and hands on to what it starts. */
export function uuidEntry(uuid: string): string {
  return `${uuidName}=${uuid}`
}

/** Runs one of the project's commands; a recovery can find and end it, should relay die before it does. */
export async function runCommand(
  step: Step,
  command: string,
  project: { readonly root: string; readonly timeLimit: number; readonly uuid: string },
  stage: Stage,
  files: Files,
  system: Pick<System, 'shell' | 'interruption'>,
): Promise<CommandResult> {
  const result = await system.shell.run(command, {
    cwd: project.root,
    timeLimit: project.timeLimit,
    signal: system.interruption,
    env: { RELAY_PHASE: step, [uuidName]: project.uuid },
    whole: wholeOf(step, stage),
    onStart: group => noteCommand(stage, { step, group }, files),
  })
  if (!system.interruption.aborted && (await isGone(stage.command, files))) throw removedStage(step)
  await keepOutput(step, result, stage, files)
  return result
}

/** `git clean -X` in a command: nothing can be noted any more, and all that was kept before is gone with it as well. */
function removedStage(step: Step): RelayError {
  const what = step === 'pre' || step === 'post' ? `the ${step} command` : 'the linter'
  return new RelayError('usage', `What relay keeps in .relaycode/ was removed while ${what} ran: going back needs it`, {
    hint: 'Have the command leave that folder alone, such as by `git clean -x -e .relaycode`.',
  })
}

/** Keeps what a command printed for a later look; that there is no room for it is no reason to fail. */
async function keepOutput(step: Step, { output, whole }: CommandResult, stage: Stage, files: Files): Promise<void> {
  try {
    // A step may run more than once: what stays is what it printed last.
    if (whole === true) await files.rename(wholeOf(step, stage), stage.output(step))
    else if (output === '') await files.remove(stage.output(step))
    else await files.replace(stage.output(step), Buffer.from(output), stage.draft, { mode: 0o600, sync: false })
  } catch {
    // See above.
  }
}

/** Where a command's output goes while it is more than relay holds in memory. */
function wholeOf(step: Step, stage: Stage): string {
  return `${stage.output(step)}.whole`
}

/** Brings what the commands of an applied transaction printed to where it stays. */
export async function moveOutput(stage: Stage, layout: Layout, uuid: string, files: Files): Promise<void> {
  const home = layout.output(uuid)
  for (const step of commandSteps) {
    if ((await files.stat(stage.output(step))) === null) continue
    for (const folder of [dirname(home), home]) await files.makeFolder(folder, 0o700)
    await files.rename(stage.output(step), join(home, `${step}.txt`))
  }
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
