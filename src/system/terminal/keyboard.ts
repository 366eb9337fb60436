import { closeSync, openSync } from 'node:fs'
import type { ReadStream } from 'node:tty'
import { isSet } from '../is-set.ts'
import { late } from '../late.ts'
import { isTerminal } from './is-terminal.ts'
import { stdinHoldsData } from './stdin.ts'

/** A person sees the question on stderr and types on stdin, or on the terminal itself where stdin is data. */
export function mayAsk(noInput: boolean): boolean {
  const { env } = process
  if (noInput || isSet(env['RELAY_PROMPT_DISABLED']) || env['TERM'] === 'dumb') return false
  if (isTerminal(0)) return true
  const file = stdinHoldsData() ? openTerminal() : undefined
  if (file !== undefined) closeSync(file)
  return file !== undefined
}

/**
 * The source of answers: stdin, or the terminal itself where stdin is data. `undefined` without one, and once it has
 * ended.
 */
export function openKeyboard(): ReadStream | undefined {
  const file = isTerminal(0) ? undefined : openTerminal()
  if (file === undefined && !process.stdin.isTTY) return undefined
  const keyboard = file === undefined ? process.stdin : new late.tty.ReadStream(file)
  // It says once that it has ended: a second question would wait for ever.
  if (keyboard.readableEnded || keyboard.destroyed) return undefined
  // A closed terminal may report that after its last question, too. The error must not end a rollback.
  if (keyboard.listenerCount('error') === 0) keyboard.on('error', () => {})
  return keyboard
}

/** `undefined` for a process without a terminal. */
export function openTerminal(): number | undefined {
  try {
    const file = openSync('/dev/tty', 'r')
    if (isTerminal(file)) return file
    closeSync(file)
    return undefined
  } catch {
    return undefined
  }
}
