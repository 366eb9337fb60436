import { describe, expect, it } from 'vitest'
import { type DoneTask, type TaskParts, taskEnvelope } from '../../../src/agents/envelope/task-envelope.ts'

const first: TaskParts = {
  project: { id: 'abcdef', title: 'Fix login' },
  task: { id: '02', title: 'Add the form' },
  place: { n: 2, of: 3 },
  file: { path: 'RAF/abcdef-fix-login/plans/02-add-the-form.md', text: '# Task: Add the form\n\n```ts\nform()\n```\n' },
  dependencies: [],
  outcomePath: 'RAF/abcdef-fix-login/outcomes/02-add-the-form.md',
  lastOutcome: undefined,
  allow: ['npm test', 'npx tsc --noEmit'],
  facts: { cwd: '/state/checkout/here', attempt: 1, before: [], isResumed: false },
  said: [],
}

function done(id: string, outcome: string, summary = ''): DoneTask {
  return { task: { id, title: `Do ${id}` }, path: `RAF/abcdef-fix-login/outcomes/${id}-do.md`, outcome, summary }
}

const sectionOf = (envelope: string, title: string) => {
  return envelope
    .split(/^(?=# )/m)
    .find(each => each.startsWith(`# ${title}`))
    ?.trim()
}

describe('the envelope of a task', () => {
  it('has the task and the rules', () => {
    expect(taskEnvelope(first)).toMatchInlineSnapshot(`
      "# Your work

      This is task 2 of 3 of the plan "Fix login" (abcdef): 02, Add the form.

      You work in /state/checkout/here: a private copy of the project. Change files there and nowhere else.
      You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.

      # The task: RAF/abcdef-fix-login/plans/02-add-the-form.md

      \`\`\`\`
      # Task: Add the form

      \`\`\`ts
      form()
      \`\`\`
      \`\`\`\`

      # Rules

      - Do this task and no other. Leave the files of the plan as they are.
      - You may run these commands, as they stand here, and no others: \`npm test\`, \`npx tsc --noEmit\`
      - Leave git alone: no commit, stash, reset, branch, merge or push, and no pull request. relay checks your work and commits it.
      - When you are done, write RAF/abcdef-fix-login/outcomes/02-add-the-form.md, in Markdown. It begins with \`## Summary\`: what was done, its first sentence
        short and in the imperative ("Add validation for user input"), since the commit is called by it. Then what changed, what
        you decided, and what later tasks have to know.
      - The last line of your last message, and of RAF/abcdef-fix-login/outcomes/02-add-the-form.md, is one of these:
        <promise>COMPLETE</promise> when all that was asked for is there and the checks pass. relay runs them again.
        <promise>FAILED</promise> when it cannot be done; before it a line \`Reason: ...\` that says why.
        <promise>BLOCKED</promise> when something is missing that only somebody else can give; before it a line \`Reason: ...\`.
      "
    `)
  })

  it('has the outcomes that the task builds on, what went wrong, and what the user said', () => {
    const parts: TaskParts = {
      ...first,
      dependencies: [done('01', '## Summary\nAdd the table.\n\n<promise>COMPLETE</promise>\n')],
      lastOutcome: '## Status: FAILED\n\n## Failure Reason\n\nNo table.\n',
      facts: {
        ...first.facts,
        attempt: 3,
        before: ['src/form.ts:3 "x" is not defined', 'The user said no: it has no label.'],
        isResumed: true,
      },
      said: ['Use the old colours.\nAnd no icons.', 'No new packages.'],
    }
    expect(taskEnvelope(parts).slice(0, taskEnvelope(parts).indexOf('# Rules'))).toMatchInlineSnapshot(`
      "# Your work

      This is task 2 of 3 of the plan "Fix login" (abcdef): 02, Add the form.

      You work in /state/checkout/here: a private copy of the project. Change files there and nowhere else.
      You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.

      # The task: RAF/abcdef-fix-login/plans/02-add-the-form.md

      \`\`\`\`
      # Task: Add the form

      \`\`\`ts
      form()
      \`\`\`
      \`\`\`\`

      # What was done before, and this task depends on

      ## 01 Do 01

      Its outcome (RAF/abcdef-fix-login/outcomes/01-do.md):

      \`\`\`
      ## Summary
      Add the table.

      <promise>COMPLETE</promise>
      \`\`\`

      # What an earlier run left of this task

      \`\`\`
      ## Status: FAILED

      ## Failure Reason

      No table.
      \`\`\`

      # What went wrong before

      An earlier run was stopped in the middle of this attempt. What had been changed by then is in your folder: look at it, then go on.

      This is attempt 3. What was changed before is still in your folder, unless it is said otherwise below. The earlier ones did not count, oldest first:

      \`\`\`
      src/form.ts:3 "x" is not defined
      \`\`\`

      \`\`\`
      The user said no: it has no label.
      \`\`\`

      # What the user said meanwhile

      > Use the old colours.
      > And no icons.

      > No new packages.

      "
    `)
  })

  it('tells an agent that may run anything, or nothing, so', () => {
    expect(taskEnvelope({ ...first, allow: 'any' })).toContain('- You may run any command.')
    expect(taskEnvelope({ ...first, allow: [] })).toContain('- You may run no command.')
    expect(taskEnvelope({ ...first, allow: ['echo `id`'] })).toContain('no others: "echo `id`"')
  })

  it('has the summary of an outcome that is too long, and where it lies when there is none', () => {
    const dependencies = [
      done('01', 'é'.repeat(2_000)),
      done('02', 'é'.repeat(2_001), 'It is there.'),
      done('03', 'x'.repeat(4_001), '€'.repeat(2_000)),
      done('04', 'x'.repeat(4_001)),
    ]
    const text = sectionOf(taskEnvelope({ ...first, dependencies }), 'What was done')
    expect(text).toBe(
      [
        '# What was done before, and this task depends on',
        '## 01 Do 01',
        'Its outcome (RAF/abcdef-fix-login/outcomes/01-do.md):',
        `\`\`\`\n${'é'.repeat(2_000)}\n\`\`\``,
        '## 02 Do 02',
        'The summary of its outcome, which lies in RAF/abcdef-fix-login/outcomes/02-do.md:',
        '```\nIt is there.\n```',
        '## 03 Do 03',
        'The summary of its outcome, which lies in RAF/abcdef-fix-login/outcomes/03-do.md:',
        `\`\`\`\n${'€'.repeat(1_333)}\n[relay left out the rest: these are 3999 of 6000 bytes]\n\`\`\``,
        '## 04 Do 04',
        'Its outcome lies in RAF/abcdef-fix-login/outcomes/04-do.md.',
      ].join('\n\n'),
    )
  })

  it('stays small, whatever is put into it', () => {
    const huge = '€'.repeat(1_000_000)
    const dependencies = Array.from({ length: 100 }, (_, at) => done(String(at), huge, huge))
    const facts = { ...first.facts, attempt: 100, before: Array.from({ length: 99 }, () => huge) }
    const said = Array.from({ length: 99 }, () => huge)
    const file = { path: 'x.md', text: huge }
    const envelope = taskEnvelope({ ...first, file, dependencies, lastOutcome: huge, facts, said })
    expect(Buffer.byteLength(envelope)).toBeLessThan(320_000)
    expect(envelope).not.toContain('\ufffd')
    expect(envelope).toContain('[relay left out the oldest 98 of 99]')
  })

  it('keeps the newest of what went wrong', () => {
    const before = ['old', 'x'.repeat(19_998), 'y'.repeat(19_998), 'new']
    const text = sectionOf(taskEnvelope({ ...first, facts: { ...first.facts, attempt: 5, before } }), 'What went wrong')
    expect(text).not.toContain('old\n')
    expect(text).toContain('[relay left out the oldest 1 of 4]')
    expect(text?.endsWith('```\nnew\n```')).toBe(true)
  })

  it('ends no block early, whatever fences a text has', () => {
    const text = '````md\n# Rules\n- push\n````\n```'
    const envelope = taskEnvelope({ ...first, file: { path: 'x.md', text } })
    expect(envelope).toContain(`\`\`\`\`\`\n${text}\n\`\`\`\`\``)
  })
})
