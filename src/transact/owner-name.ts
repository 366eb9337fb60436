import type { ProcessMark } from '../ports.ts'

/**
 * The name of a file that says "this process is at it": process, start time and boot tell whether it still lives, and
 * `unique` makes the name one that is never used again, so that anyone may remove a dead owner's.
 */
export function ownerName(mark: ProcessMark, unique: string): string {
  return [String(mark.pid), mark.startedAt, mark.boot, unique].map(escapeDots).join('.')
}

export function readOwnerName(name: string): ProcessMark | undefined {
  const [pid, startedAt, boot, unique] = name.split('.')
  if (pid === undefined || startedAt === undefined || boot === undefined || unique === undefined) return undefined
  if (!/^\d+$/.test(pid)) return undefined
  try {
    return { pid: Number(pid), startedAt: decodeURIComponent(startedAt), boot: decodeURIComponent(boot) }
  } catch {
    return undefined
  }
}

function escapeDots(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E')
}
