import { countedShape } from '../../check/counted-shape.ts'
import { isShape, isText } from '../../ground/json.ts'
import type { Check } from '../../model/check.ts'
import { readNote, writeNote } from '../disk/note.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { fingerprintOf } from '../survey/project-fingerprint.ts'

type Counted = Extract<Check, { kind: 'counted' }>

interface LastCheck extends Pick<Counted, 'errors' | 'list' | 'code' | 'failed' | 'tests'> {
  readonly linter: string
  /** The project's, before and after the linter ran. */
  readonly fingerprint: string
}

const isLastCheck = isShape<LastCheck>({ linter: isText, fingerprint: isText, ...countedShape })

/** A check with more errors is not remembered: reading it would take hundreds of megabytes of memory. */
const mostErrors = 50_000

/**
 * The check after the last change, if no file of the project has changed since: what this linter would find now. The note
 * of it is a cache: whatever goes wrong with it, the linter runs.
 */
export async function lastCheck(linter: string, layout: Layout, signal: AbortSignal): Promise<Counted | undefined> {
  const note = await readNote(layout.lastCheck, layout.files).catch(() => undefined)
  if (!isLastCheck(note) || note.linter !== linter) return undefined
  if (note.fingerprint !== (await fingerprintOf(layout, signal))) return undefined
  const { errors, list, code, failed, tests } = note
  return { kind: 'counted', errors, list, code, failed, tests, output: '' }
}

export async function noteLastCheck(
  linter: string,
  fingerprint: string,
  { errors, list, code, failed, tests }: Counted,
  { layout, draft }: Stage,
): Promise<void> {
  // Of errors that are only counted, nobody can tell later which ones are new.
  if (errors > mostErrors || (errors > 0 && list === undefined)) return
  const note: LastCheck = { linter, fingerprint, errors, list, code, failed, tests }
  await writeNote(layout.lastCheck, note, draft, layout.files, false).catch(() => undefined)
}
