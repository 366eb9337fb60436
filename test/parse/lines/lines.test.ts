import { expect, it } from 'vitest'
import { remembering } from '../../../src/parse/lines/lines.ts'

it('looks once for what stands far away, however often it is asked from before it and from behind it', () => {
  const asked: number[] = []
  const seek = remembering((from, before) => {
    asked.push(from)
    return from <= 90 && 90 < before ? 90 : Number.POSITIVE_INFINITY
  })
  for (let at = 0; at < 50; at++) {
    expect(seek(at)).toBe(90)
    expect(seek(95)).toBe(Number.POSITIVE_INFINITY)
  }
  expect(asked).toEqual([0, 95, 1])
})

it('answers for an earlier place than any before', () => {
  const text = 'a-b-c-d'
  const seek = remembering(from => {
    const at = text.indexOf('-', from)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  })
  const places = [6, 0, 2, 5, 1, 4, 3, 6]
  expect(places.map(seek)).toEqual([Number.POSITIVE_INFINITY, 1, 3, 5, 1, 5, 3, Number.POSITIVE_INFINITY])
})
