import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/model/back.ts'
import { parseResponse } from '../../../src/parse/parse-response.ts'
import { followUp, type PresentFile } from '../../../src/report/answers/follow-up.ts'
import { followUpLines } from '../../../src/report/screens/follow-up-lines.ts'
import { plain, screen } from '../samples.ts'

const attempt: Attempt = {
  number: 42,
  title: 'Add dark mode toggle',
  why: 'declined',
  operations: [
    { op: 'write', path: 'src/store/ui.ts' },
    { op: 'write', path: 'src/theme.ts' },
    { op: 'delete', path: 'src/old.ts' },
  ],
  flags: [],
  newErrors: [
    {
      file: 'src/store/ui.ts',
      line: 41,
      column: 7,
      code: 'TS2322',
      message: "Type 'string' is not assignable to type 'Mode'",
      around: { first: 40, lines: ['export const initial = {', "  mode: 'auto' as string,", '  open: true,'] },
    },
    { file: 'src/theme.ts', code: '', message: 'Cannot find module' },
  ],
  newErrorCount: 2,
  output: '',
  attempt: 1,
  errorSets: ['a'],
}

const present: readonly PresentFile[] = [
  { path: 'src/store/ui.ts', text: 'export const initial = {\n  dark: false,\n}\n' },
  { path: 'src/theme.ts', text: null },
  { path: 'src/old.ts', text: 'old\n' },
  { path: '.env', text: undefined },
]

describe('followUp', () => {
  it('says what was tried, what was wrong, what the files are now, and how to answer', () => {
    expect(followUp(attempt, present, 'demo').text).toMatchInlineSnapshot(`
      "# relay-followup

      Your last answer was applied to the project "demo" and then rolled back; all files are unchanged.

      What it tried (attempt 1): Add dark mode toggle

      - write src/store/ui.ts
      - write src/theme.ts
      - delete src/old.ts

      It introduced 2 new errors (code as in your version):

      1. Type 'string' is not assignable to type 'Mode'
         src/store/ui.ts:41:7 TS2322

      \`\`\`
        40 | export const initial = {
      > 41 |   mode: 'auto' as string,
        42 |   open: true,
      \`\`\`

      2. Cannot find module
         src/theme.ts

      The files as they are now, without your change:

      src/store/ui.ts

      \`\`\`ts
      export const initial = {
        dark: false,
      }
      \`\`\`

      src/old.ts

      \`\`\`ts
      old
      \`\`\`

      Files that are not shown here:
      - src/theme.ts (does not exist)
      - .env

      Please send the whole change again, corrected: every file that it needs, based on the files as they are now.

      Each file as its own fenced code block with \`// path/of/the/file\` on the opening line, the full content between a
      \`// START\` and a \`// END\` line (for a file to delete, the block holds only \`//TODO: delete this file\`), and at the
      very end the YAML block with projectId "demo", promptSummary (a short title in the imperative),
      a new random uuid and the changeSummary.

      "
    `)
  })

  it('asks for a title, and copies none', () => {
    const { text } = followUp({ ...attempt, title: 'Here is a coupon' }, present, 'demo')
    expect(text).toContain('projectId "demo", promptSummary (a short title in the imperative),')
    expect(text.split('Here is a coupon')).toHaveLength(2)
  })

  it('gives the command, then each message with why it failed, its place, and the code', () => {
    const failed = {
      file: 'test/a.test.js',
      line: 4,
      column: 1,
      code: '',
      message: 'addition works',
      why: 'Expected values to be strictly equal:\n2 !== 3',
      around: { first: 4, lines: ["test('addition works', () => {"] },
    }
    const { text } = followUp({ ...attempt, command: 'node --test', newErrors: [failed], newErrorCount: 1 }, [], 'demo')
    expect(text).toContain(
      [
        '```\nnode --test\n```\n\nIt introduced 1 new error (code as in your version):\n\n',
        '1. addition works\n   Expected values to be strictly equal:\n   2 !== 3\n   test/a.test.js:4:1\n\n',
        "```\n> 4 | test('addition works', () => {\n```",
      ].join(''),
    )
  })

  it('has the reason that the user gave, and then no place for one', () => {
    const declined = { ...attempt, newErrors: [], newErrorCount: 0, reason: 'the coupon is not wanted' }
    const made = followUp(declined, [], 'demo')
    expect(made.text).toContain('\n\nReason: the coupon is not wanted\n\n')
    expect(made.text).not.toContain('(write it here)')
    expect(made.isOpen).toBe(false)
  })

  it('says of a file that is not wanted that it is not to be written', () => {
    const { text } = followUp({ ...attempt, leftOut: ['src/theme.ts'] }, present, 'demo')
    expect(text).toContain('- write src/store/ui.ts\n- do not write src/theme.ts\n- delete src/old.ts')
  })

  it('does not say twice what was tried where the response had no name', () => {
    const { text } = followUp({ ...attempt, title: 'edit src/store/ui.ts and 2 more' }, present, 'demo')
    expect(text).toContain('What it tried (attempt 1):\n\n- write src/store/ui.ts\n- write src/theme.ts\n')
  })

  it('tells what it holds', () => {
    const made = followUp(attempt, present, 'demo')
    expect(made).toMatchObject({ errors: 2, files: 2, isCircling: false })
    expect(made.tokens).toBe(Math.ceil(Buffer.byteLength(made.text) / 4))
    expect(screen(followUpLines(made, 2, 'copied', plain))).toMatchInlineSnapshot(`
      "
      ✔ copied a follow-up prompt: 2 errors, 2 files, ~300 tokens          attempt 2
      "
    `)
  })

  it('tells what a command said when it failed', () => {
    const failed: Attempt = {
      ...attempt,
      newErrors: [],
      newErrorCount: 0,
      failed: 'post command: exit 1',
      output: '\x1b[31mFAIL\x1b[0m  src/theme.test.ts\n',
    }
    expect(followUp(failed, [], 'demo').text).toContain('The post command: exit 1\n\n```\nFAIL  src/theme.test.ts\n```')
  })

  it('names doubts, and leaves room to say what relay cannot know', () => {
    const flags = [{ flag: 'placeholder', path: 'src/a.ts', reason: 'src/a.ts has a placeholder' }] as const
    const doubtful = followUp({ ...attempt, newErrors: [], newErrorCount: 0, flags }, [], 'demo').text
    expect(doubtful).toContain('Flagged by the tool:\n- src/a.ts has a placeholder')
    const fine = followUp({ ...attempt, newErrors: [], newErrorCount: 0 }, [], 'demo')
    expect(fine.text).toContain('Reason: (write it here)')
    expect(screen(followUpLines(fine, 1, 'copied', plain))).toMatchInlineSnapshot(`
      "
      ✔ copied a follow-up prompt: ~190 tokens                             attempt 1
      ▲ Write into the prompt what was wrong: relay does not know it.
      "
    `)
  })

  const asked = { flag: 'sensitive-path', path: 'tsconfig.json', reason: 'configures a type checker' } as const
  it.each<[string, Partial<Attempt>, boolean, string, string]>([
    [
      'some of its files were refused',
      { why: 'declined', unwritten: true, leftOut: ['tsconfig.json'] },
      false,
      'not applied to the project "demo"; all files are unchanged.',
      'Please send the whole change again, without the files that are not wanted: every other file that it needs, based on the files as they are now.',
    ],
    [
      'it was refused before it was written',
      { why: 'declined', unwritten: true, flags: [asked] },
      true,
      'not applied to the project "demo"; all files are unchanged.',
      'Reason: (write it here)\n\nPlease send the whole change again, corrected: every file that it needs, based on the files as they are now.',
    ],
    [
      'nobody could be asked',
      { why: 'unasked', unwritten: true, flags: [asked] },
      false,
      'not applied to the project "demo"; all files are unchanged.',
      'Please send the whole change again, without these files if possible: every file that it needs, based on the files as they are now.',
    ],
    [
      'the pre command failed, with files that were let through',
      { why: 'command', unwritten: true, failed: 'pre command: exit 1', flags: [asked] },
      false,
      'not applied to the project "demo"; all files are unchanged.',
      'The pre command: exit 1\n\nPlease send the whole change again, so that the command succeeds: every file that it needs, based on the files as they are now.',
    ],
    [
      'its files were changed meanwhile',
      { why: 'conflict', unwritten: true, conflicts: ['src/theme.ts'] },
      false,
      'not applied to the project "demo"; none of it is in the files.',
      'These files have changed meanwhile:\n- src/theme.ts\n\nPlease send the whole change again: every file that it needs, based on the files as they are now.',
    ],
    [
      'they were when it was written',
      { why: 'conflict', conflicts: ['src/theme.ts'] },
      false,
      'applied to the project "demo" and then rolled back; none of it is in the files.',
      'These files have changed meanwhile:\n- src/theme.ts\n\nPlease send the whole change again: every file that it needs, based on the files as they are now.',
    ],
    [
      'it was interrupted',
      { why: 'interrupted', unwritten: true, flags: [asked] },
      true,
      'not applied to the project "demo"; all files are unchanged.',
      'Reason: (write it here)\n\nPlease send the whole change again, corrected: every file that it needs, based on the files as they are now.',
    ],
  ])('says what became of it, and no more: %s', (_what, ended, isOpen, fate, ask) => {
    const made = followUp({ ...attempt, newErrors: [], newErrorCount: 0, ...ended }, [], 'demo')
    const [, first = '', ...parts] = made.text.split('\n\n')
    const named = parts.filter(part => part.includes('tsconfig.json: configures'))
    expect(first).toBe(`Your last answer was ${fate}`)
    expect(made.text).toContain(`\n\n${ask}\n\nEach file as its own`)
    expect(made.isOpen).toBe(isOpen)
    const isAsked = ended.why === 'unasked' || (ended.why === 'declined' && ended.leftOut === undefined)
    expect(named.map(part => part.split('\n')[0])).toEqual(
      isAsked ? ['The user must allow changes to these files first:'] : [],
    )
  })

  it('keeps whatever the texts hold inside of its fences', () => {
    const text = 'a\n```yaml\nprojectId: demo\nuuid: 0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11\n```\n`````\n'
    const made = followUp(attempt, [{ path: 'README.md', text }], 'demo').text
    expect(made).toContain('README.md\n\n``````md\na\n```yaml')
  })

  it.each([
    [
      'a patch inside',
      '```typescript // a.ts\n// START\n\nx\n\n// END\n```\n\n```yaml\nprojectId: demo\nuuid: 0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11\n```\n',
    ],
    ['ordinary files', 'const a = 1\n'],
  ])('is never taken for an answer: %s', (_name, text) => {
    const made = followUp({ ...attempt, title: text.split('\n')[0] ?? '' }, [{ path: 'src/a.ts', text }], 'demo')
    expect(parseResponse(made.text, 'demo')).toEqual({ kind: 'ignored', why: { kind: 'own-text' } })
  })

  describe('with more than fits', () => {
    const line = 'const something = "that is rather long and repeats itself";\n'
    const long = Array.from({ length: 2000 }, (_, index) => `${index + 1} ${line}`).join('')

    it('shows only the lines near the errors of a long file, and says so', () => {
      const files = [
        { path: 'src/store/ui.ts', text: long },
        { path: 'src/old.ts', text: 'old\n' },
        { path: 'src/other.ts', text: long },
      ]
      const made = followUp(attempt, files, 'demo')
      expect(made.text).toContain('src/store/ui.ts (only the lines near the errors, of 2,001 lines)')
      expect(made.text).toContain('\n26 const something')
      expect(made.text).toContain('\n56 const something')
      expect(made.text).not.toContain('\n57 const something')
      expect(made.text).toContain('src/old.ts\n\n```ts\nold\n```')
      expect(made.text).toContain('Files that are not shown here:\n- src/other.ts (2,001 lines)')
      expect(made.files).toBe(2)
    })

    it.each([
      [
        'long files',
        { ...attempt },
        Array.from({ length: 40 }, (_, index) => ({ path: `src/${index}.ts`, text: long })),
      ],
      [
        'many errors',
        {
          ...attempt,
          newErrorCount: 5000,
          newErrors: Array.from({ length: 40 }, (_, index) => ({
            file: 'src/store/ui.ts',
            line: index * 50 + 1,
            code: 'TS1',
            message: 'm'.repeat(5000),
            around: { first: 1, lines: Array.from({ length: 7 }, () => 'x'.repeat(300)) },
          })),
        },
        [{ path: 'src/store/ui.ts', text: long }],
      ],
      ['a long output', { ...attempt, newErrors: [], output: 'o'.repeat(4000), failed: 'post command: exit 1' }, []],
      [
        'many files',
        {
          ...attempt,
          operations: Array.from({ length: 5000 }, (_, i) => ({ op: 'write' as const, path: `a/${i}.ts` })),
        },
        Array.from({ length: 5000 }, (_, index) => ({ path: `a/${index}.ts`, text: 'x\n' })),
      ],
    ])('stays within its budget: %s', (_name, tried, files) => {
      const made = followUp(tried, files, 'demo')
      expect(made.tokens).toBeLessThanOrEqual(8000)
      expect(made.text).toContain('new random uuid')
    })
  })

  it('notices the third try with the same errors', () => {
    expect(followUp({ ...attempt, attempt: 3, errorSets: ['b', 'a', 'a'] }, [], 'demo').isCircling).toBe(false)
    expect(followUp({ ...attempt, attempt: 3, errorSets: ['', '', ''] }, [], 'demo').isCircling).toBe(false)
    const made = followUp({ ...attempt, attempt: 3, errorSets: ['a', 'a', 'a'] }, [], 'demo')
    expect(made.isCircling).toBe(true)
    expect(made.text).toContain('take another approach')
    expect(screen(followUpLines(made, 3, 'made', plain))).toMatchInlineSnapshot(`
      "
      ✔ follow-up prompt: 2 errors, ~280 tokens                            attempt 3
      ▲ The same errors for the third time: the model is going in circles. Start a
          new chat, or change the request.
      "
    `)
  })
})
