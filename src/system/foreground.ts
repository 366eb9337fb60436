import { readFileSync } from 'node:fs'

/**
 * Whether this process may use its terminal now, and is not running in the background of a shell. Who cannot tell says
 * yes: that is how programs are mostly started.
 */
export function isInForeground(): boolean {
  try {
    const status = readFileSync('/proc/self/stat', 'latin1')
    // The name before these fields is in parentheses, and may hold any.
    const [, , group, , , foreground] = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return foreground === '-1' || foreground === group
  } catch {
    return true
  }
}
