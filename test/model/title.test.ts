import { describe, expect, it } from 'vitest'
import type { Control, Operation } from '../../src/model/response.ts'
import { titleOf } from '../../src/model/title.ts'

const control: Control = { projectId: 'demo', uuid: '1b671a64', changeSummary: [] }
const operations: Operation[] = [
  { op: 'delete', path: 'src/b.ts' },
  { op: 'write', path: 'src/a.ts', content: '' },
  { op: 'write', path: 'src/c.ts', content: '' },
]
const title = (more: Partial<Control>, reasoning: string[] = [], of = operations) =>
  titleOf({ control: { ...control, ...more }, reasoning, operations: of })

describe('titleOf', () => {
  it('takes the summary, else the first line of the commit message', () => {
    expect(title({ promptSummary: 'Add dark mode', gitCommitMsg: 'feat: x' }, ['Hello there.'])).toBe('Add dark mode')
    expect(title({ gitCommitMsg: '\nfeat: dark mode\n\nLong story' }, ['Hello there.'])).toBe('feat: dark mode')
    expect(title({ promptSummary: ' \n ', gitCommitMsg: 'feat: x' })).toBe('feat: x')
    expect(title({ promptSummary: 'Add\n  dark\tmode ' })).toBe('Add dark mode')
  })

  it.each([
    ['I add a toggle. Then more.', 'I add a toggle'],
    [
      'Okay, `src/legacy.ts` is not imported anywhere, so it can go.',
      'Okay, src/legacy.ts is not imported anywhere, so it can go',
    ],
    ['`format` supports an optional locale. `parse` does not.', 'format supports an optional locale'],
    ['Sure! Here is a discount for the cart. I split it in two.', 'Here is a discount for the cart'],
    ["Certainly! Here's the updated module, with a guard.", "Here's the updated module, with a guard"],
    ['Here are three tests. I cover the empty list.', 'Here are three tests'],
    ['**Step 1: a loader for configuration files.** It reads JSON.', 'Step 1: a loader for configuration files'],
    ['**Step 1.** Add `zod` for validation.', 'Add zod for validation'],
    ["I've made these changes:\n\n- The store keeps it", "I've made these changes"],
    ['## Dark mode\n\nText', 'Dark mode'],
    ['1. Mark **the** fields', 'Mark the fields'],
    ['> - a list item', 'a list item'],
    ['---\n***\nDone with it', 'Done with it'],
    ['Great.\n\nThe parser of __init__.py keeps e.g. comments. More', 'The parser of __init__.py keeps e.g. comments'],
    ['Wait... then more', 'Wait... then more'],
    ['Ändert die Größe der Überschrift. Mehr', 'Ändert die Größe der Überschrift'],
    ['添加暗色模式。然后更多', '添加暗色模式'],
    ['Fixed', 'Fixed'],
  ])('takes the first sentence as it stands: %j', (prose, expected) => {
    expect(title({}, [prose])).toBe(expected)
  })

  it('looks on in the next prose', () => {
    expect(title({}, ['', 'Sure!', 'The store keeps it.'])).toBe('The store keeps it')
  })

  it('stays whole', () => {
    const sentence = `The settings page gets a toggle for dark mode, and the store ${'very '.repeat(40)}well remembers it`
    expect(title({}, [`${sentence}. More`])).toBe(sentence)
    expect(title({ promptSummary: 'x'.repeat(300) })).toBe('x'.repeat(300))
  })

  it('tells what is done when nothing was said', () => {
    const [remove, write] = operations
    expect(title({})).toBe('edit src/a.ts and 2 more')
    expect(title({}, ['***\n\n---', 'Sure!'], write && [write])).toBe('edit src/a.ts')
    expect(title({ changeSummary: [null, 'src/a.ts', { new: 'src/a.ts' }] }, [], write && [write])).toBe('new src/a.ts')
    expect(title({ changeSummary: [{ edit: 'src/a.ts' }] }, [], write && [write])).toBe('edit src/a.ts')
    expect(title({}, [], remove && [remove])).toBe('delete src/b.ts')
    expect(title({}, [], [])).toBe('no changes')
  })

  it('is the same of an answer and of its entry, where a rename is a delete and a write', () => {
    const [remove] = operations
    const asked = [{ op: 'rename', path: 'src/x.ts', to: 'src/y.ts', blocks: [] } as const, ...operations]
    const kept = [
      { op: 'delete', path: 'src/x.ts' } as const,
      { op: 'write', path: 'src/y.ts', content: '', renamedFrom: 'src/x.ts' } as const,
      ...operations,
    ]
    const summary = [{ new: 'src/y.ts' }]
    for (const of of [asked, kept])
      expect(title({ changeSummary: summary }, [], of)).toBe('rename src/x.ts to src/y.ts and 3 more')
    expect(title({}, [], remove && [remove, ...kept.slice(0, 2)])).toBe('rename src/x.ts to src/y.ts and 1 more')
  })

  it('shows nothing that a terminal obeys or the eye does not see', () => {
    const hostile = 'a\x1b[31mb\x07\x9b31m\u202ec\u200bd\u2066\0e\u2028f\ud800'
    for (const text of [title({ promptSummary: hostile }), title({ gitCommitMsg: hostile }), title({}, [hostile])]) {
      expect(text).toMatch(/^[ -~]+$/)
    }
    expect(title({ promptSummary: 'Ship it 👩🏽‍💻 ❤️' })).toBe('Ship it 👩🏽‍💻 ❤️')
  })

  it('looks at the beginning of a huge text only', () => {
    expect(title({}, ['word '.repeat(2_000_000)])).toHaveLength(3_999)
    expect(title({ promptSummary: ' \n'.repeat(2_000_000) }, ['Go on.'])).toBe('Go on')
  })
})
