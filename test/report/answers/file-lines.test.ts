import { describe, expect, it } from 'vitest'
import { choiceLines } from '../../../src/report/answers/choice-lines.ts'
import { describeProgress } from '../../../src/report/answers/describe-progress.ts'
import { fileLines } from '../../../src/report/answers/file-lines.ts'
import { plainProgress } from '../../../src/report/answers/plain-lines.ts'
import { lineCounts } from '../../../src/report/diff/compare-files.ts'
import { countWords } from '../../../src/report/diff/count-words.ts'
import { columnsOf } from '../../../src/report/text/columns-of.ts'
import { at, change, file, narrow, numbered, plain } from '../samples.ts'

const changes = [
  change('src/settings.tsx', numbered(1, 9), numbered(1, 10)),
  change('src/a/very/deep/folder/theme.ts', null, numbered(1, 8)),
  change('with blank/old name of it.ts', numbered(20, 40), null),
  change('with blank/new name.ts', null, file(numbered(20, 40), 0o666)),
]

describe('the files of a patch', () => {
  it('say in one line each what becomes of them, a moved one where it was', () => {
    expect(fileLines(changes, plain).lines).toEqual([
      '  ~ src/settings.tsx                   +1  -0',
      '  + src/a/very/deep/folder/theme.ts    +8',
      '  ~ with blank/new name.ts             renamed from …h blank/old name of it.ts',
    ])
  })

  it('keep the ends of their names where there is little room', () => {
    const { lines } = fileLines(changes, narrow)
    expect(lines).toEqual([
      '  ~ src/settings.tsx          +1  -0',
      '  + …/deep/folder/theme.ts    +8',
      '  ~ with blank/new name.ts    renamed…',
    ])
    expect(lines.filter(line => columnsOf(line) > 40)).toEqual([])
  })

  it('say in words what nobody counts, and so do their sums', () => {
    const large = change('data.json', numbered(1, 400_000), numbered(2, 400_001))
    const binary = change('logo.png', null, file(new Uint8Array([0, 1])))
    const { lines, ...sums } = fileLines([large, binary], plain)
    expect(lines).toEqual([
      '  ~ data.json               too large to show: 4.7 MB -> 4.7 MB',
      '  + logo.png                binary: 2 bytes',
    ])
    expect(sums).toMatchObject({ files: 2, added: 0, removed: 0, uncounted: 2 })
    expect(countWords(sums)).toBe('not counted')
    expect(countWords(fileLines([...changes, large, binary], plain))).toBe('+9 -0, 2 not counted')

    expect(lineCounts(large.before, large.after)).toEqual({ added: null, removed: null })
    expect(choiceLines([large], new Set(), [0], plain)).toEqual(['  [ ] 1  ~ data.json  not counted'])
    const begun = { kind: 'begun', number: 42, uuid: 'a6928e46-1', title: 'Add data', changes: [large] } as const
    expect(describeProgress({ ...begun, at: undefined }, plain)[1]).toMatch(/ 1 file {2}not counted {2}a6928e46$/)
    expect(plainProgress({ ...begun, at: undefined }, at(14, 2))).toBe(
      '14:02:00 begun #42: Add data (1 file not counted)',
    )
  })

  it('count what can be: the lines of a large file that is only made or deleted, and a mode alone', () => {
    const text = `${numbered(1, 400_000)}no end`
    expect(fileLines([change('data.json', null, text)], plain)).toMatchObject({ added: 400_001, uncounted: 0 })
    expect(lineCounts(file(text), null)).toEqual({ added: 0, removed: 400_001 })
    expect(lineCounts(file(text), file(text, 0o755))).toEqual({ added: 0, removed: 0 })
  })
})
