import { describe, expect, it } from 'vitest'
import type { Check, Comparison } from '../../../src/model/check.ts'
import type { Progress } from '../../../src/model/talk.ts'
import { describeProgress, liveLine } from '../../../src/report/answers/describe-progress.ts'
import { plainProgress } from '../../../src/report/answers/plain-lines.ts'
import type { Style } from '../../../src/report/text/style.ts'
import { ascii, at, change, coloured, file, narrow, numbered, plain, screen } from '../samples.ts'

const begun: Progress = {
  kind: 'begun',
  number: 42,
  uuid: 'a6928e46-1111-4222-8333-444455556666',
  title: 'Add dark mode toggle',
  changes: [
    change('src/settings.tsx', numbered(1, 20), numbered(1, 11) + numbered(1, 31, 'new')),
    change('src/store/ui.ts', numbered(1, 20), numbered(1, 17) + numbered(1, 19, 'new')),
    change('src/theme.ts', null, numbered(1, 8)),
  ],
  at: at(14, 2, 11),
}

const ok = { ok: true, why: 'exit 0', output: '' }

function counted(errors: number, output = ''): Check {
  return { kind: 'counted', errors, list: undefined, code: 0, failed: [], output }
}

function checked(step: 'base' | 'lint', check: Check, comparison?: Comparison): Progress {
  return { kind: 'checked', step, check, comparison, ms: step === 'base' ? 3810 : 3640 }
}

function show(style: Style, ...all: readonly Progress[]): string {
  return screen(all.flatMap(progress => describeProgress(progress, style)))
}

const story: readonly Progress[] = [
  begun,
  { kind: 'step-started', step: 'base', command: 'npx tsc --noEmit' },
  checked('base', counted(12)),
  { kind: 'written', files: 3, ms: 9 },
  {
    kind: 'command-ended',
    step: 'post',
    command: 'prettier --write .',
    end: ok,
    ms: 1100,
    alsoChanged: ['src/app.tsx'],
  },
  checked('lint', counted(10), { new: 0, fixed: 2, same: 10, newErrors: [] }),
]

describe('describeProgress', () => {
  it.each([
    [1, 3, '1 of 3 stays; the others are restored'],
    [2, 3, '2 of 3 stay; the other one is restored'],
    [3, 3, '3 of 3 stay'],
  ])('tells how many files the user has chosen: %i of %i', (files, of, words) => {
    const chosen: Progress = { kind: 'chosen', files, of, rescued: [], blocked: [] }
    expect(describeProgress(chosen, plain)).toEqual([`✔ files   ${words}`])
  })

  it('tells a transaction that goes well', () => {
    expect(show(plain, ...story)).toMatchInlineSnapshot(`
      "
      ── #42 ────────────────────────────────────────────────────────────── 14:02:11
      ● Add dark mode toggle                              3 files  +58 -12  a6928e46
        ~ src/settings.tsx        +31  -9
        ~ src/store/ui.ts         +19  -3
        + src/theme.ts             +8
      ✔ base    12 errors                                                      3.8 s
      ✔ write   3 files                                                         9 ms
      ✔ post    prettier --write .   changed 1 more file                       1.1 s
          src/app.tsx
      ✔ lint    10 errors     new 0   fixed 2   same 10                        3.6 s
      "
    `)
  })

  it('tells it in ASCII', () => {
    expect(show(ascii, ...story)).toMatchInlineSnapshot(`
      "
      -- #42 -------------------------------------------------------------- 14:02:11
      *  Add dark mode toggle                             3 files  +58 -12  a6928e46
        ~ src/settings.tsx        +31  -9
        ~ src/store/ui.ts         +19  -3
        + src/theme.ts             +8
      ok base    12 errors                                                     3.8 s
      ok write   3 files                                                        9 ms
      ok post    prettier --write .   changed 1 more file                      1.1 s
          src/app.tsx
      ok lint    10 errors     new 0   fixed 2   same 10                       3.6 s
      "
    `)
  })

  it('tells it in forty columns', () => {
    expect(show(narrow, ...story)).toMatchInlineSnapshot(`
      "
      ── #42 ────────────────────── 14:02:11
      ● Add dark mode toggle
                  3 files  +58 -12  a6928e46
        ~ src/settings.tsx        +31  -9
        ~ src/store/ui.ts         +19  -3
        + src/theme.ts             +8
      ✔ base    12 errors              3.8 s
      ✔ write   3 files                 9 ms
      ✔ post    changed 1 more…        1.1 s
          src/app.tsx
      ✔ lint    10 errors              3.6 s
                new 0  fixed 2  same 10
      "
    `)
  })

  it('tells the same in colour', () => {
    const colours = show(coloured, ...story)
    expect(colours).toContain('\x1b[32m✔\x1b[39m lint')
    expect(colours.replace(/\x1b\[\d+m/g, '')).toBe(show(plain, ...story))
    expect(show(plain, ...story)).not.toContain('\x1b')
  })

  it('lists ten new errors, and counts the rest', () => {
    const newErrors = Array.from({ length: 13 }, (_, n) => ({ file: 'a.py', line: n + 1, code: 'E1', message: 'no' }))
    const lines = show(plain, checked('lint', counted(13), { new: 13, fixed: 0, same: 0, newErrors }))
      .trim()
      .split('\n')
    expect(lines).toHaveLength(12)
    expect(lines.slice(-2)).toEqual(['    a.py:10  E1  no', '    … and 3 more new errors'])
  })

  it("shows the linter's last words when new errors are only counted", () => {
    const check = counted(3, '\x1b[31mBad\x1b[0m things\n3 problems\n')
    expect(show(plain, checked('lint', check, { new: 2, fixed: 0, same: 1, newErrors: [] }))).toMatchInlineSnapshot(`
      "
      ▲ lint    3 errors      new 2   fixed 0   same 1                         3.6 s
          Bad things
          3 problems
      "
    `)
  })

  it('says when there is nothing to compare with, and when nothing could be counted', () => {
    const lost: Check = { kind: 'uncounted', why: 'exit 127', output: 'sh: 1: bun: not found\n' }
    expect(show(plain, checked('base', lost), checked('lint', counted(1)))).toMatchInlineSnapshot(`
      "
      ▲ base    not counted: exit 127                                          3.8 s
          sh: 1: bun: not found
      ▲ lint    1 error       nothing to compare with                          3.6 s
      "
    `)
    expect(show(plain, checked('lint', counted(0)))).toMatchInlineSnapshot(`
      "
      ✔ lint    0 errors      nothing to compare with                          3.6 s
      "
    `)
  })

  it('says that a check ran no test', () => {
    const none: Check = { kind: 'counted', errors: 0, list: [], code: 0, failed: [], tests: 'none', output: '' }
    expect(show(plain, checked('lint', none, { new: 0, fixed: 0, same: 0, newErrors: [] }))).toMatchInlineSnapshot(`
      "
      ✔ lint    0 errors, ran no test  new 0   fixed 0   same 0                3.6 s
      "
    `)
  })

  it('shows of a check before the patch only the end of what the linter printed', () => {
    const lost: Check = { kind: 'uncounted', why: 'exit 1', output: 'a\nb\nc\nd\n' }
    expect(show(plain, checked('base', lost), checked('lint', lost))).toMatchInlineSnapshot(`
      "
      ▲ base    not counted: exit 1                                            3.8 s
          -- relay hides 1 line --
          b
          c
          d
      ▲ lint    not counted: exit 1                                            3.6 s
          a
          b
          c
          d
      "
    `)
  })

  it('says "unchecked" once when there is no linter', () => {
    expect(show(plain, checked('base', { kind: 'unchecked' }), checked('lint', { kind: 'unchecked' }))).toBe(
      '\n○ lint    unchecked: no linter is configured\n',
    )
  })

  it("shows the end of a failed command's output", () => {
    const output = `\x1b[32mstart\x1b[0m\n${numbered(1, 60)}FAIL  src/theme.test.ts > picks system theme\r\n\texpected 1\n\n`
    const end = { ok: false, why: 'exit 1', output }
    expect(
      show(plain, { kind: 'command-ended', step: 'post', command: 'npm test', end, ms: 12_400, alsoChanged: [] }),
    ).toMatchInlineSnapshot(`
      "
      ✖ post    npm test   exit 1                                             12.4 s
          -- relay hides 51 lines --
          line 51
          line 52
          line 53
          line 54
          line 55
          line 56
          line 57
          line 58
          line 59
          line 60
          FAIL  src/theme.test.ts > picks system theme
              expected 1
      "
    `)
  })

  it('copes with a failed command that said nothing, and one without an end', () => {
    const end = { ok: false, why: 'no end within 600 s', output: '' }
    expect(
      show(plain, {
        kind: 'command-ended',
        step: 'pre',
        command: 'npm run generate',
        end,
        ms: 600_000,
        alsoChanged: [],
      }),
    ).toMatchInlineSnapshot(`
      "
      ✖ pre     npm run generate   no end within 600 s                        10 min
      "
    `)
  })

  it('does not give the files that it knows of for all that a command changed, where not all were looked at', () => {
    const end = { ok: true, why: 'exit 0', output: '' }
    const ended = { kind: 'command-ended', step: 'post', command: 'fmt', end, ms: 1, alsoPart: true } as const
    expect(show(plain, { ...ended, alsoChanged: ['b.ts', 'c.ts'] })).toContain('fmt   changed at least 2 more files')
    expect(show(plain, { ...ended, alsoChanged: [] })).not.toContain('at least')
  })

  it('shows twenty files, and counts the rest', () => {
    const changes = Array.from({ length: 23 }, (_, n) => change(`src/file-${n}.ts`, null, 'a\n'))
    const lines = describeProgress({ ...begun, changes }, plain)
    expect(lines).toHaveLength(23)
    expect(lines[1]).toContain('23 files  +23 -0  a6928e46')
    expect(lines.at(-1)).toBe('  … and 3 more files')
  })

  it('shows files of every kind', () => {
    const changes = [
      change('src/old.ts', numbered(1, 40), null),
      change('logo.png', file(new Uint8Array([0, 1])), file(new Uint8Array([0, 1, 2]))),
      change('run.sh', 'a\n', file('a\n', 0o755)),
      { ...change('same.ts', 'a\n', 'a\n'), effect: 'none' as const },
      change(`packages/${'deep/'.repeat(20)}name.ts`, 'a\n', 'b\n'),
      change('link.ts', 'a\n', 'b\n', 'src/real.ts'),
    ]
    expect(show(plain, { ...begun, title: '', changes })).toMatchInlineSnapshot(`
      "
      ── #42 ────────────────────────────────────────────────────────────── 14:02:11
      ● (no summary)                        5 files  +2 -42, 1 not counted  a6928e46
        - src/old.ts                                              -40
        ~ logo.png                                            binary: 2 bytes -> 3 …
        ~ run.sh                                              mode 0644 -> 0755
        = same.ts                                             unchanged
        ~ …deep/deep/deep/deep/deep/deep/deep/deep/name.ts    +1   -1
        ~ link.ts -> src/real.ts                              +1   -1
      "
    `)
  })

  it('cuts a title that is too long', () => {
    const lines = describeProgress({ ...begun, title: 'Rename everything '.repeat(10), changes: [] }, plain)
    expect(lines[1]).toBe('● Rename everything Rename everything Rename everyt…  0 files  +0 -0  a6928e46')
  })

  it('gives a title a line of its own where little room is left beside the counts', () => {
    const lines = describeProgress({ ...begun, title: 'Rename everything '.repeat(10), changes: [] }, narrow)
    expect(lines.slice(1, 3)).toEqual([
      '● Rename everything Rename everything…',
      '              0 files  +0 -0  a6928e46',
    ])
  })

  it('names another relay that works here', () => {
    expect(show(plain, { kind: 'waiting', owner: 'pid 4121, since 13:59' })).toBe(
      '\n○ waiting: another relay works in this project (pid 4121, since 13:59)\n',
    )
    expect(show(narrow, { kind: 'waiting', owner: 'process 4121' })).toBe(
      '\n○ waiting: another relay works in\n  this project (process 4121)\n',
    )
  })
})

it('says whose the changes count as that came while the linter ran', () => {
  const told = (whileChecked: 'by-user' | 'by-whomever') =>
    describeProgress({ kind: 'edited', paths: ['src/a.ts'], whileChecked }, plain)
  expect(told('by-user')).toEqual([
    '▲ edit    1 file changed while the linter ran: counted as your edit',
    '    src/a.ts',
  ])
  expect(told('by-whomever')[0]).toBe('▲ edit    1 file changed while the linter ran: undo restores that too')
})

describe('liveLine', () => {
  it('names the step and its command', () => {
    expect(liveLine({ kind: 'step-started', step: 'lint', command: 'bun tsc --noEmit' }, plain)).toBe(
      'lint  bun tsc --noEmit',
    )
    expect(liveLine({ kind: 'step-started', step: 'write', command: '' }, plain)).toBe('write')
    expect(liveLine({ kind: 'waiting', owner: 'pid 1' }, plain)).toBe('waiting for another relay (pid 1)')
    expect(liveLine({ kind: 'history-lost', entries: 20_000 }, plain)).toBe('reading 20,000 stored changes')
  })

  it('never takes more than one row', () => {
    expect(liveLine({ kind: 'step-started', step: 'lint', command: 'x '.repeat(200) }, plain)).toHaveLength(64)
  })

  it('is gone when the step has ended', () => {
    expect(liveLine(begun, plain)).toBeUndefined()
    expect(liveLine({ kind: 'written', files: 1, ms: 1 }, plain)).toBeUndefined()
  })
})

describe('a command that fails', () => {
  it('says what the paths are that it changed besides', () => {
    const end = { ok: false, why: 'exit 1', output: 'last words\n' }
    const failed = {
      kind: 'command-ended',
      step: 'post',
      command: 'npm test',
      end,
      ms: 1,
      alsoChanged: ['b.ts'],
    } as const
    expect(describeProgress(failed, plain)).toEqual([
      '✖ post    npm test   exit 1, changed 1 more file                          1 ms',
      '    b.ts',
      '    last words',
    ])
  })
})

describe('plainProgress', () => {
  it('tells a log what matters later, one line each', () => {
    const end = { ok: false, why: 'exit 1', output: '\x1b[31mFAIL\x1b[0m\nlast words\n' }
    const failed: Progress = { kind: 'command-ended', step: 'post', command: 'npm test', end, ms: 1, alsoChanged: [] }
    const lines = [...story, failed].map(progress => plainProgress(progress, at(14, 2, 11)))
    expect(lines.filter(line => line !== undefined)).toEqual([
      '14:02:11 begun #42: Add dark mode toggle (3 files +58 -12)',
      '14:02:11 lint: 10 errors, new 0, fixed 2, same 10',
      '14:02:11 post failed: exit 1: last words',
    ])
  })

  it('names the first new errors, for there is no screen to look them up on', () => {
    const newErrors = [
      { file: 'a.ts', line: 4, column: 3, code: 'TS1', message: 'no\x1bway' },
      { file: 'b.ts', line: 9, code: '', message: `far ${'too '.repeat(60)}long` },
      ...Array.from({ length: 3 }, () => ({ file: 'c.ts', code: 'TS2', message: 'again' })),
    ]
    const failed = checked('lint', counted(6), { new: 5, fixed: 0, same: 1, newErrors })
    const [lint, first, second, third, rest] = plainProgress(failed, at(14, 2, 11))?.split('; ') ?? []
    expect([lint, first, third, rest]).toEqual([
      '14:02:11 lint: 6 errors, new 5, fixed 0, same 1',
      'a.ts:4:3 TS1 no\\x1bway',
      'c.ts TS2 again',
      'and 2 more new errors',
    ])
    expect(second).toMatch(/^b\.ts:9 far (too )+.*…$/)
    expect(second).toHaveLength(200)
  })
})
