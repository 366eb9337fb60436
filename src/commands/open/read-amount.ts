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
