import { expect, it } from 'vitest'
import {
  describeAge,
  describeClock,
  describeDuration,
  describeInterval,
  describeMoment,
} from '../../../src/report/text/describe-time.ts'
import { at } from '../samples.ts'

it.each([
  [0, '0 ms'],
  [9.4, '9 ms'],
  [999.6, '1.0 s'],
  [3840, '3.8 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min'],
  [125_000, '2 min 5 s'],
  [119_700, '2 min'],
  [3_599_900, '1 h'],
  [3_780_000, '1 h 3 min'],
  [-5, '0 ms'],
])('calls %i ms %j', (ms, words) => {
  expect(describeDuration(ms)).toBe(words)
})

it.each([
  [250, '250 ms'],
  [1500, '1.5 s'],
  [2000, '2 s'],
])('calls an interval of %i ms %j', (ms, words) => {
  expect(describeInterval(ms)).toBe(words)
})

it.each([
  [at(14, 1, 30), 'just now'],
  [at(14, 30), 'just now'],
  [at(13, 57), '5 min ago'],
  [at(12, 0), '2 h ago'],
  [at(14, 0, 0, 19), '24 h ago'],
  [at(14, 0, 0, 17), '3 days ago'],
  [new Date(Number.NaN), 'just now'],
])('calls %s %j', (then, words) => {
  expect(describeAge(then, at(14, 2))).toBe(words)
})

it('tells the time of day', () => {
  expect(describeClock(at(9, 5, 7))).toBe('09:05:07')
})

it('adds the date unless it is known to be of today', () => {
  const iso = at(11, 40).toISOString()
  expect(describeMoment(iso, at(14, 2))).toBe('at 11:40')
  expect(describeMoment(iso, at(14, 2, 0, 21))).toBe('on 2026-11-20 at 11:40')
  expect(describeMoment(iso, undefined)).toBe('on 2026-11-20 at 11:40')
  expect(describeMoment('\x1b[31m', at(14, 2))).toBe('')
})
