import { describe, expect, it } from 'vitest'
import { type PlanParts, planEnvelope, planOpening, planRules } from '../../../src/agents/envelope/plan-envelope.ts'

const fresh: PlanParts = {
  cwd: '/state/checkout/here',
  project: { id: 'abcdef', title: 'Fix login' },
  path: 'RAF/abcdef-fix-login',
  input: '# Login\n\nIt fails.\n',
  tasks: [],
  nextId: '01',
  isResumed: false,
}

const amended: PlanParts = {
  ...fresh,
  tasks: [
    { id: '01', file: '01-a.md', title: 'Add the table', status: 'completed', dependencies: [] },
    { id: '02', file: '02-b.md', title: 'Add the form', status: 'failed', dependencies: ['01'] },
    { id: '03', file: '03-c.md', title: 'Add a test', status: 'pending', dependencies: [] },
  ],
  nextId: '04',
  isResumed: true,
}

describe('the envelope of a plan', () => {
  it('has the description and the rules', () => {
    expect(planEnvelope(fresh)).toMatchInlineSnapshot(`
      "# Your work

      You write the plan "Fix login" (abcdef): task files in RAF/abcdef-fix-login/plans/. Other agents carry them out later, one after the other, and each of them sees its task file and little else.

      You work in /state/checkout/here: a private copy of the project. Change files there and nowhere else.
      You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.

      # What is to be planned

      \`\`\`
      # Login

      It fails.
      \`\`\`

      # A task file

      \`\`\`
      # Task: <its name>

      ## Objective
      <one sentence>

      ## Context
      <why it is needed>

      ## Dependencies
      01, 02

      ## Requirements
      - <what has to be true>

      ## Implementation Steps
      1. <first step>

      ## Acceptance Criteria
      - [ ] <what can be checked>

      ## Notes
      <what else helps>
      \`\`\`

      \`## Dependencies\` has ids of tasks and nothing else, with commas between them, and is left out where there is none. A task begins
      when all of its dependencies are done, so let no two tasks wait for each other.

      # Rules

      - A task is one file, RAF/abcdef-fix-login/plans/<id>-<name>.md. The first new id is 01, then one after the other in base 36: 09, 0a, ... 0z, 10. The name is in small letters, with hyphens.
      - A task is a piece of work that one agent does in one go, and that can be checked by itself. Put first what others build on.
      - Write in RAF/abcdef-fix-login/plans/ and RAF/abcdef-fix-login/decisions.md, and nowhere else: what you write elsewhere is dropped.
      - Write no code, and run nothing that changes files.
      - Leave git alone: no commit, branch or push.
      - Where something is open, decide it, and add it to RAF/abcdef-fix-login/decisions.md: \`## <the question>\`, then what you decided and why.
      "
    `)
  })

  it('has the tasks that there are, and where to go on', () => {
    const envelope = planEnvelope(amended)
    expect(envelope.slice(0, envelope.indexOf('# A task file'))).toMatchInlineSnapshot(`
      "# Your work

      You write further tasks of the plan "Fix login" (abcdef): task files in RAF/abcdef-fix-login/plans/. Other agents carry them out later, one after the other, and each of them sees its task file and little else.

      You work in /state/checkout/here: a private copy of the project. Change files there and nowhere else.
      You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.

      An earlier run was stopped in the middle. What it had written is in RAF/abcdef-fix-login: go on from there.

      # What is to be planned

      \`\`\`
      # Login

      It fails.
      \`\`\`

      # The tasks that there are

      - [COMPLETED] 01 Add the table
      - [FAILED] 02 Add the form
      - [PENDING] 03 Add a test

      "
    `)
    expect(envelope).toContain('The first new id is 04,')
    expect(envelope).toContain('- Leave the files of the tasks that there are alone')
  })

  it('begins a conversation without the description, which is in a file', () => {
    expect(planOpening(fresh)).toMatchInlineSnapshot(
      `"RAF/abcdef-fix-login/input.md says what I want. Read it, look at the code, ask me what is open, then write the task files."`,
    )
    expect(planOpening(amended)).toMatchInlineSnapshot(
      `"RAF/abcdef-fix-login/input.md says what I want now, below its last \`---\`. Read it, look at the code, ask me what is open, then write the task files. We were stopped in the middle: go on with what you find in its folder."`,
    )
    const rules = planRules(fresh)
    expect(rules).not.toContain('It fails.')
    expect(rules.slice(rules.indexOf('# Rules'))).toMatchInlineSnapshot(`
      "# Rules

      - A task is one file, RAF/abcdef-fix-login/plans/<id>-<name>.md. The first new id is 01, then one after the other in base 36: 09, 0a, ... 0z, 10. The name is in small letters, with hyphens.
      - A task is a piece of work that one agent does in one go, and that can be checked by itself. Put first what others build on.
      - Write in RAF/abcdef-fix-login/plans/ and RAF/abcdef-fix-login/decisions.md, and nowhere else: what you write elsewhere is dropped.
      - Write no code, and run nothing that changes files.
      - Leave git alone: no commit, branch or push.
      - Read the code before you ask. Ask what is open, one question at a time, with the answers that you would suggest.
      - After each answer, add it to RAF/abcdef-fix-login/decisions.md at once: \`## <the question>\`, then the answer.
      - When nothing is open, write the task files, list them, and say that the conversation can be ended.
      "
    `)
  })

  it('cuts a description that is too long', () => {
    const envelope = planEnvelope({ ...fresh, input: 'é'.repeat(150_000) })
    expect(envelope).toContain('[relay left out the rest: these are 200000 of 300000 bytes]')
  })
})
