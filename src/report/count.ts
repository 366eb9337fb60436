/** A number with its noun: `1 file`, `3 files`, `1,214 lines`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : nouns}`
}
