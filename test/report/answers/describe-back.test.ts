import { describe, expect, it } from 'vitest'
import type { BackView } from '../../../src/model/back.ts'
import { backLines } from '../../../src/report/answers/describe-back.ts'
import { createStyle } from '../../../src/report/text/style.ts'
import { at, change, numbered } from '../samples.ts'

function shownOn(rows: number, length: number): readonly string[] {
  const view: BackView = {
    kind: 'undo',
    of: { number: 7, title: 'Add a test' },
    at: at(14, 0).toISOString(),
    changes: [change('src/a.ts', numbered(1, length), null)],
    merged: [],
    marked: [],
    replaced: [],
    skipped: [],
    done: [],
  }
  return backLines(view, createStyle({ colour: false, unicode: true, columns: 80, rows }), at(14, 2))
}

describe('what taking back will do', () => {
  it.each([
    ['all of a diff that the screen has room for', 50, 30, false],
    ['less of it on a low screen', 24, 30, true],
    ['no more than fits a high one', 200, 80, true],
  ])('shows %s', (_name, rows, length, hides) => {
    const shown = shownOn(rows, length)
    expect(shown.some(line => /⋯ \d+ more lines: d shows all/.test(line))).toBe(hides)
    expect(shown.length).toBeLessThan(rows)
  })
})
