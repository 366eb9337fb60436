import { describe, expect, it } from 'vitest'
import type { Control, Operation } from '../src/model.ts'
import { titleOf } from '../src/title.ts'

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
    ['Sure! I add a toggle to src/a.ts and use it. Bye', 'I add a toggle to src/a.ts and use it'],
    ["Here's the change:\n\nThe store now keeps the theme.", 'The store now keeps the theme'],
    ['I have made the following changes:\n\n- The store keeps the theme', 'The store keeps the theme'],
    ['The changes are as follows:\n\nThe store keeps it', 'The store keeps it'],
    ['Step-by-step reasoning:\n\n1. The store keeps it', 'The store keeps it'],
    ['My apologies for the error. The store keeps it', 'The store keeps it'],
    ['I understand. The store keeps it', 'The store keeps it'],
    ["I'd be happy to help! The store keeps it", 'The store keeps it'],
    ["I'll help you with that. The store keeps it", 'The store keeps it'],
    ["You're right, it was wrong. The store keeps it", 'The store keeps it'],
    ['Looking at your code, I see it.\n\nThe store keeps it', 'The store keeps it'],
    ["I've made the requested changes.\n\nThe store keeps it", 'The store keeps it'],
    ['Based on your request, I add a toggle', 'Based on your request, I add a toggle'],
    ['Alright, here we go. The store keeps it', 'The store keeps it'],
    ['Summary of changes:\n- The store keeps it', 'The store keeps it'],
    ['The following changes add dark mode.', 'The following changes add dark mode'],
    ['## Dark mode\n\nText', 'Dark mode'],
    ['### Step 1: Create the `theme` module', 'Create the theme module'],
    ['**Step 2** - Use it', 'Use it'],
    ['1. First **do** this', 'First do this'],
    ['- a list item of words', 'a list item of words'],
    ['Sure!\n\nRefactored.', 'Refactored'],
    ['---\n***\nDone with it', 'Done with it'],
    ['Ändert die Größe der Überschrift. Mehr', 'Ändert die Größe der Überschrift'],
    ['添加暗色模式 切换', '添加暗色模式 切换'],
  ])('takes the first sentence that says something: %j', (prose, expected) => {
    expect(title({}, [prose])).toBe(expected)
  })

  it('looks on in the next prose', () => {
    expect(title({}, ['', 'Sure!', 'The store keeps it.'])).toBe('The store keeps it')
  })

  it('takes one word above the files before what stands below them', () => {
    expect(title({}, ['During', 'And run it'])).toBe('During')
    expect(title({}, ['Sure! Refactored.', 'Run the tests.', 'tr'])).toBe('Refactored')
  })

  it('cuts at the end of a word', () => {
    const cut = title({}, ['The settings page gets a toggle for dark mode, and the store remembers what was chosen'])
    expect(cut).toBe('The settings page gets a toggle for dark mode, and the store…')
    expect(title({ promptSummary: 'x'.repeat(100) })).toBe(`${'x'.repeat(60)}…`)
    expect(title({ promptSummary: '😀'.repeat(61) })).toBe(`${'😀'.repeat(60)}…`)
    expect(title({ promptSummary: 'y'.repeat(60) })).toBe('y'.repeat(60))
  })

  it('tells what is done when nothing was said', () => {
    const [remove, write] = operations
    expect(title({})).toBe('write src/a.ts and 2 more')
    expect(title({}, ['***\n\n---'], write && [write])).toBe('write src/a.ts')
    expect(title({}, [], remove && [remove])).toBe('delete src/b.ts')
    expect(title({}, ['Sure! Here is the updated code:', 'Hope it helps! Let me know.'])).toBe(
      'write src/a.ts and 2 more',
    )
    expect(title({}, [], [])).toBe('no changes')
  })

  it('shows nothing that a terminal obeys or the eye does not see', () => {
    const hostile = 'a\x1b[31mb\x07\x9b31m\u202ec\u200bd\u2066\0e\u2028f\ud800'
    for (const text of [title({ promptSummary: hostile }), title({ gitCommitMsg: hostile }), title({}, [hostile])]) {
      expect(text).toMatch(/^[ -~]+$/)
    }
    expect(title({ promptSummary: 'Ship it 👩🏽‍💻 ❤️' })).toBe('Ship it 👩🏽‍💻 ❤️')
  })

  it('looks at the beginning of a huge text only', () => {
    expect(title({}, ['word '.repeat(2_000_000)])).toHaveLength(60)
    expect(title({ promptSummary: ' \n'.repeat(2_000_000) }, ['Go on.'])).toBe('Go on')
  })
})
