/** A number with its noun: `1 file`, `3 files`, `1,214 lines`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`
}

/** `1234567` as `1,234,567`. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** In the units that people read: `812 bytes`, `1.2 kB`, `53.0 MB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte')
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** US dollars: small amounts to the hundredth of a cent. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`
}
