import { describe, expect, it } from 'vitest'
import { readPlanFile } from '../../../src/agents/raf/state.ts'

const whole = `# Task: Add the login form

## Objective
Users can log in.

## Context
They cannot yet.

## Dependencies
01, 0a

## Requirements
- A form

## Implementation Steps
1. Write it
### Styles
2. Look at it

## Acceptance Criteria
- [ ] It is there

## Notes
None.
`

describe('the file of a task', () => {
  it('is read section by section', () => {
    expect(readPlanFile(whole)).toEqual({
      title: 'Add the login form',
      dependencies: ['01', '0a'],
      unread: [],
      sections: [
        { heading: '', text: '' },
        { heading: '# Task: Add the login form', text: '' },
        { heading: '## Objective', text: 'Users can log in.' },
        { heading: '## Context', text: 'They cannot yet.' },
        { heading: '## Dependencies', text: '01, 0a' },
        { heading: '## Requirements', text: '- A form' },
        { heading: '## Implementation Steps', text: '1. Write it' },
        { heading: '### Styles', text: '2. Look at it' },
        { heading: '## Acceptance Criteria', text: '- [ ] It is there' },
        { heading: '## Notes', text: 'None.' },
      ],
    })
  })

  it('is the same with the line ends of Windows and a byte order mark', () => {
    expect(readPlanFile(`\ufeff${whole.replaceAll('\n', '\r\n')}`)).toEqual(readPlanFile(whole))
  })

  it.each<[name: string, text: string, dependencies: readonly string[]]>([
    ['no section', '# Task: A\n', []],
    ['an empty section', '## Dependencies\n\n## Requirements\n- 01, 02', []],
    ['an empty section at the end', '## Dependencies', []],
    ['blank lines before', '## Dependencies  \n\n \n01', ['01']],
    ['blanks around', '## Dependencies\n 01 ,02,  03', ['01', '02', '03']],
    ['the first line alone', '## Dependencies\n01, 02\n03', ['01', '02']],
    ['what stands before a remark', '## Dependencies\n01 # the form', ['01']],
    ['no words, and no ids of another form', '## Dependencies\nnone, 1, 001, 0A, [02], 0z', ['0z']],
    ['the first of two sections', '## Dependencies\n01\n## Dependencies\n02', ['01']],
    ['the first with anything in it', '## Dependencies\n\n## Dependencies\n02', ['02']],
    ['no other heading', '### Dependencies\n01\n## Dependencies (optional)\n02\n## dependencies\n03', []],
    ['no fenced code', '```md\n## Dependencies\n01\n```\n## Dependencies\n02', ['02']],
    ['no fenced code in tildes, with backticks in it', '~~~\n```\n## Dependencies\n01\n~~~\n', []],
    [
      'no longer fence with a shorter one in it',
      '````\n```\n## Dependencies\n01\n```\n````\n## Dependencies\n02',
      ['02'],
    ],
    ['code in a line, which is no fence', '```x``` is code\n## Dependencies\n01', ['01']],
    ['no fence that is never closed', '```\n## Dependencies\n01', []],
  ])('names what it depends on: %s', (_, text, dependencies) => {
    expect(readPlanFile(text).dependencies).toEqual(dependencies)
  })

  it.each([
    ['# Task: A', 'A'],
    ['# Task:A ', 'A'],
    ['# A plan\n# Task: B', 'B'],
    ['# A plan', 'A plan'],
    ['## Objective\nx', ''],
    ['```\n# Task: A\n```', ''],
    ['', ''],
  ])('%j is called %j', (text, title) => {
    expect(readPlanFile(text).title).toBe(title)
  })
})
