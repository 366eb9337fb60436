/** A number with its noun: `1 file`, `3 files`, `1,214 lines`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`
}

/** `1234567` as `1,234,567`. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
