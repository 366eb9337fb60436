/** What a formatter leaves of a text: letters, digits and `_`. */
export function bareText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_]+/gu, '')
}
