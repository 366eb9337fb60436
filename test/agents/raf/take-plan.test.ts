import { describe, expect, it } from 'vitest'
import { type FolderFiles, takenBeside, takePlan } from '../../../src/agents/raf/take-plan.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
function files(texts: Readonly<Record<string, string | Uint8Array | undefined>>): FolderFiles {
  return new Map(Object.entries(texts).map(([path, text]) => [path, typeof text === 'string' ? bytes(text) : text]))
}

const before = {
  'input.md': 'Fix it.\n',
  'decisions.md': '# Project Decisions\n',
  'plans/01-a.md': '# Task: A\n',
  'outcomes/01-a.md': '<promise>COMPLETE</promise>\n',
}
const take = (now: Parameters<typeof files>[0]) => takePlan(files(before), files(now), '02')

describe('takePlan', () => {
  it('takes nothing where nothing was made', () => {
    expect(take(before)).toEqual({ plans: [], decisions: undefined, dropped: [] })
  })

  it('takes new task files and the decisions', () => {
    const now = {
      ...before,
      'decisions.md': '# Project Decisions\n\n## Which?\nThis.\n',
      'plans/02-b.md': '# Task: B\n',
    }
    expect(take({ ...now, 'plans/0a-c.md': '' })).toEqual({
      plans: [
        { name: '02-b.md', text: '# Task: B\n' },
        { name: '0a-c.md', text: '' },
      ],
      decisions: '# Project Decisions\n\n## Which?\nThis.\n',
      dropped: [],
    })
  })

  it.each<[string, Parameters<typeof files>[0], string, string]>([
    ['a changed task file', { ...before, 'plans/01-a.md': '# Task: Z\n' }, 'plans/01-a.md', 'it stays as it was'],
    [
      'a task file put in place of a link',
      { ...before, 'plans/01-a.md': undefined },
      'plans/01-a.md',
      'it stays as it was',
    ],
    ['a removed outcome', { ...before, 'outcomes/01-a.md': undefined }, 'outcomes/01-a.md', 'it stays as it was'],
    ['the description', { ...before, 'input.md': 'No.\n' }, 'input.md', 'it stays as it was'],
    ['an outcome', { ...before, 'outcomes/02-b.md': '<promise>COMPLETE</promise>' }, 'outcomes/02-b.md', ''],
    ['any other file', { ...before, '.claude/settings.json': '{}' }, '.claude/settings.json', ''],
    ['a file below plans', { ...before, 'plans/02-b/notes.md': '' }, 'plans/02-b/notes.md', ''],
    ['a file with another name', { ...before, 'plans/b.md': '' }, 'plans/b.md', 'a task file is called <id>-<name>.md'],
    ['an older id', { ...before, 'plans/01-b.md': '' }, 'plans/01-b.md', 'its id has to be 02 or a later one'],
    ['a link', { ...before, 'plans/02-b.md': undefined }, 'plans/02-b.md', 'it is no plain file'],
    ['decisions that are a link', { ...before, 'decisions.md': undefined }, 'decisions.md', 'it is no plain file'],
    ['other bytes', { ...before, 'plans/02-b.md': new Uint8Array([255]) }, 'plans/02-b.md', 'it is no text in UTF-8'],
    ['a huge file', { ...before, 'plans/02-b.md': 'x'.repeat(200_001) }, 'plans/02-b.md', 'it has more than 200 kB'],
  ])('does not take %s', (_, now, path, why) => {
    expect(take(now)).toEqual({ plans: [], decisions: undefined, dropped: [{ path, why }] })
  })

  it('names what was removed', () => {
    const { 'plans/01-a.md': _, ...now } = before
    expect(take(now).dropped).toEqual([{ path: 'plans/01-a.md', why: 'it stays' }])
  })
})

describe('takenBeside', () => {
  const made = { plans: [{ name: '02-b.md', text: 'B' }], decisions: '# D\n\n## Mine\n', dropped: [] }
  const known = { decisions: '# D\n' }

  it('takes all where the user has changed nothing', () => {
    expect(takenBeside(made, known, { plans: [], ...known })).toEqual(made)
  })

  it('adds the decisions once, also where a stopped relay has added them', () => {
    const home = { plans: made.plans, decisions: '# D\n\n## Yours\n\n## Mine\n' }
    expect(takenBeside(made, known, home)).toEqual({ ...made, decisions: home.decisions })
    expect(takenBeside(made, known, { plans: [], decisions: made.decisions })).toEqual(made)
  })

  it('leaves what the user has written meanwhile, and adds the decisions to it', () => {
    const home = { plans: [{ name: '02-b.md', text: 'mine' }], decisions: '# D\n\n## Yours\n' }
    expect(takenBeside(made, known, home)).toEqual({
      plans: [],
      decisions: '# D\n\n## Yours\n\n## Mine\n',
      dropped: [{ path: 'plans/02-b.md', why: 'there is another one by now' }],
    })
    const rewritten = { ...made, plans: [], decisions: 'other' }
    expect(takenBeside(rewritten, known, home)).toEqual({
      plans: [],
      decisions: undefined,
      dropped: [{ path: 'decisions.md', why: 'there is another one by now' }],
    })
  })
})
