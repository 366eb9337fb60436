import type { ReadStream } from 'node:tty'
import { systemClock } from '../clock.ts'
import type { KeyFilter } from './key-filter.ts'
import { writeLast } from './output.ts'

/** The keyboard, and who is told of what comes from it. */
export interface KeyboardDesk {
  readonly keyboard: ReadStream
  /** Keeps what is cut between two readers of the keyboard together. */
  readonly filter: KeyFilter
  /** Ctrl+C. */
  interrupt(): void
  /** A text that was pasted: neither an answer nor keys. */
  pasted(bytes: Uint8Array): void
  /** A paste that was not marked as one, and so dropped. */
  unmarked(): void
}

const [markPastes, leavePastes] = ['\x1b[?2004h', '\x1b[?2004l']

let held: ReadStream | undefined

/** Takes the keyboard: key by key, Ctrl+C as a key, and pastes marked. */
export function holdKeyboard({ keyboard }: KeyboardDesk): void {
  if (held === undefined && process.listenerCount('exit', restore) === 0) process.on('exit', restore)
  held = keyboard
  setRaw(keyboard, true)
  process.stderr.write(markPastes)
  keyboard.resume()
}

/** Leaves the keyboard as the terminal has it. */
export function releaseKeyboard({ keyboard }: KeyboardDesk): void {
  held = undefined
  keyboard.pause()
  process.stderr.write(leavePastes)
  setRaw(keyboard, false)
}

/**
 * What Ctrl+Z does: stops the whole group, as the terminal does it, for `npx` and the like stop with relay. Ends once
 * relay runs again; where nobody could wake it, the system ignores this. Windows has nothing of the kind.
 */
export async function suspend(desk: KeyboardDesk): Promise<void> {
  if (process.platform === 'win32') return
  releaseKeyboard(desk)
  process.kill(0, 'SIGTSTP')
  await systemClock.sleep(50)
}

/** However relay ends, as long as it can still do anything: a shell that shows no keys looks broken. */
function restore(): void {
  if (held === undefined) return
  setRaw(held, false)
  writeLast(leavePastes)
}

/** A terminal that was closed meanwhile takes no mode any more. */
function setRaw(keyboard: ReadStream, raw: boolean): void {
  try {
    keyboard.setRawMode(raw)
  } catch {}
}
