import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../src/report/columns-of.ts'
import { fileLines } from '../../src/report/file-lines.ts'
import { change, file, narrow, numbered, plain } from './samples.ts'

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
})
