import { isShape, isText, isWhole, oneOf } from '../../ground/json.ts'
import type { Step } from '../../model/talk.ts'
import type { ProcessMark } from '../../ports.ts'
import { readNote, writeNote } from '../disk/note.ts'
import type { Stage } from './stage.ts'

export interface StartedCommand {
  readonly step: Step
  readonly group: ProcessMark
}

/**
 * Once the project's files are changed the note must survive a power cut: without it, relay would take a formatter's
 * work for the user's.
 */
export async function noteCommand(stage: Stage, command: StartedCommand): Promise<void> {
  const sync = command.step === 'post' || command.step === 'lint'
  await writeNote(stage.command, command, stage.draft, stage.layout.files, sync)
}

/**
 * The last command that was started, ended or not; `undefined` before the first, and for a note that is not relay's.
 */
export async function startedCommand({ command, layout }: Stage): Promise<StartedCommand | undefined> {
  const note = await readNote(command, layout.files)
  return isStarted(note) ? note : undefined
}

/** The steps that run a command. */
export const commandSteps = ['pre', 'base', 'post', 'lint'] as const satisfies readonly Step[]

/** A cloned project can bring a stage: only a note in relay's own form counts. */
const isStarted = isShape<StartedCommand>({
  step: oneOf<Step>(...commandSteps),
  group: isShape<ProcessMark>({ pid: isWhole, startedAt: isText, machine: isText, boot: isText, space: isText }),
})

/** SHA-256 of each of the patch's files after the commands; `null` for one that is not there. */
export type Written = ReadonlyMap<string, string | null>

/** Not synced. */
export async function noteWritten(stage: Stage, written: Written): Promise<void> {
  await writeNote(stage.written, [...written], stage.draft, stage.layout.files, false)
}

/** `undefined` if nothing was noted, or if a command has run since. */
export async function notedWritten({ written, layout }: Stage): Promise<Written | undefined> {
  const note = await readNote(written, layout.files)
  return Array.isArray(note) && note.every(Array.isArray) ? new Map(note as [string, string | null][]) : undefined
}

/** Call this before a command runs, which may change the files. */
export async function forgetWritten({ folder, written, layout }: Stage): Promise<void> {
  if (await layout.files.remove(written)) await layout.files.sync(folder)
}
