import { RelayError } from '../../errors.ts'
import { understand } from '../../flows/understand.ts'
import type { Project } from '../../model/project.ts'
import type { ClipboardBackEnd, Clock, System, Terminal } from '../../ports.ts'
import { clipboardFindings, type RoundTrip, roundTripFinding } from '../../report/findings/clipboard-findings.ts'
import type { DoctorFinding } from '../../report/findings/finding.ts'
import { CopyListener } from '../../source/copy-listener.ts'
import { earlierWithSameUuid } from '../../transact/journal/earlier-with-same-uuid.ts'
import { readJournal } from '../open/read-journal.ts'
import { askKey } from '../talk/ask-key.ts'

/** The way to the clipboard, and whether a text comes back from there as it was. */
export async function* examineClipboard(
  project: Project | undefined,
  isAgreed: boolean,
  system: System,
): AsyncGenerator<DoctorFinding> {
  const { clipboard, terminal } = system
  const { canAsk, piped, takesCopies } = terminal
  const canPaste = canAsk && !piped
  const backEnd = await clipboard.backEnd(project?.config.clipboard ?? 'auto')
  const found = backEnd.kind === 'none' ? null : await readOrFailure(backEnd)
  const isReadable = found !== null && 'text' in found
  const trouble = isReadable ? await listen(backEnd, system) : (found ?? undefined)
  yield* clipboardFindings(backEnd, { canPaste, takesCopies }, trouble)
  if (!isReadable || (trouble !== undefined && trouble !== 'must-poll')) return
  const finding = roundTripFinding(await makeRoundTrip(found.text, backEnd, project, isAgreed, system))
  if (finding !== undefined) yield finding
}

async function readOrFailure(backEnd: ClipboardBackEnd) {
  try {
    return { text: await backEnd.read() }
  } catch (error) {
    return failed(error)
  }
}

/** What is in the way of being told of copies; `must-poll`: nothing is told here, although it should be. */
async function listen(backEnd: ClipboardBackEnd, { interruption }: System) {
  if (backEnd.listen === undefined) return undefined
  const over = new AbortController()
  const listener = new CopyListener(backEnd, AbortSignal.any([interruption, over.signal]))
  const error = await listener.open()
  over.abort()
  if (error !== undefined) return failed(error)
  return listener.mustPoll ? 'must-poll' : undefined
}

function failed(error: unknown): RoundTrip & { kind: 'failed' } {
  if (!(error instanceof RelayError)) throw error
  return { kind: 'failed', message: error.message, hint: error.hint }
}

/** A text of the user's is overwritten only with their word, and never one that could not be put back. */
async function makeRoundTrip(
  before: string | null,
  backEnd: ClipboardBackEnd,
  project: Project | undefined,
  isAgreed: boolean,
  system: System,
): Promise<RoundTrip> {
  const { terminal, clock, randomUuid } = system
  if (backEnd.fleeting !== undefined) return { kind: 'skipped', why: 'fleeting' }
  if (before !== null && (await mayBeTaken(before, project, system))) return { kind: 'skipped', why: 'holds-answer' }
  const answer = isAgreed ? 'agreed' : await askToWrite(before, project, terminal)
  if (answer !== 'agreed') return { kind: 'skipped', why: answer }
  const text = `relay doctor ${randomUuid()}\r\nwörld ✅ 👩‍👩‍👧\r\n`
  const trip = await writeAndRead(text, backEnd, clock).catch(failed)
  try {
    await backEnd.write(before ?? '')
    return trip
  } catch (error) {
    const { message } = failed(error)
    return trip.kind === 'failed' ? trip : { kind: 'not-restored', why: message }
  }
}

async function askToWrite(
  before: string | null,
  project: Project | undefined,
  terminal: Terminal,
): Promise<'agreed' | 'declined' | 'unasked'> {
  if (!terminal.canAsk) return 'unasked'
  const keys = [
    ['y', 'write a text, read it again, and put back the text that is on it now'],
    ['n', 'leave the clipboard alone'],
  ] as const
  const prompt = `Overwrite the clipboard for a moment?${before === null ? ' A picture on it would be lost.' : ''} (y/n/?)`
  const key = await askKey(prompt, keys, { singleKey: project?.config.singleKey ?? false }, terminal)
  return key === 'y' ? 'agreed' : 'declined'
}

async function writeAndRead(text: string, backEnd: ClipboardBackEnd, clock: Clock): Promise<RoundTrip> {
  await backEnd.write(text)
  // On a busy machine the program that keeps the text may have the clipboard only a moment later.
  for (let left = 20; ; left--) {
    const after = await backEnd.read()
    if (after === text) return { kind: 'whole' }
    if (after === text.replaceAll('\r\n', '\n')) return { kind: 'line-ends' }
    if (left === 0) return { kind: after === null ? 'lost' : 'changed' }
    await clock.sleep(100)
  }
}

/**
 * Putting an answer back would be a new copy for whoever watches, which relay's own texts are not; one that had its turn
 * is skipped.
 */
async function mayBeTaken(text: string, project: Project | undefined, system: System): Promise<boolean> {
  const understood = understand(text, project?.config.projectId ?? '')
  if (understood.kind === 'ignored') return !['no-patch', 'own-text'].includes(understood.why.kind)
  if (understood.kind === 'refused' || project === undefined) return true
  try {
    const earlier = await earlierWithSameUuid(understood.patch, await readJournal(project, system))
    return earlier?.isSame !== true
  } catch {
    // A journal that cannot be read is told elsewhere.
    return true
  }
}
