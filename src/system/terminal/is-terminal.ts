import { fstatSync, statSync } from 'node:fs'
import { late } from '../late.ts'

/** Whether a file is a terminal. */
export function isTerminal(file: number): boolean {
  return mayBeTerminal(file) && late.tty.isatty(file)
}

/** Tells most of what is no terminal without `node:tty`: with that come the runtime's streams. */
export function mayBeTerminal(file: number): boolean {
  try {
    const found = fstatSync(file)
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return false
  }
}
