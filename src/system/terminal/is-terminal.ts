import { fstatSync, statSync } from 'node:fs'
import { late } from '../late.ts'

export function isTerminal(file: number): boolean {
  return mayBeTerminal(file) && late.tty.isatty(file)
}

/** Rules out most files that are no terminal without `node:tty`, which loads the runtime's streams. */
export function mayBeTerminal(file: number): boolean {
  try {
    const found = fstatSync(file)
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return false
  }
}
