import type { ReadStream } from 'node:tty'
import { systemClock } from '../clock.ts'
import type { KeyFilter } from './key-filter.ts'
import { writeLast } from './output.ts'

/** The keyboard, and the receivers of what comes from it. */
export interface KeyboardDesk {
  readonly keyboard: ReadStream
  /** Two readers of the keyboard share it, so that it joins what was cut between them. */
  readonly filter: KeyFilter
  /** Ctrl+C. */
  interrupt(): void
  /** A pasted text is neither an answer nor keys. */
  pasted(bytes: Uint8Array): void
  /** A paste without markers was dropped. */
  unmarked(): void
}

const [markPastes, leavePastes] = ['\x1b[?2004h', '\x1b[?2004l']

let held: ReadStream | undefined

/** Reads the keyboard key by key, with Ctrl+C as a key and pastes marked. */
export function holdKeyboard({ keyboard }: KeyboardDesk): void {
  if (held === undefined && process.listenerCount('exit', restore) === 0) process.on('exit', restore)
  held = keyboard
  setRaw(keyboard, true)
  process.stderr.write(markPastes)
  keyboard.resume()
}

export function releaseKeyboard({ keyboard }: KeyboardDesk): void {
  held = undefined
  keyboard.pause()
  process.stderr.write(leavePastes)
  setRaw(keyboard, false)
}

/**
 * Does what Ctrl+Z does: stops the whole group as the terminal would, because `npx` and the like stop with relay.
 * Ends once relay runs again. The system ignores this where nobody could wake relay. Windows has nothing of the kind.
 */
export async function suspend(desk: KeyboardDesk): Promise<void> {
  if (process.platform === 'win32') return
  releaseKeyboard(desk)
  process.kill(0, 'SIGTSTP')
  await systemClock.sleep(50)
}

/** Runs however relay ends, as long as relay can still do anything: a shell that shows no keys looks broken. */
function restore(): void {
  if (held === undefined) return
  setRaw(held, false)
  writeLast(leavePastes)
}

/** A terminal that was closed meanwhile takes no mode. */
function setRaw(keyboard: ReadStream, raw: boolean): void {
  try {
    keyboard.setRawMode(raw)
  } catch {}
}
