import { isDocument } from './is-document.ts'

/** The part of a text that no formatter changes: a formatter's work is no edit. */
export type Form = (text: string) => string

export function formOf(path: string): Form {
  return isDocument(path) ? bareText : bareCode
}

/** Letters, digits and `_`: a formatter keeps them. */
export function bareText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_]+/gu, '')
}

/**
 * Code without the signs that formatters change: blanks, quotes, brackets, commas, semicolons, the first `|` of a
 * union, the `/` of `<br />`, and `0xFF` for `0xff`. Operators and the signs of a comment are the user's.
 */
function bareCode(text: string): string {
  return text
    .replaceAll(/\b0x[\da-f_]+/gi, number => number.toLowerCase())
    .replaceAll(/[\s,;()[\]{}]+|\\?['"`]|\/(?=>)/g, '')
    .replaceAll(/(?<=[=:<])\|/g, '')
}

/** Words have letters or numbers. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}
