import { describe, expect, it } from 'vitest'
import type { LintError } from '../../../src/model/check.ts'
import { errorList } from '../../../src/report/answers/error-list.ts'
import { columnsOf } from '../../../src/report/text/columns-of.ts'
import { createStyle, fileLink } from '../../../src/report/text/style.ts'
import { ascii, narrow, plain, screen } from '../samples.ts'

const errors: readonly LintError[] = [
  {
    file: 'src/store/ui.ts',
    line: 41,
    column: 7,
    code: 'TS2322',
    message: "Type 'string' is not assignable to 'Mode'",
  },
  { file: 'src/theme.ts', line: 3, code: 'TS2307', message: "Cannot find module './palette'" },
  { file: 'package.json', code: '', message: `No ${'very '.repeat(20)}long message` },
]
const many = Array.from(
  { length: 14 },
  (_, n): LintError => ({ file: `src/f${n}.ts`, line: n, code: '', message: 'x' }),
)

/** With links, as a terminal that opens files at a line. */
const linked = createStyle({
  colour: false,
  unicode: true,
  columns: 80,
  links: { root: '/home/ann/my app', lines: true },
})

describe('errorList', () => {
  it('has a line for each: where, the linter’s name for it, what it says', () => {
    expect(screen(errorList(errors, plain))).toMatchInlineSnapshot(`
      "
          src/store/ui.ts:41:7  TS2322  Type 'string' is not assignable to 'Mode'
          src/theme.ts:3        TS2307  Cannot find module './palette'
          package.json                  No very very very very very very very very
                                        very very very very very very very very very
                                        very very very long message
      "
    `)
    expect(screen(errorList(errors, narrow))).toMatchInlineSnapshot(`
      "
          …c/store/ui.ts:41:7  TS2322
            Type 'string' is not assignable
            to 'Mode'
          src/theme.ts:3       TS2307
            Cannot find module './palette'
          package.json
            No very very very very very very
            very very very very very very
            very very very very very very
            very very long message
      "
    `)
  })

  it('says why a test failed', () => {
    const failed = { file: 'test/a.test.ts', code: 'FAIL', message: 'adds', why: 'AssertionError: expected 2 to be 3' }
    expect(errorList([failed], plain)).toEqual(['    test/a.test.ts  FAIL  adds: AssertionError: expected 2 to be 3'])
  })

  it('gives each of many one line', () => {
    const [, , long] = errors
    expect(errorList([...errors, ...errors], plain).at(-1)).toMatch(/package\.json {18}No very .*very …$/)
    expect(errorList(long === undefined ? [] : [long], plain)).toEqual([
      '    package.json  No very very very very very very very very very very very',
      '                  very very very very very very very very very long message',
    ])
  })

  it('says how many it leaves out', () => {
    expect(errorList(many, ascii).slice(-2)).toEqual(['    src/f9.ts:9  x', '    ... and 4 more new errors'])
  })

  it('links each place where the terminal shows links, and stays in line', () => {
    const lines = errorList(errors, linked)
    expect(lines[1]).toBe(
      `    \x1b]8;;file:///home/ann/my%20app/src/theme.ts#3\x1b\\src/theme.ts:3\x1b]8;;\x1b\\        TS2307  Cannot find module './palette'`,
    )
    expect(lines.map(line => line.replace(/\x1b\]8;;.*?\x1b\\/g, ''))).toEqual(errorList(errors, plain))
  })
})

describe('fileLink', () => {
  const links = { root: '/home/ann/app', lines: false }
  const urlOf = (path: string, root = links.root) => {
    const [, url] =
      /^\x1b\]8;;(.*)\x1b\\text\x1b\]8;;\x1b\\$/.exec(fileLink('text', { path, line: 7 }, { ...links, root })) ?? []
    return url
  }

  it.each([
    ['src/a.ts', 'file:///home/ann/app/src/a.ts'],
    ['/home/ann/app/a b#?.ts', 'file:///home/ann/app/a%20b%23%3F.ts'],
    ['日本:1.ts', 'file:///home/ann/app/%E6%97%A5%E6%9C%AC:1.ts'],
    ['a\x1b\\\x07;b', 'file:///home/ann/app/a%1B%5C%07%3Bb'],
    ['../../etc/passwd', undefined],
    ['/etc/passwd', undefined],
    ['/home/ann/apple/x', undefined],
    ['a\ud800', undefined],
  ])('leads %j to %s', (path, url) => {
    expect(urlOf(path)).toBe(url)
  })

  it('knows the paths of Windows', () => {
    expect(urlOf('src\\a.ts', 'C:\\code\\app')).toBe('file:///C:/code/app/src/a.ts')
    expect(urlOf('C:\\code\\app\\a.ts', 'C:\\code\\app')).toBe('file:///C:/code/app/a.ts')
    expect(urlOf('D:\\x', 'C:\\code\\app')).toBe(undefined)
  })

  it('stays as short as it looks', () => {
    expect(columnsOf(fileLink('text', { path: 'a' }, links))).toBe(4)
  })
})
