import { describe, expect, it } from 'vitest'
import { renderDiff, renderShortDiff } from '../../../src/report/diff/render-diff.ts'
import { columnsOf } from '../../../src/report/text/columns-of.ts'
import { createStyle } from '../../../src/report/text/style.ts'
import { fc } from '../../support/chance.ts'
import { ascii, change, coloured, file, numbered, plain } from '../samples.ts'

const ui = change(
  'src/store/ui.ts',
  'export const initial = {\n\tdark: false,\n\topen: true,\n}\n',
  "export const initial = {\n\tmode: 'auto' as string,\n\topen: true,\n}\n",
)

it('lets no text pass the edge of the screen, where it would go on as a line of its own', () => {
  const chains = ['\u0e33', '\u1100', '\u1161', '\u0915\u094d', '🏻', '🇩', '🇪', '\ufe0f', 'x', ' ', '\n']
  const part = fc
    .tuple(fc.constantFrom(...chains), fc.constantFrom(1, 2, 80))
    .map(([sign, times]) => sign.repeat(times))
  const text = fc.array(part).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const link = { kind: 'link', to: before } as const
      const changes = [change(`a${after}`, before, after), change('b', link, null, after)]
      const rows = [
        renderShortDiff(changes, plain, 200).text,
        renderShortDiff(changes, plain, 20, { moves: 'apart' }).text,
      ]
        .join('\n')
        .split('\n')
      expect(rows.filter(row => columnsOf(row) > 80)).toEqual([])
      renderDiff(changes, plain)
    }),
  )
})

it('wraps a path that is longer than the screen above a question, and leaves it whole in a pager', () => {
  const path = `${'folder/'.repeat(12)}✔ kept #1`
  const { text } = renderShortDiff([change(path, 'a\n', 'b\n')], plain, 50, { moves: 'apart' })
  expect(`\n${text}\n`).toMatchInlineSnapshot(`
    "
      ~ folder/folder/folder/folder/folder/folder/folder/folder/folder/folder/fold
        er/folder/✔ kept #1                                                  +1 -1
       1      - a
           1  + b
    "
  `)
  expect(renderDiff([change(path, 'a\n', 'b\n')], plain)).toContain(path)
})

describe('renderDiff', () => {
  it('shows each file with its counts, line numbers and three lines around a change', () => {
    const long = numbered(1, 130)
    const changed = long.replace('line 10\n', 'line ten\nline ten and a half\n').replace('line 101\n', '')
    expect(`\n${renderDiff([ui, change('docs/long.md', long, changed)], plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ src/store/ui.ts                                                      +1 -1
         1   1    export const initial = {
         2      -     dark: false,
             2  +     mode: 'auto' as string,
         3   3        open: true,
         4   4    }

        ~ docs/long.md                                                         +2 -2
         7   7    line 7
         8   8    line 8
         9   9    line 9
        10      - line 10
                       ^^
            10  + line ten
                       ^^^
            11  + line ten and a half
        11  12    line 11
        12  13    line 12
        13  14    line 13
                ⋯
        98  99    line 98
        99 100    line 99
       100 101    line 100
       101      - line 101
       102 102    line 102
       103 103    line 103
       104 104    line 104
      "
    `)
  })

  it('shows new and deleted files whole', () => {
    const changes = [change('src/theme.ts', null, numbered(1, 5)), change('src/old.ts', numbered(1, 4, 'old'), null)]
    expect(`\n${renderDiff(changes, ascii)}\n`).toMatchInlineSnapshot(`
      "
        + src/theme.ts                                                            +5
             1  + line 1
             2  + line 2
             3  + line 3
             4  + line 4
             5  + line 5

        - src/old.ts                                                              -4
         1      - old 1
         2      - old 2
         3      - old 3
         4      - old 4
      "
    `)
  })

  it('says in words what lines do not show', () => {
    const changes = [
      change('logo.png', file(new Uint8Array([0, 1])), file(new Uint8Array([0, 1, 2]))),
      change('run.sh', 'a\n', file('a\n', 0o755)),
      change('dos.txt', 'a\r\nb\r\n', 'a\nb\n'),
      change('all.ts', numbered(1, 5), numbered(1, 5, 'new')),
      change('empty.ts', null, ''),
      change('link.ts', 'a\n', 'b\n', 'src/real.ts'),
      change('gone', { kind: 'link', to: '../elsewhere' }, null),
    ]
    expect(`\n${renderDiff(changes, plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ logo.png
                binary: 2 bytes -> 3 bytes

        ~ run.sh
                mode 0644 -> 0755

        ~ dos.txt
                line ends CRLF -> LF

        ~ all.ts                                                               +5 -5
                rewritten: no line stays
         1      - line 1
         2      - line 2
         3      - line 3
         4      - line 4
         5      - line 5
             1  + new 1
             2  + new 2
             3  + new 3
             4  + new 4
             5  + new 5

        + empty.ts
                empty file

        ~ link.ts -> src/real.ts                                               +1 -1
         1      - a
             1  + b

        - gone
                was a link to ../elsewhere
      "
    `)
  })

  it('leaves out what is already as wanted', () => {
    expect(renderDiff([{ ...ui, effect: 'none' }], plain)).toBe('  no differences')
    expect(renderDiff([], plain)).toBe('  no differences')
  })

  it('shows two changes close to each other as one stretch', () => {
    const before = numbered(1, 20)
    const after = before.replace('line 5\n', 'five\n').replace('line 12\n', 'twelve\n')
    expect(renderDiff([change('a', before, after)], plain)).not.toContain('⋯')
  })

  it('names a file that is too large to read, and does not show it', () => {
    const huge = numbered(1, 500_000)
    expect(`\n${renderDiff([change('huge.txt', null, huge)], plain)}\n`).toMatchInlineSnapshot(`
      "
        + huge.txt                                                           +500000
                too large to show: 5.9 MB
      "
    `)
  })

  it('cuts no line, however long it is', () => {
    const diff = renderDiff([change('min.js', null, `${'x'.repeat(50_000)}\n`)], plain)
    expect(diff.split('\n').at(-1)).toBe(`       1  + ${'x'.repeat(50_000)}`)
    const wide = '日本'.repeat(400_000)
    expect(renderDiff([change('min.js', `${wide}\n`, `${wide}語\n`)], plain)).toContain(`+ ${wide}語`)
    const text = `${'x = 1; '.repeat(9000)}\n`
    const edited = renderDiff([change('min.js', `a = 1; ${text}`, `a = 2; ${text}`)], plain)
    expect(edited).toContain(`+ a = 2; ${text.trimEnd()}`)
  })

  it('shows the rewriting of 20,000 lines', () => {
    const diff = renderDiff([change('a.ts', numbered(1, 20_000), numbered(1, 20_000, 'new'))], plain)
    expect(diff.split('\n')).toHaveLength(40_002)
    expect(diff.split('\n', 2)[1]?.trim()).toBe('rewritten: no line stays')
  })

  it('paints added and removed lines only where there is colour', () => {
    expect(renderDiff([ui], coloured)).toContain('\x1b[32m+     mode')
    expect(renderDiff([ui], coloured)).toContain('\x1b[31m-     dark')
    expect(renderDiff([ui], plain)).not.toContain('\x1b')
  })

  it('says the same with and without colour', () => {
    expect(renderDiff([ui], coloured).replace(/\x1b\[\d+m/g, '')).toBe(renderDiff([ui], plain))
  })
})

describe('a changed line', () => {
  const call = change(
    'src/call.ts',
    'before()\nconst total = sum(prices, rate)\nafter()\n',
    'before()\nconst total = sum(prices, taxRate) // in cents\nafter()\n',
  )

  it('has its changed words marked below it where there is no colour', () => {
    expect(`\n${renderDiff([call], plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ src/call.ts                                                          +1 -1
         1   1    before()
         2      - const total = sum(prices, rate)
                                            ^^^^
             2  + const total = sum(prices, taxRate) // in cents
                                            ^^^^^^^ ^^^^^^^^^^^^
         3   3    after()
      "
    `)
  })

  it('has them bold and underlined where there is', () => {
    expect(renderDiff([call], coloured).split('\n').slice(2, 4)).toMatchInlineSnapshot(`
      [
        "[2m   2    [22m  [31m- const total = sum(prices, [1m[4mrate[24m[22m)[39m",
        "[2m       2[22m  [32m+ const total = sum(prices, [1m[4mtaxRate[24m[22m)[1m[4m // in cents[24m[22m[39m",
      ]
    `)
  })

  it('is found among new ones', () => {
    const before = 'const a = one(1)\nconst b = two(2)\n'
    const after = 'import x from "x"\nconst a = one(10)\nlet y\nconst b = two(20)\n'
    expect(`\n${renderDiff([change('a.ts', before, `${after}}\n`)], plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ a.ts                                                                 +5 -2
         1      - const a = one(1)
                                ^
         2      - const b = two(2)
                                ^
             1  + import x from "x"
             2  + const a = one(10)
                                ^^
             3  + let y
             4  + const b = two(20)
                                ^^
             5  + }
      "
    `)
  })

  it('shows its blanks where nothing else differs', () => {
    const before = 'if (a)\n    b()\nend \nx\n'
    const after = 'if (a)\n\tb()\nend\nx\n'
    expect(`\n${renderDiff([change('a.ts', before, after)], plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ a.ts                                                                 +2 -2
                only blanks and indentation differ
         1   1    if (a)
         2      - ····b()
                  ^^^^
         3      - end·
                     ^
             2  + →   b()
                  ^^^^
             3  + end
         4   4    x
      "
    `)
    expect(renderDiff([change('a.ts', before, after)], ascii)).toContain('2  + >   b()')
  })

  it('is cut so that the change is in view', () => {
    const long = 'a = 1; '.repeat(100)
    const before = `${long}needle = 2; ${long}\n`
    const after = `${long}needle = 3; ${long}\n`
    expect(`\n${renderShortDiff([change('min.js', before, after)], plain, 9).text}\n`).toMatchInlineSnapshot(`
      "
        ~ min.js                                                               +1 -1
         1      - a = 1; a = 1; a = 1; … 667 the same …= 1; a = 1; needle = 2; a = 1
                                                                            ^
                  ; a = 1; a = 1… 660 the same …a = 1; a = 1; a = 1;
             1  + a = 1; a = 1; a = 1; … 667 the same …= 1; a = 1; needle = 3; a = 1
                                                                            ^
                  ; a = 1; a = 1… 660 the same …a = 1; a = 1; a = 1;
      "
    `)
  })
})

it.each([40, 80, 120])('fits every line into %i columns', columns => {
  const style = createStyle({ colour: false, unicode: true, columns })
  const text = `\tvalue\t= '日本語' // \x1b[31m\u202e ${'wide 日本 '.repeat(20)}\n`
  const changes = [
    change(`src/${'deep/'.repeat(9)}日本.ts`, `a\n${text}`, `b\n${text.replace('value', 'worth')}${text}`),
    change('x', `${'\t'.repeat(60)}a\n`, `${'\t'.repeat(60)}b\n`),
  ]
  const rows = renderShortDiff(changes, style, 30).text.split('\n')
  expect(rows.filter(row => columnsOf(row) > columns)).toEqual([])
  if (columns === 80)
    expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
      "
        ~ src/deep/deep/deep/deep/deep/deep/deep/deep/deep/日本.ts             +2 -1
         1      - a
             1  + b
             2  +     worth    = '日本語' // \\x1b[31m\\u202e wide 日本 wide 日本 wide
                   日本 wide 日本 wide 日本 wide 日本 wide 日本 wide 日本 wide 日本
                  wide 日本 wide 日本 wide 日本 wide 日本 wide 日本 wide 日本 wide
                  日本 wide 日本 wide 日本 wide 日本 wide 日本
         2   3        value    = '日本語' // \\x1b[31m\\u202e wide 日本 wide 日本 wid…

        ~ x                                                                    +1 -1
         1      -


                                                            a
             1  +


                                                            b
      "
    `)
})

describe('a renamed file', () => {
  const text = numbered(1, 20)

  it('is shown once, with what changed in it', () => {
    const changes = [
      change('src/old.ts', text, null),
      change('lib/new.ts', null, file(text.replace('line 9\n', 'line nine\n'), 0o755)),
    ]
    expect(`\n${renderDiff(changes, plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ lib/new.ts                                                           +1 -1
                renamed from src/old.ts
                mode 0644 -> 0755
         6   6    line 6
         7   7    line 7
         8   8    line 8
         9      - line 9
                       ^
             9  + line nine
                       ^^^^
        10  10    line 10
        11  11    line 11
        12  12    line 12
      "
    `)
  })

  it('is recognised with other line ends, and when it is the same', () => {
    const changes = [
      change('a.ts', text.replaceAll('\n', '\r\n'), null),
      change('b.ts', null, text),
      change('logo.png', file(new Uint8Array([0, 1])), null),
      change('img/logo.png', null, file(new Uint8Array([0, 1]))),
      change('same.ts', 'export {}\n', null),
      change('src/same.ts', null, 'export {}\n'),
    ]
    expect(`\n${renderDiff(changes, plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ b.ts
                renamed from a.ts
                line ends CRLF -> LF

        ~ img/logo.png
                renamed from logo.png, nothing else changed

        ~ src/same.ts
                renamed from same.ts, nothing else changed
      "
    `)
  })

  it('goes to the file that is most like it, then to that of its name', () => {
    const changes = [
      change('a/index.ts', text, null),
      change('b/util.ts', text, null),
      change('c/util.ts', null, text),
      change('c/index.ts', null, text),
      change('c/near.ts', null, `${text}more\n`),
    ]
    const heads = renderDiff(changes, plain).match(/^ {2}[~+-] .*|renamed.*/gm)
    expect(heads).toEqual([
      '  ~ c/util.ts',
      'renamed from b/util.ts, nothing else changed',
      '  ~ c/index.ts',
      'renamed from a/index.ts, nothing else changed',
      `  + c/near.ts${' '.repeat(62)}+21`,
    ])
  })

  it.each([
    ['that has little in common', numbered(1, 20), numbered(15, 40)],
    ['that is empty', '', ''],
    ['of blank lines', '\n\n', '\n\n\n'],
  ])('is none %s', (_, before, after) => {
    expect(renderDiff([change('a', before, null), change('b', null, after)], plain)).not.toContain('renamed')
  })
})

describe('renderShortDiff', () => {
  const long = change('b.ts', null, numbered(1, 50))

  it('fits into its lines, and says what it leaves out', () => {
    const long = change('a.ts', null, `${'wide '.repeat(40)}\n${numbered(1, 50)}`)
    const short = renderShortDiff([long, ui], plain, 9).text
    expect(`\n${short}\n`).toMatchInlineSnapshot(`
      "
        + a.ts                                                                   +51
             1  + wide wide wide wide wide wide wide wide wide wide wide wide wide w
                  ide wide wide wide wide wide wide wide wide wide wide wide wide wi
                  de wide wide wide wide wide wide wide wide … 25 more characters
             2  + line 1
             3  + line 2
        ⋯ 48 more lines, 1 cut: d shows all

        ⋯ 1 more file: d shows all
      "
    `)
    expect(short.split('\n').length).toBeLessThanOrEqual(9)
  })

  it('shows something of each file, and most of those that are long', () => {
    const rewritten = change('all.ts', numbered(1, 90), numbered(1, 80, 'new'))
    expect(`\n${renderShortDiff([rewritten, long, ui], plain, 34).text}\n`).toMatchInlineSnapshot(`
      "
        ~ all.ts                                                             +80 -90
                rewritten: no line stays
         1      - line 1
         2      - line 2
         3      - line 3
         4      - line 4
         5      - line 5
         6      - line 6
         7      - line 7
         8      - line 8
         9      - line 9
        10      - line 10
        ⋯ 160 more lines: d shows all

        + b.ts                                                                   +50
             1  + line 1
             2  + line 2
             3  + line 3
             4  + line 4
             5  + line 5
             6  + line 6
             7  + line 7
             8  + line 8
             9  + line 9
            10  + line 10
            11  + line 11
        ⋯ 39 more lines: d shows all

        ~ src/store/ui.ts                                                      +1 -1
         1   1    export const initial = {
         2      -     dark: false,
             2  +     mode: 'auto' as string,
         3   3        open: true,
         4   4    }
      "
    `)
  })

  it('never takes more lines than it may', () => {
    const many = Array.from({ length: 30 }, (_, n) => change(`f${n}.ts`, numbered(1, n), numbered(1, n, 'x')))
    for (const most of [3, 4, 5, 8, 13, 21, 34]) {
      for (const changes of [many, [ui], [long], [ui, long], [long, ui], many.slice(0, 3)]) {
        for (const style of [plain, coloured]) {
          const rows = renderShortDiff(changes, style, most).text.split('\n')
          expect(rows.length).toBeLessThanOrEqual(most)
          const all = renderDiff(changes, style).split('\n')
          if (all.length > most) expect(rows.join('\n')).toMatch(/ {2}⋯ [1-9]\d* more (line|file)s?: d shows all/)
        }
      }
    }
  })

  it('says what it leaves out on one line of a narrow screen', () => {
    const narrow = { ...plain, columns: 40 }
    const many = Array.from({ length: 500 }, (_, n) => change(`f${n}.ts`, null, 'new\n'))
    const last = renderShortDiff(many, narrow, 8).text.split('\n').at(-1) ?? ''
    expect(last).toBe('  ⋯ 498 more files: d shows all')
    const long = change('a.ts', null, `${'wide '.repeat(40)}\n${numbered(1, 5000)}`)
    const both = renderShortDiff([long], narrow, 8).text.split('\n').at(-1) ?? ''
    expect(both).toBe('  ⋯ 4,999 more lines, 1 cut: d shows all')
  })

  it('leaves out nothing when all fits', () => {
    expect(renderShortDiff([ui], plain, 6).text).toBe(renderDiff([ui], plain))
  })
})

describe('renderShortDiff above a question about what is dangerous', () => {
  it('keeps lines whole, in rows that begin where code begins', () => {
    const sneaky = `"test": "vitest",${' '.repeat(40)}"postinstall": "evil"\n`
    const { text, unseen } = renderShortDiff([change('package.json', '"test": "x",\n', sneaky)], plain, 20, {
      moves: 'apart',
    })
    expect(`\n${text}\n`).toMatchInlineSnapshot(`
      "
        ~ package.json                                                         +1 -1
         1      - "test": "x",
             1  + "test": "vitest",                                        "postinst
                  all": "evil"
      "
    `)
    expect(unseen).toEqual([])
  })

  it('lets no line pass for the next one of the diff by its wrapping', () => {
    const spoof = `${'x'.repeat(68)}   2    "scripts": {}`
    const { text } = renderShortDiff([change('package.json', null, `${spoof}\n`)], plain, 20, { moves: 'apart' })
    expect(text.split('\n').slice(1)).toEqual([`       1  + ${'x'.repeat(66)}`, `            xx   2    "scripts": {}`])
  })

  it('shows of a long line what changed, and says how much is the same', () => {
    const long = 'a = 1; '.repeat(700)
    const [before, after] = ['2', '3'].map(n => `${long}needle = ${n}; ${long}pin = ${n}; ${long}\n`) as [
      string,
      string,
    ]
    const { text, unseen } = renderShortDiff([change('min.js', before, after)], plain, 40, { moves: 'apart' })
    expect(`\n${text}\n`).toMatchInlineSnapshot(`
      "
        ~ min.js                                                               +1 -1
         1      - a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = … 4,78
                  9 the same …; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; nee
                  dle = 2; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                        ^
                   … 4,788 the same …= 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1;
                  a = 1; pin = 2; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                               ^
                   = 1; a … 4,782 the same … 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                   = 1; a = 1; a = 1;
             1  + a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = … 4,78
                  9 the same …; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; nee
                  dle = 3; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                        ^
                   … 4,788 the same …= 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1;
                  a = 1; pin = 3; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                               ^
                   = 1; a … 4,782 the same … 1; a = 1; a = 1; a = 1; a = 1; a = 1; a
                   = 1; a = 1; a = 1;
      "
    `)
    expect(unseen).toEqual([])
  })

  it('says by how much it cuts a line that would flood the screen', () => {
    const evil = `${'x'.repeat(5000)};run("evil")\n`
    const { text, unseen } = renderShortDiff([change('min.js', null, evil)], plain, 400, { moves: 'apart' })
    expect(text).not.toContain('evil')
    expect(text.split('\n').at(-2)).toMatch(/^ {12}x+… 3,012 more characters$/)
    expect(text.split('\n').at(-1)).toBe('  ⋯ 1 line cut: d shows all')
    expect(unseen).toEqual([{ path: 'min.js', what: '1 line cut' }])
  })

  it('shows all of a small file beside one that floods, and tells what is left out of which', () => {
    const changes = [change('package-lock.json', null, numbered(1, 5000)), change('ci.yml', null, numbered(1, 30))]
    const { text, unseen } = renderShortDiff(changes, plain, 400, { moves: 'apart' })
    expect(text.split('\n').length).toBeLessThanOrEqual(400)
    expect(text).toContain('  30  + line 30')
    const lines = Number(/⋯ ([\d,]+) more lines: d shows all/.exec(text)?.[1]?.replace(',', ''))
    expect(unseen).toEqual([{ path: 'package-lock.json', what: `${lines.toLocaleString('en')} more lines` }])
    expect(text).toContain(`${(5000 - lines).toString().padStart(4)}  + line ${5000 - lines}\n`)
    expect(text).not.toContain(`line ${5001 - lines}\n`)
  })

  it('counts what no bound foresaw: rows that take more room than they seem to', () => {
    const wide = `${'\x1b'.repeat(1900)}\n`.repeat(40)
    const { text, unseen } = renderShortDiff([change('a.sh', null, wide), change('b.sh', null, 'b\n')], plain, 400, {
      moves: 'apart',
    })
    expect(text.split('\n').length).toBeLessThanOrEqual(400)
    expect(text).toContain('+ b')
    expect(unseen).toEqual([{ path: 'a.sh', what: expect.stringMatching(/^\d\d more lines/) }])
  })

  it('shows a file that moves to where it runs whole, as one that comes', () => {
    const changes = [change('scripts/old.sh', numbered(1, 9), null), change('.husky/pre-commit', null, numbered(1, 9))]
    expect(renderShortDiff(changes, plain, 400, { moves: 'apart' }).text).toContain('   9  + line 9')
    expect(renderDiff(changes, plain, 'apart')).toContain('   9  + line 9')
  })

  it('names what nothing shows', () => {
    const huge = change('package-lock.json', numbered(1, 500_000), numbered(1, 500_001))
    const binary = change('tool', file(new Uint8Array([0, 1])), file('x\n'))
    const gone = change('gone', file(new Uint8Array([0, 1])), null)
    const other = change('other', 'x\n', file(new Uint8Array([0, 1, 2])))
    const { text, unseen } = renderShortDiff([huge, binary, gone, other], plain, 400, { moves: 'apart' })
    expect(text).toContain('    binary before: 2 bytes -> 2 bytes\n       1  + x\n')
    expect(unseen.map(({ path, what }) => [path, what])).toEqual([
      ['package-lock.json', 'too large to show: 5.9 MB -> 5.9 MB; nothing shows it'],
      ['other', 'binary: 2 bytes -> 3 bytes; nothing shows it'],
    ])
  })
})
