import { describe, expect, it } from 'vitest'
import type { LintError } from '../../../src/model.ts'
import { editOf } from '../../../src/transact/check/edit.ts'
import { newOnes } from '../../../src/transact/check/new-ones.ts'

/** An error of one sort in each line with a `!`. */
function errorsIn(lines: readonly string[]): readonly LintError[] {
  return lines.flatMap((text, at) => {
    return text.includes('!') ? [{ file: 'a.ts', line: at + 1, code: 'TS1', message: 'Wrong.' }] : []
  })
}

/** The lines of the new errors, where the file was edited from one text to the other. */
function newLines(before: string, after: string): readonly string[] {
  const [was, is] = [before.split('\n'), after.split('\n')]
  return newOnes(errorsIn(was), errorsIn(is), () => editOf(was, is)).map(({ line = 0 }) => is[line - 1] ?? '')
}

describe('newOnes', () => {
  it.each([
    ['above the old one', 'one\nold!\ntwo', 'one\nnew!\nmore\nold!\ntwo', ['new!']],
    ['right above it', 'one\nold!\ntwo', 'one\nnew!\nold!\ntwo', ['new!']],
    ['below it', 'one\nold!\ntwo', 'one\nold!\ntwo\nnew!', ['new!']],
    ['above one that was edited', 'one\nold!\ntwo', 'new!\none\nolder!\ntwo', ['new!']],
    ['below one that was edited', 'one\nold!\ntwo', 'one\nolder!\ntwo\nnew!', ['new!']],
    ['in a line that was right', 'one\ntwo\nold!', 'one\ntwo!\nold!', ['two!']],
    ['beside one that moved', 'old!\none\ntwo\nthree', 'new!\none\ntwo\nthree\nold!', ['new!']],
    ['beside one that was moved and indented', 'old!\none\ntwo\nthree', 'new!\none\ntwo\nthree\n  old!', ['new!']],
    ['among several', 'a!\none\nb!\ntwo\nc!', 'new!\na!\none\nb!\ntwo\nfresh!\nc!', ['new!', 'fresh!']],
    ['as the same text', 'one\nold!\ntwo', 'old!\none\nold!\ntwo', ['old!']],
    ['in a new text', 'one\nold!\ntwo', 'all\nis!\nother\nfar\nfrom\nthere!', ['there!']],
    ['in one that is as it was, besides', 'one\nold!\ntwo', 'one\nold!\ntwo', []],
  ])('tells the line that the patch wrote: %s', (_where, before, after, expected) => {
    expect(newLines(before, after).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    ['one line mended, another one broken', 'a!\none\nb\ntwo', 'a\none\nB!\ntwo', ['B!']],
    ['the other way round', 'a\none\nb!\ntwo', 'A!\none\nb\ntwo', ['A!']],
    ['both far from where they were', 'one\na!\ntwo\nb', 'top\none\na\ntwo\nB!', ['B!']],
    ['one of two', 'a!\none\nb\ntwo\nc!', 'a\none\nB!\ntwo\nc!', ['B!']],
    ['beside one that may have moved', 'a!\none\nb\ntwo', 'a\none\nB!\ntwo\nnew!', ['B!']],
  ])('tells one that hides behind another: %s', (_what, before, after, expected) => {
    expect(newLines(before, after).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    ['a line that was edited', 'a!\none\nb\ntwo', 'A!\none\nB\ntwo'],
    ['each of several that were edited', 'x(a)!\none\nx(b)!\ntwo', 'y(a)!\none\ny(b)!\ntwo'],
    ['a line that was edited and has become two', 'a!\none\nb\ntwo', 'a\nA!\none\nB\ntwo'],
    ['a line that has moved', 'a!\none\nb\ntwo', 'A\none\na!\ntwo'],
    ['a line that has moved and was edited', 'a!\none\ntwo\nthree', 'one\ntwo\nA!\nthree'],
    ['a line that was edited, and its statement moved', 'a!\none\ntwo\nthree', 'A\none\ntwo\nA2!\nthree'],
    ['a line of a text that was written anew', 'a!\nb\nc', 'A\nB!\nC'],
  ])('takes for the same: %s', (_what, before, after) => {
    expect(newLines(before, after)).toEqual([])
  })

  const at = (line: number | undefined): LintError => ({ file: 'a.ts', line, code: 'TS1', message: 'Wrong.' })

  it('takes those for old that are where old ones were, in a file that is as it was', () => {
    expect(newOnes([at(3), at(9)], [at(1), at(3), at(9), at(20)], () => undefined)).toEqual([at(1), at(20)])
  })

  it('takes the furthest for new where none is where an old one was', () => {
    expect(newOnes([at(9)], [at(1), at(8)], () => undefined)).toEqual([at(1)])
  })

  it('counts those of which no line is known, or none that is there', () => {
    const edit = editOf(['one', 'two'], ['one', 'two!'])
    expect(newOnes([at(undefined)], [at(undefined), at(undefined)], () => edit)).toHaveLength(1)
    expect(newOnes([at(7)], [at(0), at(7), at(8)], () => edit)).toHaveLength(2)
  })

  it('compares no texts where there was none of them before', () => {
    expect(newOnes([], [at(1)], () => expect.unreachable())).toEqual([at(1)])
  })

  it('tells of many equal ones in no time', () => {
    const was = Array.from({ length: 50_000 }, (_, n) => `line ${n}!`)
    const is = was.flatMap((line, n) => [`other ${n}!`, n % 2 === 0 ? line : `${line}!`])
    const start = performance.now()
    expect(newOnes(errorsIn(was), errorsIn(is), () => editOf(was, is))).toHaveLength(50_000)
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})
