import { describe, expect, it } from 'vitest'
import type { Control, Operation } from '../../src/model/response.ts'
import { titleOf } from '../../src/model/title.ts'

const control: Control = { projectId: 'demo', uuid: '1b671a64', changeSummary: [] }
const operations: Operation[] = [
  { op: 'delete', path: 'src/b.ts' },
  { op: 'write', path: 'src/a.ts', content: '' },
  { op: 'write', path: 'src/c.ts', content: '' },
]
const title = (more: Partial<Control>, of = operations) => titleOf({ control: { ...control, ...more }, operations: of })

describe('titleOf', () => {
  it('takes the summary, else the first line of the commit message', () => {
    expect(title({ promptSummary: 'Add dark mode', gitCommitMsg: 'feat: x' })).toBe('Add dark mode')
    expect(title({ gitCommitMsg: '\nfeat: dark mode\n\nLong story' })).toBe('feat: dark mode')
    expect(title({ promptSummary: ' \n ', gitCommitMsg: 'feat: x' })).toBe('feat: x')
    expect(title({ promptSummary: 'Add\n  dark\tmode ' })).toBe('Add dark mode')
  })

  it('stays whole', () => {
    expect(title({ promptSummary: 'x'.repeat(300) })).toBe('x'.repeat(300))
  })

  it('names the operations when the answer has no name for itself', () => {
    const [remove, write] = operations
    expect(title({})).toBe('edit src/a.ts and 2 more')
    expect(title({ changeSummary: [{ new: 'src/c.ts' }] }, operations.slice(1))).toBe('edit src/a.ts, new src/c.ts')
    expect(title({}, operations.slice(0, 2))).toBe('edit src/a.ts, delete src/b.ts')
    expect(title({}, write && [write])).toBe('edit src/a.ts')
    expect(title({ changeSummary: [null, 'src/a.ts', { new: 'src/a.ts' }] }, write && [write])).toBe('new src/a.ts')
    expect(title({ changeSummary: [{ edit: 'src/a.ts' }] }, write && [write])).toBe('edit src/a.ts')
    expect(title({}, remove && [remove])).toBe('delete src/b.ts')
    expect(title({}, [])).toBe('no changes')
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
      expect(title({ changeSummary: summary }, of)).toBe('rename src/x.ts to src/y.ts and 3 more')
    expect(title({}, remove && [remove, ...kept.slice(0, 2)])).toBe('rename src/x.ts to src/y.ts, delete src/b.ts')
  })

  it('shows nothing that a terminal obeys or the eye does not see', () => {
    const hostile = 'a\x1b[31mb\x07\x9b31m\u202ec\u200bd\u2066\0e\u2028f\ud800'
    for (const text of [title({ promptSummary: hostile }), title({ gitCommitMsg: hostile })]) {
      expect(text).toMatch(/^[ -~]+$/)
    }
    expect(title({ promptSummary: 'Ship it 👩🏽‍💻 ❤️' })).toBe('Ship it 👩🏽‍💻 ❤️')
  })

  it('looks at the beginning of a huge text only', () => {
    expect(title({ promptSummary: 'word '.repeat(2_000_000) })).toHaveLength(3_999)
    expect(title({ promptSummary: ' \n'.repeat(2_000_000), gitCommitMsg: 'Go on' })).toBe('Go on')
  })
})
