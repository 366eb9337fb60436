import { dirname, join } from 'node:path'
import type { CommandResult } from '../../model/check.ts'
import type { Step } from '../../model/talk.ts'

import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { commandSteps } from '../layout/stage-notes.ts'

/** The file for an output that is too large for relay's memory. */
export function wholeOutput(step: Step, stage: Stage): string {
  return `${stage.output(step)}.whole`
}

/** Keeps a command's output for a later look. Never fails: a full disk is no reason. */
export async function keepOutput(
  step: Step,
  { output, whole }: Pick<CommandResult, 'output' | 'whole'>,
  stage: Stage,
): Promise<void> {
  const { files } = stage.layout
  try {
    // A step may run more than once: only its last output is kept.
    if (whole === true) await files.rename(wholeOutput(step, stage), stage.output(step))
    else if (output === '') await files.remove(stage.output(step))
    else await files.replace(stage.output(step), Buffer.from(output), stage.draft, { mode: 0o600, sync: false })
  } catch {
    // See above.
  }
}

/** Moves the output of an applied transaction's commands out of its stage. */
export async function moveOutput(stage: Stage): Promise<void> {
  const { layout, uuid } = stage
  const { files } = layout
  for (const step of commandSteps) {
    if ((await files.stat(stage.output(step))) === null) continue
    const home = layout.output(uuid)
    for (const folder of [dirname(home), home]) await files.makeFolder(folder, 0o700)
    await files.rename(stage.output(step), keptOutput(step, uuid, layout))
  }
}

export interface Printed {
  readonly step: Step
  readonly bytes: number
}

/** In the order in which the commands ran. */
export async function findOutputs(uuid: string, layout: Layout): Promise<readonly Printed[]> {
  const found: Printed[] = []
  for (const step of commandSteps) {
    const stat = await layout.files.stat(keptOutput(step, uuid, layout))
    if (stat !== null) found.push({ step, bytes: stat.size })
  }
  return found
}

/** Empty if the output is gone by now. */
export async function readPrinted({ step }: Printed, uuid: string, layout: Layout): Promise<string> {
  const bytes = await layout.files.read(keptOutput(step, uuid, layout))
  return Buffer.from(bytes ?? []).toString('utf8')
}

function keptOutput(step: Step, uuid: string, layout: Layout): string {
  return join(layout.output(uuid), `${step}.txt`)
}
