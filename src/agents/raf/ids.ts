import { RelayError } from '../../errors.ts'

/** 2026-01-01T00:00:00Z in unix seconds: project ids count from here. */
const epoch = 1_767_225_600
const projectIds = 26 ** 6
const taskIds = 36 ** 2

/**
 * The id of a project made at this second: base 26, in the letters a to z. Ids sort by time. Throws before
 * 2026 and after 2035-10-16.
 */
export function projectIdAt(unixSeconds: number): string {
  const since = Math.floor(unixSeconds) - epoch
  if (!(since >= 0)) {
    throw new RelayError(
      'environment',
      'The clock of this machine stands before 2026, where the ids of projects begin',
      {
        hint: 'Set the clock, then try again.',
      },
    )
  }
  if (since >= projectIds) {
    throw new RelayError(
      'failed',
      'The ids of projects ended at 2035-10-16T09:56:15Z: six letters hold no more seconds',
    )
  }
  let [id, rest] = ['', since]
  for (let place = 0; place < 6; place++) {
    id = String.fromCharCode(97 + (rest % 26)) + id
    rest = Math.floor(rest / 26)
  }
  return id
}

/** The first free id, counted from this second. */
export function freeProjectId(unixSeconds: number, taken: ReadonlySet<string>): string {
  for (let at = unixSeconds; ; at++) {
    const id = projectIdAt(at)
    if (!taken.has(id)) return id
  }
}

/** A number in base 36 with two characters: `1` is `01`, `10` is `0a`. Throws when it does not fit. */
export function encodeTaskId(number: number): string {
  if (!Number.isInteger(number) || number < 0) {
    throw new RelayError('failed', `encodeTaskId: value ${number} is no whole number from 0 on`)
  }
  if (number >= taskIds) {
    throw new RelayError('failed', `encodeTaskId: value ${number} exceeds max 2-char base36 (${taskIds - 1})`, {
      hint: 'A project holds so many tasks: plan the rest as a project of its own.',
    })
  }
  return number.toString(36).padStart(2, '0')
}

/** The number of a task id in small or capital letters; `undefined` when it is no id. */
export function decodeTaskId(id: string): number | undefined {
  return /^[0-9a-z]{2}$/i.test(id) ? Number.parseInt(id, 36) : undefined
}

/** The id after the highest one. Pass the ids of outcomes too: an old outcome would count for a new task. */
export function nextTaskId(ids: readonly string[]): string {
  return encodeTaskId(Math.max(0, ...ids.map(id => decodeTaskId(id) ?? 0)) + 1)
}
