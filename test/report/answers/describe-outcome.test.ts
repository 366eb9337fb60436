import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../src/model/response.ts'
import type { Outcome, Restoration, RollbackReason } from '../../../src/model/talk.ts'
import { describeOutcome } from '../../../src/report/answers/describe-outcome.ts'
import type { About } from '../../../src/report/answers/outcome-words.ts'
import { plainOutcome } from '../../../src/report/answers/plain-lines.ts'
import { ascii, at, coloured, plain, screen } from '../samples.ts'

const three = { restored: ['a', 'b', 'c'], rescued: [], kept: [], merged: [] }
const none = { restored: [], rescued: [], kept: [], merged: [] }

const kept: Extract<Outcome, { kind: 'committed' }> = {
  kind: 'committed',
  number: 42,
  uuid: 'a6928e46',
  by: 'auto',
  files: 3,
  checked: true,
  newErrors: 0,
  ms: 8600,
}

function rolledBack(reason: RollbackReason, restoration: Restoration = three): Outcome {
  return { kind: 'rolled-back', number: 42, reason, restoration, ms: 8600 }
}

function show(outcome: Outcome, about?: About): string {
  return screen(describeOutcome(outcome, plain, about))
}

function wordsOf(outcome: Outcome): string | undefined {
  return describeOutcome(outcome, plain)[0]?.replace(/ +8\.6 s$/, '')
}

describe('kept', () => {
  it.each([
    ['auto: no new errors', kept],
    ['auto: 1 new error, within the limit', { ...kept, newErrors: 1 }],
    ['auto: no new errors, ran no test', { ...kept, ranNoTest: true }],
    ['auto: unchecked, no linter is configured', { ...kept, checked: false }],
    ['you said yes', { ...kept, by: 'user' as const }],
    ['you said yes, unchecked', { ...kept, by: 'user' as const, checked: false }],
  ])('says why: %s', (words, outcome) => {
    expect(wordsOf(outcome)).toBe(`✔ kept #42  ${words}`)
  })

  it('does not claim what it was not told', () => {
    const { newErrors: _, ...untold } = kept
    expect(wordsOf(untold)).toBe('✔ kept #42  auto: new errors within the limit')
    expect(wordsOf({ ...untold, errors: 0 })).toBe('✔ kept #42  auto: no errors')
    expect(wordsOf({ ...untold, errors: 2 })).toBe('✔ kept #42  auto: 2 errors, within the limit')
  })

  it('is one line, with the time it took at its end', () => {
    expect(describeOutcome(kept, plain)).toEqual([
      '✔ kept #42  auto: no new errors                                          8.6 s',
    ])
    expect(describeOutcome(kept, ascii)[0]).toMatch(/^ok kept #42 {2}auto: no new errors +8\.6 s$/)
    expect(describeOutcome(kept, coloured)[0]).toContain('\x1b[32m✔\x1b[39m \x1b[1mkept #42\x1b[22m')
  })

  it('names where the original is of a file that was left out and is another by now, and what was saved late', () => {
    const replaced = [{ path: 'src/b.ts', rescue: '.relaycode/rescue/u/src/b.ts.rescued' }]
    expect(describeOutcome({ ...kept, replaced }, plain)[1]).toBe(
      '    src/b.ts: left as edited; the version from before the change is in',
    )
    expect(describeOutcome({ ...kept, late: replaced }, plain)[1]).toBe(
      '    src/b.ts: saved while relay replaced it; that version is in',
    )
  })
})

describe('rolled back', () => {
  it.each([
    ['declined #42  3 files restored', rolledBack({ kind: 'declined' })],
    [
      'not applied #42  interrupted by Ctrl+C   nothing was written',
      rolledBack({ kind: 'interrupted', signal: 'SIGINT' }, none),
    ],
    ['rolled back #42  ended by SIGTERM   3 files restored', rolledBack({ kind: 'interrupted', signal: 'SIGTERM' })],
    [
      'not applied #42  pre command failed: exit 1   nothing was written',
      rolledBack({ kind: 'command', step: 'pre', end: { ok: false, why: 'exit 1', output: '' } }, none),
    ],
  ])('says why: %s', (words, outcome) => {
    expect(wordsOf(outcome)).toBe(`↩ ${words}`)
  })

  it('is declined where nothing had been written', () => {
    expect(wordsOf(rolledBack({ kind: 'declined' }, none))).toBe('○ declined #42  nothing was written')
  })

  it('says how to apply it when nobody could be asked', () => {
    const flag = { flag: 'sensitive-path', path: 'package.json', reason: 'runs on npm install' } as const
    const outcome = rolledBack({
      kind: 'unasked',
      reasons: [
        { kind: 'new-errors', count: 2, limit: 0 },
        { kind: 'flag', flag },
      ],
    })
    expect(show(outcome)).toMatchInlineSnapshot(`
      "
      ↩ rolled back #42  nobody could be asked   3 files restored              8.6 s
          2 new errors (0 allowed)
          package.json: runs on npm install
          To apply it: \`relay apply --last --yes --allow-sensitive\`
      "
    `)
    expect(show(rolledBack({ kind: 'unasked', reasons: [{ kind: 'approval-no' }] }))).toContain('--last --yes`\n')
    expect(show(rolledBack({ kind: 'unasked', reasons: [{ kind: 'flag', flag }] }, none))).toContain(
      '--last --allow-sensitive`\n',
    )
  })

  it('does not say that nobody could be asked where the input ended at the question', () => {
    const outcome = rolledBack({ kind: 'unasked', reasons: [{ kind: 'approval-no' }], closed: true })
    expect(wordsOf(outcome)).toBe('↩ rolled back #42  the input ended at the question   3 files restored')
    expect(show(outcome)).toContain('To apply it: `relay apply --last`\n')
  })

  it('says where each version of an edited file is now', () => {
    const restoration = {
      restored: ['src/a.ts'],
      rescued: [{ path: 'src/b.ts', rescue: '.relaycode/rescue/a6928e46-1111-4222-8333-444455556666/src/b.ts' }],
      kept: [{ path: 'src/c.ts', rescue: '.relaycode/rescue/a6928e46/src/c.ts' }],
      merged: ['src/e.ts'],
    }
    expect(show(rolledBack({ kind: 'conflict', paths: ['src/c.ts', 'src/d.ts'] }, restoration))).toMatchInlineSnapshot(`
      "
      ↩ rolled back #42                                                        8.6 s
          2 files changed while relay worked
          1 file restored, 1 file restored around your edits, 1 file left as
            edited
          src/b.ts: restored; the version that was there is in
            .relaycode/rescue/a6928e46-1111-4222-8333-444455556666/src/b.ts
          src/e.ts: the change is out, and what you edited since stays
          src/c.ts: left as edited; the version from before the change is in
            .relaycode/rescue/a6928e46/src/c.ts
          src/d.ts: changed while relay worked
      "
    `)
  })

  it('passes on what failed, and what to do', () => {
    const error = Object.assign(new Error('No space left while writing src/a.ts'), { hint: 'Free some space' })
    expect(show(rolledBack({ kind: 'failed', error }))).toMatchInlineSnapshot(`
      "
      ↩ rolled back #42                                                        8.6 s
          No space left while writing src/a.ts
          3 files restored
          Hint: Free some space
      "
    `)
    expect(show(rolledBack({ kind: 'failed', error: new Error('Out of luck') }))).not.toContain('Hint')
  })
})

describe('refused', () => {
  const problem: Problem = { code: 'no-path', message: 'no file path after "```ts //"', block: 2, line: 118 }

  it('names the place and what was found', () => {
    expect(show({ kind: 'refused', problems: [problem] })).toMatchInlineSnapshot(`
      "
      ✖ refused  block 2, line 118: no file path after "\`\`\`ts //"
          Nothing was written.
      "
    `)
  })

  it('names all problems', () => {
    const outside = { code: 'outside', path: '../../.ssh/config', message: 'It is outside the project', line: 210 }
    const named = {
      code: 'x',
      path: 'a.ts',
      message: 'a.ts is a folder. Ask for another name, or move what is there out of the way.',
    }
    expect(show({ kind: 'refused', problems: [problem, outside, named] })).toMatchInlineSnapshot(`
      "
      ✖ refused  3 problems
          block 2, line 118: no file path after "\`\`\`ts //"
          line 210, ../../.ssh/config: It is outside the project
          a.ts is a folder. Ask for another name, or move what is there out of the
            way.
          Nothing was written.
      "
    `)
  })

  it('names ten, and counts the rest', () => {
    const lines = describeOutcome({ kind: 'refused', problems: [problem, ...Array(14).fill(problem)] }, plain)
    expect(lines[0]).toBe('✖ refused  15 problems')
    expect(lines.slice(-2)).toEqual(['    and 5 more problems', '    Nothing was written.'])
  })
})

describe('left alone', () => {
  const iso = at(11, 40).toISOString()

  it.each([
    ['committed', 'already applied as #38 at 11:40'],
    ['declined', 'already declined as #38 at 11:40'],
    ['rolled-back', 'already rolled back as #38 at 11:40'],
    ['undone', 'applied as #38 and undone at 11:40'],
  ] as const)('says that its uuid has had its turn: %s', (state, words) => {
    const lines = describeOutcome({ kind: 'skipped', number: 38, state, at: iso }, plain, { now: at(14, 2) })
    expect(lines).toEqual([
      `○ skipped  ${words} (same uuid, same content)`,
      '    Nothing was written. To apply it anyway: `relay apply --again`',
    ])
  })

  it.each([
    ['file:answer.md', 'answer.md'],
    ["file:it's.md", "'it'\\''s.md'"],
    ['stdin', '-'],
    ['paste', '-'],
  ] as const)('names the command that takes it again: %s', (source, named) => {
    const lines = describeOutcome({ kind: 'skipped', number: 38, state: 'undone', at: iso }, plain, { source })
    expect(lines.at(-1)).toContain(` \`relay apply --again ${named}\``)
  })

  it('says that all is unchanged', () => {
    expect(show({ kind: 'unchanged', paths: ['src/a.ts', 'src/b.ts'] })).toMatchInlineSnapshot(`
      "
      ○ unchanged  2 files already match the answer; nothing to do
          src/a.ts
          src/b.ts
      "
    `)
    expect(show({ kind: 'unchanged', paths: ['src/a.ts'] })).toContain(' 1 file already matches the answer; ')
  })

  it.each([
    [['a'], ['a'], 'your version of 1 file stays; nothing was written'],
    [['a', 'b'], ['a', 'b'], 'your version of 2 files stays; nothing was written'],
    [['a', 'b', 'c'], ['b'], 'your version of 1 file stays; 2 files already match the answer'],
  ])('says of %j that %j stay as the user has them', (paths, yours, said) => {
    expect(show({ kind: 'unchanged', paths, yours })).toContain(said)
  })

  it.each([
    [[3], 'a.ts, line 3: changed by you since #1'],
    [[3, 20, 30], 'a.ts, lines 3, 20 and 30: changed by you since #1'],
    [Array.from({ length: 12 }, (_, at) => at), 'a.ts, lines 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more: changed'],
  ])('names the places of an overlap: %j', (at, said) => {
    const places = at.map(line => ({ line, ours: ['a'], theirs: ['b'] }))
    const overlap = { path: 'a.ts', why: 'text', places, since: '#1', canMark: true, now: Buffer.from('a') } as const
    expect(show({ kind: 'overlap', overlaps: [overlap] })).toContain(said)
  })

  it('names the other project, and this one', () => {
    const outcome: Outcome = { kind: 'ignored', why: { kind: 'other-project', projectId: 'billing-api', uuid: 'x' } }
    expect(describeOutcome(outcome, plain, { projectId: 'my-app' })).toEqual([
      '○ ignored  an answer for "billing-api" (this project is "my-app")',
    ])
    expect(describeOutcome(outcome, plain)).toEqual(['○ ignored  an answer for "billing-api"'])
  })

  it('leaves the command that takes it again in one piece', () => {
    const outcome: Outcome = { kind: 'skipped', number: 42, state: 'committed', at: '' }
    expect(describeOutcome(outcome, plain, { source: 'file:answers/the second try.md' }).slice(-2)).toEqual([
      '    Nothing was written. To apply it anyway:',
      '      `relay apply --again "answers/the second try.md"`',
    ])
  })

  it.each([
    ['clipboard', ' on the clipboard'],
    ['stdin', ' on stdin'],
    ['file:answer.md', ' in answer.md'],
    ['paste', ' in what was pasted'],
  ] as const)('says where no patch was found: %s', (source, words) => {
    expect(describeOutcome({ kind: 'ignored', why: { kind: 'no-patch' } }, plain, { source })[0]).toBe(
      `○ not applied  no YAML block with projectId was found${words}`,
    )
  })

  it('says of an answer without a control block that it seems cut off, where a START has no END', () => {
    for (const kind of ['no-patch', 'no-control'] as const) {
      expect(show({ kind: 'ignored', why: { kind, isCut: true } })).toMatchInlineSnapshot(`
        "
        ○ not applied  the answer seems cut off: it has no END and no YAML block
            Nothing was written. Copy the whole answer; if it stops there, ask the
              model for all of its files again.
        "
      `)
    }
  })

  it('says of what one block holds what it lacks', () => {
    expect(show({ kind: 'ignored', why: { kind: 'no-patch', isBlock: true } })).toMatchInlineSnapshot(`
      "
      ○ not applied  only one block of an answer, without its path and YAML block
          Nothing was written. Copy the whole answer with the chat's copy button,
            not one block.
      "
    `)
  })

  it('says what a patch without a control block lacks, and knows its own text', () => {
    expect(show({ kind: 'ignored', why: { kind: 'no-control' } })).toMatchInlineSnapshot(`
      "
      ○ not applied  an answer without its final YAML block
          Nothing was written. Ask the model for the whole answer, with its final
            YAML block (projectId, uuid, changeSummary).
      "
    `)
    expect(show({ kind: 'ignored', why: { kind: 'own-text' } })).toMatchInlineSnapshot(`
      "
      ○ not applied  this is relay's own prompt for the model, not an answer
      "
    `)
  })
})

it('puts an outcome on one line where there is no terminal', () => {
  expect(plainOutcome(kept, at(14, 2, 11))).toBe('14:02:11 kept #42: auto: no new errors')
  const reasons = [{ kind: 'new-errors', count: 2, limit: 0 }] as const
  expect(plainOutcome(rolledBack({ kind: 'unasked', reasons }), at(14, 2, 11))).toBe(
    '14:02:11 rolled back #42: nobody could be asked; 3 files restored; 2 new errors (0 allowed). To apply it: `relay apply --last --yes`',
  )
  const problem = { code: 'two-controls', message: 'Two control blocks. Copy one answer alone.' }
  expect(plainOutcome({ kind: 'refused', problems: [problem] }, at(14, 2, 11))).toBe(
    '14:02:11 refused: Two control blocks. Copy one answer alone. Nothing was written.',
  )
  expect(plainOutcome(rolledBack({ kind: 'unasked', reasons }), at(14, 2, 11), { whyUnasked: 'TERM=dumb' })).toContain(
    'rolled back #42: nobody could be asked (TERM=dumb); 3 files restored',
  )
})
