/** `9 ms`, `3.8 s`, `2 min 5 s`, `1 h 3 min`. */
export function describeDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1000) return `${whole} ms`
  // Rounded first, so that no time is ever "60.0 s" or "1 min 60 s".
  const tenths = Math.round(whole / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(whole / 1000)
  if (seconds < 3600) return both(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

/** An exact setting: `2 s`, `1.5 s`, `250 ms`. */
export function describeInterval(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}

/** `just now`, `5 min ago`, `2 h ago`, `3 days ago`. */
export function describeAge(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  if (!(minutes >= 1)) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ago`
  return `${Math.floor(hours / 24)} days ago`
}

/** `14:02:11`. */
export function describeClock(at: Date): string {
  return `${describeHour(at)}:${two(at.getSeconds())}`
}

/** From ISO 8601: `at 11:40`, or with the date when that is not today; empty when it is no time. */
export function describeMoment(iso: string, now: Date | undefined): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  if (now !== undefined && describeDate(at) === describeDate(now)) return `at ${describeHour(at)}`
  return `on ${describeDate(at)} at ${describeHour(at)}`
}

/** As short as a table needs it: `14:10` today, `Nov 20` this year, else `2025-11-20`. */
export function describeWhen(at: Date, now: Date): string {
  if (describeDate(at) === describeDate(now)) return describeHour(at)
  return at.getFullYear() === now.getFullYear() ? `${MONTHS[at.getMonth()]} ${two(at.getDate())}` : describeDate(at)
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** In the user's time zone. */
export function isSameDay(one: Date, other: Date): boolean {
  return describeDate(one) === describeDate(other)
}

export function describeHour(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`
}

function describeDate(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function both(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
