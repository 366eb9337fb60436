import type { LintError } from '../model/check.ts'

/**
 * Takes the code in brackets off a message's end, if it has the form of a code: `unused variable 's'
 * [-Wunused-variable]`.
 */
export function splitCode(text: string, brackets: '()' | '[]', form: RegExp): Pick<LintError, 'code' | 'message'> {
  const open = text.lastIndexOf(` ${brackets[0]}`)
  const code = text.slice(open + 2, -1)
  return open !== -1 && text.endsWith(brackets.charAt(1)) && form.test(code)
    ? { code, message: text.slice(0, open) }
    : { code: '', message: text }
}
