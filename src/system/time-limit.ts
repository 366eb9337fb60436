import type { Clock } from '../ports.ts'

/** So long at most does a time in which relay stood still count. */
const sliceMs = 1000

/** What has happened while relay was stopped is heard of within this time. */
const lastCallMs = 50

/**
 * Waits until a command's time is over. It is counted in slices, so that a time in which relay stood still counts as one
 * of them at most: with a lid that is closed, a machine that is paused or a stopped group the command stands still as well.
 */
export async function waitOut(ms: number, { sleep }: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= sliceMs) await sleep(Math.min(left, sliceMs), signal)
  // A time that is over is told before an end that came in time, where relay stood still just now: that gets its turn.
  await sleep(lastCallMs, signal)
}
