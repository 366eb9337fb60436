/** The first lines of a progress.txt. */
export function progressHeader(at: Date, timeZone?: string): string {
  return `# Ralph Progress Log\nStarted: ${dateWords(at, timeZone)}\n---\n`
}

/** A time in the format of `date`: `Thu Nov 26 08:55:12 UTC 2026`. */
function dateWords(at: Date, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-US', { ...shown, timeZone }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(each => each.type === type)?.value ?? ''
  const time = [part('hour'), part('minute'), part('second')].join(':')
  const zone = zoneLocales.map(locale => zoneName(at, locale, timeZone)).find(name => !/[+-]/.test(name))
  const day = part('day').padStart(2)
  return [part('weekday'), part('month'), day, time, zone ?? part('timeZoneName'), part('year')].join(' ')
}

const shown = {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
  year: 'numeric',
} as const

/** Each locale knows the short names of its own time zones, and prints `GMT+1` for others. */
const zoneLocales = ['en-US', 'en-GB', 'en-AU', 'en-IN']

function zoneName(at: Date, locale: string, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
