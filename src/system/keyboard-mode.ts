import { writeSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

const [markPastes, leavePastes] = ['\x1b[?2004h', '\x1b[?2004l']

let held: ReadStream | undefined

/** Takes the keyboard: key by key, Ctrl+C as a key, and pastes marked. */
export function holdKeyboard(keyboard: ReadStream, screen: NodeJS.WritableStream): void {
  if (held === undefined && process.listenerCount('exit', restore) === 0) process.on('exit', restore)
  held = keyboard
  setRaw(keyboard, true)
  screen.write(markPastes)
  keyboard.resume()
}

/** Leaves the keyboard as the terminal has it. */
export function releaseKeyboard(keyboard: ReadStream, screen: NodeJS.WritableStream): void {
  held = undefined
  keyboard.pause()
  screen.write(leavePastes)
  setRaw(keyboard, false)
}

/** However relay ends, as long as it can still do anything: a shell that shows no keys looks broken. */
function restore(): void {
  if (held === undefined) return
  setRaw(held, false)
  try {
    writeSync(2, leavePastes)
  } catch {
    // The terminal is gone, and its mode with it.
  }
}

/** A terminal that was closed meanwhile takes no mode any more. */
function setRaw(keyboard: ReadStream, raw: boolean): void {
  try {
    keyboard.setRawMode(raw)
  } catch {}
}
