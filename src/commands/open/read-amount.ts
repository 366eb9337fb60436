import { RelayError } from '../../errors.ts'

const day = 24 * 60 * 60 * 1000
// Each with its unit: a bare number would mean something that nobody has said.
export const ages = { h: day / 24, d: day, w: 7 * day, y: 365 * day }
export const sizes = { kb: 1000, mb: 1_000_000, gb: 1_000_000_000 }

/** A whole number with a unit, such as `30d` or `100MB`; `what` the option takes is said where it is none. */
export function amount(option: string, text: string, units: Readonly<Record<string, number>>, what: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = Object.entries(units).find(([name]) => name === unit.toLowerCase())?.[1]
  if (digits === undefined || factor === undefined) {
    throw new RelayError('usage', `${option} takes ${what}, not "${text}"`)
  }
  return Number(digits) * factor
}

/** A time in seconds, to the millisecond: `90`, `90s`, `5m`, `1.5h`; a bare number is of that unit. Throws `usage` for what is none. */
export function readTime(option: string, text: string, bare: 's' | 'm' = 's'): number {
  const [, number, unit = bare] = /^(-?\d{1,9}(?:\.\d{1,9})?)([smh])?$/i.exec(text.trim()) ?? []
  const seconds = { s: 1, m: 60, h: 3600 }[unit.toLowerCase()]
  if (number === undefined || seconds === undefined) {
    throw new RelayError('usage', `${option} takes a time such as 90s, 5m or 1h, not "${text}"`)
  }
  return Math.round(Number(number) * seconds * 1000) / 1000
}
