import { expect, it } from 'vitest'
import { Queue } from '../../src/source/queue.ts'

it('hands out in the order of adding, waits, and ends once it is closed and empty', async () => {
  const queue = new Queue<number>()
  queue.add(1)
  queue.add(2)
  const seen: number[] = []
  const reading = (async () => {
    for await (const item of queue) {
      seen.push(item)
      if (item === 2) queueMicrotask(() => queue.add(3))
      if (item === 3) {
        queue.add(4)
        queue.close()
      }
    }
  })()
  await reading
  expect(seen).toEqual([1, 2, 3, 4])
  expect(queue.waiting).toBe(0)
})
