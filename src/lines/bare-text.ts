import { isDocument } from './is-document.ts'

/** What a text comes to whatever a formatter made of it: its work is no edit. */
export type Form = (text: string) => string

/** The form of the texts in a file. */
export function formOf(path: string): Form {
  return isDocument(path) ? bareText : bareCode
}

/** What a formatter leaves of a text: letters, digits and `_`. */
export function bareText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_]+/gu, '')
}

/**
 * Code without what formatters set anew: blanks, quotes, brackets, commas, semicolons, the first `|` of a union, the `/` of
 * `<br />`, and `0xFF` for `0xff`. Operators and the signs of a comment are the user's.
 */
function bareCode(text: string): string {
  return text
    .replaceAll(/\b0x[\da-f_]+/gi, number => number.toLowerCase())
    .replaceAll(/[\s,;()[\]{}]+|\\?['"`]|\/(?=>)/g, '')
    .replaceAll(/(?<=[=:<])\|/g, '')
}

/** Whether a line says something: a letter or a number. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}
