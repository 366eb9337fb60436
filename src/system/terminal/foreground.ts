import { readFileSync } from 'node:fs'
import { statFields } from '../kernel-file.ts'

/**
 * Whether this process may use its terminal now, and is not running in the background of a shell. Who cannot tell says
 * yes: that is how programs are mostly started.
 */
export function isInForeground(): boolean {
  try {
    const status = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , foreground] = statFields(status)
    return foreground === '-1' || foreground === group
  } catch {
    return true
  }
}
