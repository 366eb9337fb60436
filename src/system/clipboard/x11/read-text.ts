import { type Buffer, isUtf8 } from 'node:buffer'
import { RelayError } from '../../../errors.ts'
import { looksBinary, textOf as utf8Text } from '../text.ts'
import { noAnswer, timeLimitMs } from '../trouble.ts'
import type { Converted, RequestWindow } from './request-window.ts'
import { noServer, type Session } from './session.ts'
import * as wire from './wire.ts'

/** Once somebody else has the clipboard, the one before may be gone in the middle of a word. */
const overtakenMs = 250

/** What was being read is not the clipboard any more, and its end will not come. */
class Overtaken extends Error {}

/** The text on the clipboard, `null` when it holds none; throws after two seconds without it. */
export async function readText(session: Session): Promise<string | null> {
  const end = performance.now() + timeLimitMs
  for (;;) {
    const request = session.openRequest()
    const limit = setTimeout(() => request.fail(noAnswer('read')), end - performance.now())
    let patience: NodeJS.Timeout | undefined
    const forget = session.onNewOwner(() => {
      patience ??= giveUpWithoutProgress(request, timer => {
        patience = timer
      })
    })
    try {
      return await readOnce(request, session)
    } catch (error) {
      if (error instanceof Overtaken) continue
      // A server that has not answered within the limit either will not answer the next read.
      if (session.connection.closed === undefined && session.connection.awaits) session.connection.close(noServer())
      throw session.connection.closed === undefined ? error : lost(session.connection.closed)
    } finally {
      clearTimeout(limit)
      clearTimeout(patience)
      forget()
      request.close()
    }
  }
}

function giveUpWithoutProgress(request: RequestWindow, keep: (timer: NodeJS.Timeout) => void): NodeJS.Timeout {
  const { progress } = request
  return setTimeout(() => {
    if (request.progress === progress) request.fail(new Overtaken())
    else keep(giveUpWithoutProgress(request, keep))
  }, overtakenMs)
}

async function readOnce(request: RequestWindow, { atoms }: Session): Promise<string | null> {
  const [owner, text] = await Promise.all([
    request.ask(wire.getSelectionOwner(atoms.clipboard)),
    request.convert(atoms.clipboard, atoms.utf8),
  ])
  if (wire.readOwner(owner) === 0) return null
  // Some owners hand out their picture to whoever asks for text: what they offer decides.
  if (text !== null && !looksBinary(text.bytes)) return textOf(text)
  const offered = await request.convert(atoms.clipboard, atoms.targets)
  const targets = [atoms.utf8, atoms.plainUtf8, wire.atomOf.string, atoms.plain]
  const target = offered === null ? wire.atomOf.string : targets.find(atom => holds(offered.bytes, atom))
  if (target === undefined) return null
  if (text !== null && (target === atoms.utf8 || offered === null)) return textOf(text)
  return textOf(await request.convert(atoms.clipboard, target))
}

/** What is no UTF-8 becomes U+FFFD, unless its owner calls it Latin-1. */
function textOf(content: Converted | null): string | null {
  if (content === null) return null
  const isLatin1 = content.type === wire.atomOf.string && !isUtf8(content.bytes)
  return isLatin1 ? content.bytes.toString('latin1') : utf8Text(content.bytes)
}

function holds(atoms: Buffer, atom: number): boolean {
  for (let at = 0; at + 4 <= atoms.length; at += 4) if (atoms.readUInt32LE(at) === atom) return true
  return false
}

/** A connection that broke says why in words of its own, or in the system's. */
export function lost(reason: Error): RelayError {
  if (reason instanceof RelayError) return reason
  return new RelayError('environment', `Lost the clipboard: ${reason.message}`, {
    hint: 'relay connects again as soon as the display is back.',
    cause: reason,
  })
}
