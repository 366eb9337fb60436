import { type Buffer, isUtf8 } from 'node:buffer'
import { looksBinary, textOf as utf8Text } from '../text.ts'
import { noAnswer, timeLimitMs } from '../trouble.ts'
import { Refusal } from './connection.ts'
import type { Converted, Pace, RequestWindow } from './request-window.ts'
import { lost, noServer, type Session } from './session.ts'
import * as wire from './wire.ts'

/**
 * Patience is counted in steps of this length. So a machine that was asleep, or too busy to run relay, costs one step
 * at most: the answer may have come long before we can see it.
 */
const stepMs = timeLimitMs / 8

/** A newer copy has replaced the text that was being read, and the rest of it will not come. */
class Overtaken extends Error {}

/** The text on the clipboard, `null` when it holds none. Throws when there is no answer for two seconds. */
export async function readText(session: Session): Promise<string | null> {
  const patience = { steps: 8 }
  for (;;) {
    let overtaken = false
    const forget = session.onNewOwner(() => {
      overtaken = true
    })
    try {
      return await readWithin(patience, session, async () => overtaken)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    } finally {
      forget()
    }
  }
}

/**
 * The text of the copy that `owner` has just made. When another owner has taken its place, this one may still answer.
 * Relay gives it up at once only if it has ended.
 */
export function readCopy(
  session: Session,
  owner: number,
  isOvertaken: () => boolean,
  pace: Pace,
): Promise<string | null> {
  return readWithin({ steps: 8 }, session, async () => isOvertaken() && !(await lives(owner, session)), pace)
}

/** @param isInVain asked each time the owner was silent for a step */
async function readWithin(
  patience: { steps: number },
  session: Session,
  isInVain: () => Promise<boolean>,
  pace?: Pace,
): Promise<string | null> {
  const request = session.openRequest(pace)
  let { progress } = request
  const step = async () => {
    if (request.paused) return
    patience.steps -= 1
    const isSilent = request.progress === progress
    progress = request.progress
    if (patience.steps === 0) request.fail(noAnswer('read'))
    else if (isSilent && (await isInVain())) request.fail(new Overtaken())
  }
  const timer = setInterval(step, stepMs)
  try {
    return await readOnce(request, session)
  } catch (error) {
    // A server that has not answered even within the limit will not answer the next read.
    const isMute = !(error instanceof Overtaken) && request.unanswered > 0
    if (isMute && session.connection.closed === undefined) session.connection.close(noServer())
    throw session.connection.closed === undefined ? error : lost(session.connection.closed)
  } finally {
    clearInterval(timer)
    request.close()
  }
}

/** A window ends with its program. */
async function lives(window: number, { connection, atoms }: Session): Promise<boolean> {
  try {
    await connection.ask(wire.getProperty(window, atoms.transfer, 0))
    return true
  } catch (error) {
    return !(error instanceof Refusal)
  }
}

async function readOnce(request: RequestWindow, { atoms }: Session): Promise<string | null> {
  const [owner, text] = await Promise.all([
    request.ask(wire.getSelectionOwner(atoms.clipboard)),
    request.convert(atoms.clipboard, atoms.utf8),
  ])
  if (wire.readNumber(owner) === 0) return null
  // Some owners give their picture to any program that asks for text, so the types on offer decide.
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
