import type { LintError } from '../model/check.ts'

/** Takes the rule off a row's end, where it is the last column, two blanks apart; errors of the parser have none. */
export function splitRow(text: string): Pick<LintError, 'code' | 'message'> {
  const gap = text.lastIndexOf('  ')
  const code = text.slice(gap + 2)
  return gap === -1 || code.includes(' ') ? { code: '', message: text } : { code, message: text.slice(0, gap) }
}
