import { describe, expect, it } from 'vitest'
import { renderDiff, renderFullDiff, renderShortDiff } from '../../src/report/render-diff.ts'
import { ascii, change, coloured, file, numbered, plain } from './samples.ts'

const ui = change(
  'src/store/ui.ts',
  'export const initial = {\n\tdark: false,\n\topen: true,\n}\n',
  "export const initial = {\n\tmode: 'auto' as string,\n\topen: true,\n}\n",
)

describe('renderDiff', () => {
  it('shows each file with its counts, line numbers and three lines around a change', () => {
    const long = numbered(1, 130)
    const changed = long.replace('line 10\n', 'line ten\nline ten and a half\n').replace('line 101\n', '')
    expect(`\n${renderDiff([ui, change('docs/long.md', long, changed)], plain)}\n`).toMatchInlineSnapshot(`
      "
        ~ src/store/ui.ts                                                      +1 -1
         1    export const initial = {
         2  -     dark: false,
         2  +     mode: 'auto' as string,
         3        open: true,
         4    }

        ~ docs/long.md                                                         +2 -2
         7    line 7
         8    line 8
         9    line 9
        10  - line 10
        10  + line ten
        11  + line ten and a half
        12    line 11
        13    line 12
        14    line 13
            ⋯
        99    line 98
       100    line 99
       101    line 100
       101  - line 101
       102    line 102
       103    line 103
       104    line 104
      "
    `)
  })

  it('shows new and deleted files whole', () => {
    const changes = [change('src/theme.ts', null, numbered(1, 5)), change('src/old.ts', numbered(1, 4), null)]
    expect(`\n${renderDiff(changes, ascii)}\n`).toMatchInlineSnapshot(`
      "
        + src/theme.ts                                                            +5
         1  + line 1
         2  + line 2
         3  + line 3
         4  + line 4
         5  + line 5

        - src/old.ts                                                              -4
         1  - line 1
         2  - line 2
         3  - line 3
         4  - line 4
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
         1  - line 1
         2  - line 2
         3  - line 3
         4  - line 4
         5  - line 5
         1  + new 1
         2  + new 2
         3  + new 3
         4  + new 4
         5  + new 5

        + empty.ts
            empty file

        ~ link.ts -> src/real.ts                                               +1 -1
         1  - a
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

  it('cuts a line of thousands of columns, and says by how much', () => {
    const diff = renderDiff([change('min.js', null, `${'x'.repeat(50_000)}\n`)], plain)
    expect(diff).toMatch(/x… 48,000 more characters$/)
    expect(diff.length).toBeLessThan(2200)
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

describe('renderShortDiff', () => {
  it('fits into its lines, and says what it leaves out', () => {
    const long = change('a.ts', null, `${'wide '.repeat(40)}\n${numbered(1, 50)}`)
    const short = renderShortDiff([long, ui], plain, 6)
    expect(`\n${short}\n`).toMatchInlineSnapshot(`
      "
        + a.ts                                                                   +51
         1  + wide wide wide wide wide wide wide wide wide wide wide wide wide wide…
         2  + line 1
         3  + line 2
         4  + line 3
        -- relay hides 54 lines: d shows all --
      "
    `)
    expect(short.split('\n')).toHaveLength(6)
  })

  it('leaves out nothing when all fits', () => {
    expect(renderShortDiff([ui], plain, 6)).toBe(renderDiff([ui], plain))
  })
})

it('keeps lines whole in the diff of what is dangerous', () => {
  const sneaky = change(
    'package.json',
    null,
    `"test": "vitest",${' '.repeat(300)}"postinstall": "evil"\n${numbered(1, 9)}`,
  )
  const diff = renderFullDiff([sneaky], plain, 5)
  expect(diff).toContain('"postinstall": "evil"')
  expect(diff).toContain('-- relay hides 7 lines: d shows all --')
})
