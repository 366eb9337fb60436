import type { Clock } from '../ports.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),

  async sleep(ms, signal) {
    if (signal?.aborted) return
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
    })
  },
}
