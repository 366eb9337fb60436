import { describe, expect, it } from 'vitest'
import { copiedInstruction, readNote, withSession, withState } from '../../../src/agents/session/note-lines.ts'

const agents = ['claude', 'codex']
const wish = (text: string, agent = 'claude') => ({ kind: 'wish', text, agent })

describe('a note', () => {
  it.each<[string, string, readonly object[]]>([
    ['a line', 'Add dark mode /claude', [wish('Add dark mode')]],
    ['another agent', 'Add dark mode /codex', [wish('Add dark mode', 'codex')]],
    ['blanks behind it', 'Add dark mode /claude  ', [wish('Add dark mode')]],
    ['a task of a list', '- [ ] Add dark mode /claude', [wish('Add dark mode')]],
    ['a number and a heading', '1. One /claude\n## Two /claude', [wish('One'), wish('Two')]],
    ['CRLF and a BOM', '\ufeffOne /claude\r\nTwo /claude\r\n', [wish('One'), wish('Two')]],
    ['no words', ' /claude\n/claude\n- /claude', []],
    ['something behind it', 'See /claude for more', []],
    ['no blank before it', 'Look in src/claude', []],
    ['an agent that there is not', 'Add dark mode /nobody', []],
    ['fenced code', '```\nOne /claude\n```\nTwo /claude\n~~~~ md\nThree /claude\n~~~\nFour /claude\n', [wish('Two')]],
    ['a fence in a list', '- ```sh\n  One /claude\n  ```\nTwo /claude', [wish('Two')]],
    ['backticks in a line', '```not a fence``` /claude', [wish('```not a fence```')]],
  ])('reads %s', (_, text, found) => {
    expect(readNote(text, agents)).toEqual(found)
  })

  it('becomes a session, and each of its states, with the same line ends', () => {
    const text = '# Day\r\n\r\n- [ ] Add — dark mode /claude\r\nmore\r\n'
    const begun = withSession(
      text,
      { text: 'Add — dark mode', agent: 'claude' },
      { shortId: '1a2b3c4d', state: 'Initializing headless session...' },
    )
    expect(begun).toBe(
      '# Day\r\n\r\n- [ ] Add — dark mode — Initializing headless session... (session 1a2b3c4d)\r\nmore\r\n',
    )
    const working = withState(begun ?? '', { shortId: '1a2b3c4d', state: 'Claude is working...' })
    const state = '[Claude has finished. Click for PR](https://github.com/o/r/pull/7)'
    const done = withState(working ?? '', { shortId: '1a2b3c4d', state })
    expect(done).toBe(`# Day\r\n\r\n- [ ] Add — dark mode — ${state} (session 1a2b3c4d)\r\nmore\r\n`)
    expect(readNote(done ?? '', agents)).toEqual([{ kind: 'session', shortId: '1a2b3c4d', state, isFinished: true }])
    expect(withState(done ?? '', { shortId: '1a2b3c4d', state: 'Error: no' })).toBe(done)
  })

  it('changes one of two equal lines, and nothing where the line is gone', () => {
    const session = { shortId: '1a2b3c4d', state: 's' }
    expect(withSession('A /claude\nA /claude', { text: 'A', agent: 'claude' }, session)).toBe(
      'A — s (session 1a2b3c4d)\nA /claude',
    )
    expect(withSession('B /claude', { text: 'A', agent: 'claude' }, session)).toBeUndefined()
    expect(withState('B /claude', session)).toBeUndefined()
  })
})

it.each<[string, object | undefined]>([
  ['Add dark mode /claude\n', { text: 'Add dark mode', agent: 'claude' }],
  ['Add\r\ndark mode  /codex', { text: 'Add\r\ndark mode', agent: 'codex' }],
  [`${'line\n'.repeat(20)}end /claude`, undefined],
  ['Add dark mode /nobody', undefined],
  ['Add /claude\nmore', undefined],
  [' /claude', undefined],
])('takes %j as copied to be delegated, or not', (text, wish) => {
  expect(copiedInstruction(text, agents)).toEqual(wish)
})
