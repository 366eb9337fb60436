import { describe, expect, it } from 'vitest'
import { compareChecks } from '../../src/check/compare-checks.ts'
import { compareLines } from '../../src/lines/compare-lines.ts'
import { mergeLines } from '../../src/lines/merge-lines.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { respond } from '../support/respond.ts'

/**
 * Twice as much takes at most three times as long. Outside CI: a machine that has other work to do says nothing about that.
 */
const mostGrowth = 3

/** The processor time of the quickest of five runs, in microseconds. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user
  })
  return Math.min(...times)
}

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, at) => `${word} ${at % 977} ${at}`)

const errors = (count: number) =>
  ({
    kind: 'counted',
    errors: count,
    list: lines(count).map((message, at) => ({ file: `src/${at % 100}.ts`, line: at, code: 'X', message })),
    code: 1,
    failed: [],
    output: '',
  }) as const

const works: readonly (readonly [name: string, size: number, work: (size: number) => unknown])[] = [
  ['an answer of many lines', 100_000, size => parseResponse(respond({ 'a.ts': lines(size).join('\n') }), 'demo')],
  [
    'an answer of many files',
    1000,
    size => parseResponse(respond(Object.fromEntries(lines(size, 'src/f').map(path => [path, 'x\n']))), 'demo'),
  ],
  ['a text that is rewritten', 20_000, size => compareLines(lines(size), lines(size, 'other'))],
  ['a merge', 20_000, size => mergeLines(lines(size), lines(size).with(7, 'ours'), lines(size).with(-7, 'theirs'))],
  ['two checks', 20_000, size => compareChecks(errors(size), errors(size + 1))],
]

describe('twice as much takes at most three times as long', () => {
  it.each(works)('%s', (_, size, work) => {
    work(size)
    const [once, twice] = [timeOf(() => work(size)), timeOf(() => work(2 * size))]
    expect(twice / once).toBeLessThanOrEqual(mostGrowth)
  })
})
