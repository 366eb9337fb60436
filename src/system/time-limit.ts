import type { Clock } from '../ports.ts'

/** A time in which relay stood still counts at most this long. */
const sliceMs = 1000

/** After a stop, relay learns within this time what happened meanwhile. */
const lastCallMs = 50

/**
 * Waits until a command's time is over. The time is counted in slices, and a standstill of relay counts as one slice
 * at most: a closed lid, a paused machine or a stopped group stops the command as well.
 */
export async function waitOut(ms: number, { sleep }: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= sliceMs) await sleep(Math.min(left, sliceMs), signal)
  // After a standstill the timer comes before an end that was in time. So the end gets its turn.
  await sleep(lastCallMs, signal)
}
