import { describe, expect, it } from 'vitest'
import type { Reason } from '../../../src/model/check.ts'
import type { Flag } from '../../../src/model/response.ts'
import type { Question } from '../../../src/model/talk.ts'
import { describeQuestion } from '../../../src/report/answers/describe-question.ts'
import { describeReasons } from '../../../src/report/answers/describe-reason.ts'
import { questionKeys } from '../../../src/report/answers/question-keys.ts'
import { keyLines } from '../../../src/report/text/hanging.ts'
import { ascii, change, numbered, plain, screen } from '../samples.ts'

const settings = change('src/settings.tsx', numbered(1, 60), numbered(1, 60).replace('line 10\n', 'ten\n'))
const unchecked = { before: { kind: 'unchecked' }, after: { kind: 'unchecked' }, comparison: undefined } as const

const anyGate = {
  kind: 'gate',
  number: 42,
  title: 'Add dark mode toggle',
  root: '/project',
  leftOut: [],
  checks: unchecked,
  reasoning: [],
  canFollowUp: true,
  held: false,
} as const

function gate(...reasons: [Reason, ...Reason[]]): Question {
  return {
    ...anyGate,
    reasons,
    changes: [settings, change('src/old.ts', numbered(1, 30), null)],
  }
}

/** Asked because of so many new errors. */
function withErrors(number: number): Extract<Question, { kind: 'gate' }> {
  const newErrors = Array.from({ length: number }, (_, at) => ({
    file: `src/m${at}.ts`,
    line: at,
    code: 'TS2307',
    message: "Cannot find module './el.js'",
  }))
  const check = { kind: 'counted', errors: number, list: newErrors, code: 1, failed: [], output: '' } as const
  const checks = { before: check, after: check, comparison: { new: number, fixed: 0, same: 0, newErrors } }
  return { ...anyGate, changes: [], reasons: [{ kind: 'new-errors', count: number, limit: 0 }], checks }
}

function show(question: Question, style = plain): string {
  const { lines, prompt } = describeQuestion(question, style)
  return screen([...lines, `? ${prompt}`])
}

describe('describeQuestion', () => {
  it.each(['gate', 'sensitive'] as const)(
    'shows the first doubts of each kind alone (%s), so that none is lost among the many',
    kind => {
      const flagOf =
        (flag: Flag['flag']) =>
        (_: unknown, n: number): Flag => ({ flag, path: `src/f${n}.ts`, reason: 'is doubtful' })
      const many = (['look-alike', 'sensitive-path'] as const).flatMap(flag =>
        Array.from({ length: 1000 }, flagOf(flag)),
      )
      const flags: readonly Flag[] = [
        ...many,
        { flag: 'sensitive-path', path: 'src/b.ts', reason: 'says something else' },
        { flag: 'shrink', path: 'src/a.ts', reason: 'loses your edits' },
      ]
      const reasons = flags.map(flag => ({ kind: 'flag', flag }) as const)
      const question =
        kind === 'gate'
          ? { ...anyGate, changes: [settings], reasons }
          : { kind, number: 42, changes: [settings], flags, reasoning: [] }
      const shown = show(question)
      expect(shown.match(/is doubtful/g)).toHaveLength(39)
      expect(shown).toContain('says something else')
      expect(shown).toContain('loses your edits')
      const more = shown.split('\n').filter(line => line.includes('and '))
      expect(more.map(line => line.trim())).toEqual(
        kind === 'gate'
          ? ['and 1,961 more flags like these; w shows all']
          : ['and 980 more flags like these; w shows all', 'and 981 more flags like these; w shows all'],
      )
    },
  )

  it('asks about a change with its one reason right above the prompt', () => {
    expect(show(gate({ kind: 'new-errors', count: 2, limit: 0 }))).toMatchInlineSnapshot(`
      "

        ~ src/settings.tsx        +1   -1
        - src/old.ts                  -30

        ~ src/settings.tsx                                                     +1 -1
         7   7    line 7
         8   8    line 8
         9   9    line 9
        10      - line 10
            10  + ten
        11  11    line 11
        12  12    line 12
        13  13    line 13

        ⋯ 1 more file: d shows all

      ▲ #42 needs you: 2 new errors (0 allowed). The files are already changed.
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
  })

  it('names a single file once, in the heading of its diff', () => {
    const question: Question = {
      ...anyGate,
      reasons: [{ kind: 'approval-no' }],
      changes: [change('src/a.ts', 'one\n', 'two\n')],
    }
    expect(show(question)).toMatchInlineSnapshot(`
      "

        ~ src/a.ts                                                             +1 -1
         1      - one
             1  + two

      ▲ #42 needs you: you review every change. The file is already changed.
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
  })

  it('lists the files where the diff hides some, also of those that have no lines', () => {
    const changes = Array.from({ length: 30 }, (_, at) => change(`pkg/m${at}/__init__.py`, null, ''))
    const text = show({ ...anyGate, reasons: [{ kind: 'approval-no' }], changes })
    expect(text).toMatch(/⋯ \d+ more files: d shows all/)
    expect(text).toContain('and 10 more files')
  })

  it('leaves the new errors above it on the screen, however many files the patch has', () => {
    const changes = Array.from({ length: 30 }, (_, at) => change(`src/m${at}.ts`, null, numbered(1, 9)))
    const { lines } = describeQuestion({ ...withErrors(4), changes }, plain)
    // With the errors, the line that counts them, and the prompt.
    expect(lines.length + 4 + 1 + 1).toBeLessThanOrEqual(plain.rows)
    expect(lines.join('\n')).not.toContain('and 10 more files')
    expect(show({ ...withErrors(0), changes })).toContain('and 10 more files')
  })

  it('names the new errors once more, and the files, of what was left open', () => {
    const changes = Array.from({ length: 30 }, (_, at) => change(`src/m${at}.ts`, null, numbered(1, 9)))
    const text = show({ ...withErrors(2), changes, held: true })
    expect(text).toContain('and 10 more files')
    expect(text.slice(text.indexOf('▲'))).toMatchInlineSnapshot(`
      "▲ #42 Add dark mode toggle
        still waits for your answer: its files are changed, but not kept.
          2 new errors (0 allowed)
          src/m0.ts:0  TS2307  Cannot find module './el.js'
          src/m1.ts:1  TS2307  Cannot find module './el.js'
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
  })

  it('lists several reasons', () => {
    const text = show(
      gate(
        { kind: 'new-errors', count: 1, limit: 0 },
        { kind: 'uncounted', check: 'before', why: 'exit 127' },
        {
          kind: 'flag',
          flag: {
            flag: 'placeholder',
            path: 'src/api.ts',
            line: 90,
            text: '  // ... rest of the code',
            reason: 'it looks cut short',
          },
        },
      ),
      ascii,
    )
    expect(text.slice(text.indexOf('!  #42'))).toMatchInlineSnapshot(`
      "!  #42 needs you. The files are already changed.
          1 new error (0 allowed)
          relay could not count the errors before the change: exit 127
          src/api.ts: it looks cut short "// ... rest of the code" (line 90 of the
            answer)
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
  })

  it('asks about files that make commands run, with the full diff of just those', () => {
    const question: Question = {
      kind: 'sensitive',
      number: 42,
      reasoning: [],
      changes: [
        settings,
        change(
          'package.json',
          '{\n  "name": "x"\n}\n',
          '{\n  "name": "x",\n  "scripts": { "postinstall": "node x" }\n}\n',
        ),
        change('.github/workflows/ci.yml', null, 'on: push\n'),
      ],
      flags: [
        { flag: 'sensitive-path', path: 'package.json', reason: 'runs on npm install' },
        { flag: 'sensitive-path', path: '.github/workflows/ci.yml', reason: 'runs on git push' },
        { flag: 'mass-delete', reason: 'it deletes 12 files' },
      ],
    }
    expect(show(question)).toMatchInlineSnapshot(`
      "

        ~ package.json                                                         +2 -1
         1   1    {
         2      -   "name": "x"
             2  +   "name": "x",
                               ^
             3  +   "scripts": { "postinstall": "node x" }
         3   4    }

        + .github/workflows/ci.yml                                                +1
             1  + on: push

      ▲ #42 needs you. Nothing has been written or run yet.
        Flagged:
          it deletes 12 files
        This question is about:
          package.json: runs on npm install
          .github/workflows/ci.yml: runs on git push
      ? Let this answer change these files? (y/n/d/w/?)
      "
    `)
  })

  it('says at the question what is not shown above it, and where it is', () => {
    const paths = ['package-lock.json', 'dist/min.js', 'huge.json']
    const question: Question = {
      kind: 'sensitive',
      number: 42,
      reasoning: [],
      changes: [
        change('package-lock.json', null, numbered(1, 5000)),
        change('dist/min.js', null, `${'x'.repeat(5000)};run("evil")\n`),
        change('huge.json', numbered(1, 500_000), numbered(1, 500_001)),
      ],
      flags: paths.map(path => ({ flag: 'sensitive-path', path, reason: 'runs' })),
    }
    const text = show(question)
    expect(`\n${text.slice(text.indexOf('  ⋯ 1 line cut'))}`).toMatchInlineSnapshot(`
      "
        ⋯ 1 line cut: d shows all

        ~ huge.json
                too large to show: 5.9 MB -> 5.9 MB

      ▲ #42 needs you. Nothing has been written or run yet.
          package-lock.json: runs
          dist/min.js: runs
          huge.json: runs
        The diff above is not complete; d shows all lines. Left out:
          package-lock.json: 4,639 more lines
          dist/min.js: 1 line cut
          huge.json: too large to show: 5.9 MB -> 5.9 MB; nothing shows it
      ? Not everything is shown. Let this answer change these files? (y/n/d/w/?)
      "
    `)
  })

  it('wraps long lines at the gate where there is room for them, else says how many have none', () => {
    const long = `${'x'.repeat(99)}\n`
    const asked = (after: string) =>
      show({ ...anyGate, reasons: [{ kind: 'approval-no' }], changes: [change('src/a.ts', 'one\n', after)] })
    expect(asked(`one\n${long}`)).toContain(`       2  + ${'x'.repeat(66)}\n            ${'x'.repeat(33)}\n\n`)
    expect(asked(`one\n${long.repeat(9)}`)).toContain(
      `\n            ${'x'.repeat(33)}\n  ⋯ 3 more lines: d shows all\n`,
    )
  })

  it('hints at no key where nobody can press one', () => {
    const changes = [change('package-lock.json', null, 'x\n'.repeat(5000))]
    const flags = [{ flag: 'sensitive-path', path: 'package-lock.json', reason: 'runs' }] as const
    const asked: readonly Question[] = [
      { ...anyGate, reasons: [{ kind: 'approval-no' }], changes },
      { kind: 'sensitive', number: 42, changes, flags: [...flags], reasoning: [] },
    ]
    for (const question of asked) {
      const text = describeQuestion(question, plain, false).lines.join('\n')
      expect(text).toMatch(/⋯ [\d,]+ more lines\n/)
      expect(text).not.toMatch(/\bd (shows|neither)/)
    }
  })

  it('shows everything when a doubt names no file of the patch', () => {
    const flags = [{ flag: 'sensitive-path', reason: 'runs somewhere' }] as const
    expect(show({ kind: 'sensitive', number: 42, changes: [settings], flags, reasoning: [] })).toContain(
      'src/settings.tsx',
    )
  })

  it('asks what to do with files that were edited after a crash', () => {
    expect(show({ kind: 'edited', number: 42, paths: ['src/a.ts', 'src/b.ts'] })).toMatchInlineSnapshot(`
      "
      ▲ #42 was not finished, and 2 files changed since then:
          src/a.ts
          src/b.ts
        y restores the version from before the change, n keeps the present one;
        the other version goes to .relaycode/rescue/
      ? Restore the version from before the change? (y/n/?)
      "
    `)
  })

  it('asks about a patch that was there before watching began', () => {
    const changes = [change('src/a.ts', null, 'a\n'), change('src/old.ts', 'old\n', null)]
    expect(show({ kind: 'offered', title: 'Add dark mode toggle', changes })).toMatchInlineSnapshot(`
      "
      ▲ Add dark mode toggle
        This answer was already on the clipboard. Nothing has been written or run.
          write   src/a.ts
          delete  src/old.ts
      ? Apply it? (y/n/d/?)
      "
    `)
  })

  it.each([
    { kind: 'offered', title: 'Add dark mode toggle', changes: [change('src/old.ts', 'old\n', null)] },
    { kind: 'edited', number: 7, paths: ['src/a.ts'] },
  ] as const)('breaks its sentences at blanks on a narrow screen: $kind', question => {
    const [, ...below] = describeQuestion(question, { ...plain, columns: 40 }).lines
    expect(below.filter(line => line.length > 40)).toEqual([])
  })

  it('asks about what was left open', () => {
    const question: Question = {
      ...anyGate,
      reasons: [{ kind: 'unchecked-edits', paths: ['src/a.ts'] }],
      changes: [change('src/a.ts', 'one\n', 'two\n')],
      held: true,
    }
    expect(show(question)).toMatchInlineSnapshot(`
      "

        ~ src/a.ts                                                             +1 -1
         1      - one
             1  + two

      ▲ #42 Add dark mode toggle
        still waits for your answer: its files are changed, but not kept.
          src/a.ts changed by hand after the check; r checks again
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
  })

  it('fits a small screen with what was left open', () => {
    const lines = describeQuestion(
      { ...anyGate, reasons: [], changes: [], held: true },
      { ...plain, columns: 40 },
    ).lines
    expect(lines.slice(-3).join('\n')).toMatchInlineSnapshot(`
      "▲ #42 Add dark mode toggle
        still waits for your answer: its files
        are changed, but not kept."
    `)
  })

  it('says when nothing speaks against it any more, and what was left out', () => {
    const question: Question = {
      ...anyGate,
      reasons: [],
      changes: [change('src/a.ts', 'one\n', 'two\n')],
      leftOut: [change('src/b.ts', null, 'b\n'), change('src/old.ts', 'old\n', null)],
    }
    expect(show(question)).toMatchInlineSnapshot(`
      "

        ~ src/a.ts                                                             +1 -1
         1      - one
             1  + two

        left out: src/b.ts, src/old.ts

      ▲ #42 passes all checks now. The file is already changed.
      ? Keep this change? (y/n/d/f/e/r/c/w/q/?)
      "
    `)
    const narrow = describeQuestion(question, { ...plain, columns: 40 }).lines
    expect(narrow.slice(-2)).toEqual(['▲ #42 passes all checks now.', '  The file is already changed.'])
  })
})

describe('questionKeys', () => {
  it.each([
    ['n', anyGate],
    ['q', { ...anyGate, held: true }],
  ] as const)('says that the end of the input is like %s', (key, question) => {
    expect(questionKeys({ ...question, reasons: [], changes: [] })).toContainEqual(['Ctrl+D', `like ${key}`])
  })

  it.each([
    { kind: 'sensitive', number: 42, changes: [], flags: [], reasoning: [] },
    { kind: 'edited', number: 1, paths: [] },
    { kind: 'offered', title: '', changes: [] },
    { ...anyGate, reasons: [], changes: [] },
  ] as const)('explains every key that the prompt names: $kind', question => {
    const { prompt } = describeQuestion(question, plain)
    const keys = prompt.match(/\((.*)\)/)?.[1]?.split('/')
    const explained = keyLines(questionKeys(question), plain).map(line => line.trim().split(' ')[0])
    expect(explained).toEqual(expect.arrayContaining([...(keys ?? ['none']), 'Ctrl+C']))
  })
})

describe('describeReasons', () => {
  it.each<[string, Reason]>([
    ['you review every change', { kind: 'approval-no' }],
    ['1 new error (0 allowed)', { kind: 'new-errors', count: 1, limit: 0 }],
    [
      'relay could not count the errors after the change: no end within 600 s',
      { kind: 'uncounted', check: 'after', why: 'no end within 600 s' },
    ],
    ['the post command failed: exit 1', { kind: 'post-command', why: 'exit 1' }],
    ['src/a.ts and src/b.ts, which relay wrote, are gone', { kind: 'missing', paths: ['src/a.ts', 'src/b.ts'] }],
    [
      'same uuid as #38 (kept), different content (models repeat uuids). If you keep it, relay gives it a new one',
      { kind: 'reused-uuid', number: 38, state: 'committed' },
    ],
    ['it deletes 12 files', { kind: 'flag', flag: { flag: 'mass-delete', reason: 'it deletes 12 files' } }],
    [
      'src/a.ts: no END marker (line 9 of the answer)',
      { kind: 'flag', flag: { flag: 'missing-end', path: 'src/a.ts', line: 9, reason: 'no END marker' } },
    ],
    [
      'src/a.ts has a placeholder "// ..."',
      {
        kind: 'flag',
        flag: { flag: 'placeholder', path: 'src/a.ts', text: '// ...', reason: 'src/a.ts has a placeholder "// ..."' },
      },
    ],
  ])('%s', (words, reason) => {
    expect(describeReasons([reason])).toEqual([words])
  })

  it('says once why neither check could be counted', () => {
    const before: Reason = { kind: 'uncounted', check: 'before', why: 'exit 127' }
    const after: Reason = { kind: 'uncounted', check: 'after', why: 'exit 127' }
    expect(describeReasons([{ kind: 'approval-no' }, before, after])).toEqual([
      'you review every change',
      'relay could not count the errors before and after the change: exit 127',
    ])
    expect(describeReasons([before, { ...after, why: 'exit 2' }])).toEqual([
      'relay could not count the errors before the change: exit 127',
      'relay could not count the errors after the change: exit 2',
    ])
  })
})
