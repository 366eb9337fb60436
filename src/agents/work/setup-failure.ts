import { withoutWords } from '../../ground/secret-names.ts'
import type { CommandResult } from '../../model/check.ts'

/** Says that `checkout.setup` failed: the end of what it printed, and the variables that it did not get. */
export function setupFailure({ output }: CommandResult, without: readonly string[]): string {
  const last = output.trim().split('\n').slice(-3).join(' / ')
  const missed = withoutWords(without)
  return `\`checkout.setup\` failed in the checkout: ${last}${missed === undefined ? '' : ` (${missed})`}`
}
