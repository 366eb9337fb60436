import { withoutWords } from '../../ground/secret-names.ts'
import type { CommandResult } from '../../model/check.ts'

/** Says that `checkout.setup` failed: how, the end of what it printed, and the variables that it did not get. */
export function setupFailure(result: CommandResult, timeLimit: number, without: readonly string[]): string {
  const last = result.output.trim().split('\n').slice(-3).join(' / ')
  // What a command said before it gave up tells more than its exit code.
  const how = result.end.kind === 'exit' && last !== '' ? [] : [endWords(result.end, timeLimit)]
  const words = [...how, ...(last === '' ? [] : [last])].join(': ')
  const missed = withoutWords(without)
  return `\`checkout.setup\` failed in the checkout: ${words}${missed === undefined ? '' : ` (${missed})`}`
}

function endWords(end: CommandResult['end'], timeLimit: number): string {
  if (end.kind === 'exit') return `exit ${end.code}`
  return end.kind === 'time-limit' ? `no end within ${timeLimit} s` : 'something ended it'
}
