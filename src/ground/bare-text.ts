/** What a formatter leaves of a text: letters, digits and `_`. */
export function bareText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_]+/gu, '')
}

/** Whether a line says something: a letter or a number. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}
