/** A day in the user's time zone: `2026-11-26`. */
export function localDay(at: Date): string {
  return [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
}

/** A time in the user's time zone: `08:55`. */
export function localTime(at: Date): string {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
