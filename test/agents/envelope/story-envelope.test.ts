import { describe, expect, it } from 'vitest'
import { mostPromptBytes } from '../../../src/agents/envelope/ask-envelope.ts'
import { type StoryParts, storyEnvelope, storyLimits } from '../../../src/agents/envelope/story-envelope.ts'

const story = {
  id: 'US-002',
  title: 'Show a badge',
  description: 'As a user, I want a badge.',
  acceptanceCriteria: ['A red badge', 'Typecheck passes'],
  priority: 2,
  passes: false,
  notes: '',
  dependsOn: [],
}
const parts: StoryParts = {
  prompt: '# One user story\n\nDo it.\n',
  story,
  prd: { path: 'scripts/ralph/prd.json', text: '{ "userStories": [] }\n' },
  progress: { path: 'scripts/ralph/progress.txt', patterns: '', log: '# Ralph Progress Log\nStarted: now\n---\n' },
  allow: [],
  facts: { cwd: '/checkout/app', attempt: 1, before: [], isResumed: false },
}

describe('the envelope of a user story', () => {
  it('has what the agent needs, and what holds last', () => {
    const progress = { ...parts.progress, patterns: '## Codebase Patterns\n- Money is in cents\n---\n' }
    expect(storyEnvelope({ ...parts, progress, allow: ['npm test', 'npx biome check .'] })).toMatchInlineSnapshot(`
      "# One user story

      Do it.

      # The user story

      **US-002: Show a badge**

      As a user, I want a badge.

      Acceptance criteria:

      - A red badge
      - Typecheck passes

      # What agents before you learned

      \`\`\`
      ## Codebase Patterns
      - Money is in cents
      ---
      \`\`\`

      # prd.json (scripts/ralph/prd.json)

      \`\`\`
      { "userStories": [] }
      \`\`\`

      # progress.txt (scripts/ralph/progress.txt)

      \`\`\`
      # Ralph Progress Log
      Started: now
      ---
      \`\`\`

      # What holds whatever is said above

      You work in /checkout/app: a private copy of the project. Change files there and nowhere else.
      You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.

      - Your story is US-002, and no other. Of scripts/ralph/prd.json you may change its \`passes\` and its \`notes\`; everything else is put back.
      - To scripts/ralph/progress.txt you may append, and you may rewrite its part \`## Codebase Patterns\`.
      - You may run these commands, as they stand here, and no others: \`npm test\`, \`npx biome check .\`
      - Leave git alone: no commit, stash, reset, branch, merge or push, and no pull request. relay checks your work and commits it.
      - The last line of your last message is one of these:
        <promise>COMPLETE</promise> when all that was asked for is there and the checks pass. relay runs them again.
        <promise>FAILED</promise> when it cannot be done; before it a line \`Reason: ...\` that says why.
        <promise>BLOCKED</promise> when something is missing that only somebody else can give; before it a line \`Reason: ...\`.
      "
    `)
  })

  it('tells what went wrong before, in fences that nothing closes', () => {
    const before = ['first', 'src/a.ts:1 ```` is wrong']
    const envelope = storyEnvelope({ ...parts, facts: { ...parts.facts, attempt: 3, before, isResumed: true } })
    expect(
      envelope.slice(envelope.indexOf('# What went wrong'), envelope.indexOf('# What holds')),
    ).toMatchInlineSnapshot(`
      "# What went wrong before

      An earlier run was stopped in the middle of this attempt. What had been changed by then is in your folder: look at it, then go on.

      This is attempt 3. What was changed before is still in your folder, unless it is said otherwise below. The earlier ones did not count, oldest first:

      \`\`\`
      first
      \`\`\`

      \`\`\`\`\`
      src/a.ts:1 \`\`\`\` is wrong
      \`\`\`\`\`

      "
    `)
  })

  it('is the same for the same parts, and has no part that is empty', () => {
    expect(storyEnvelope(parts)).toBe(storyEnvelope(parts))
    expect(storyEnvelope({ ...parts, story: { ...story, acceptanceCriteria: [], description: ' ' } })).not.toMatch(
      /\n\n\n|criteria:|undefined/,
    )
  })

  it('stays below what an agent takes, and cuts no character in two', () => {
    const long = '€😀'.repeat(200_000)
    const lines = '€😀\n'.repeat(200_000)
    const envelope = storyEnvelope({
      ...parts,
      prompt: long,
      story: { ...story, description: long },
      prd: { ...parts.prd, text: long },
      progress: { ...parts.progress, patterns: long, log: `${lines}the newest` },
      facts: { ...parts.facts, attempt: 10, before: Array(9).fill(long) },
      allow: Array(2000).fill('npm test'),
    })
    expect(Buffer.byteLength(envelope)).toBeLessThan(mostPromptBytes - 50_000)
    expect(Buffer.byteLength(envelope)).toBeGreaterThan(Object.values(storyLimits).reduce((sum, each) => sum + each, 0))
    expect(envelope).not.toMatch(/\ufffd|\p{Cs}/u)
    expect(envelope).toContain('[relay left out what is older]\n€😀\n')
    expect(envelope).toContain('the newest\n```')
    expect(envelope).toContain('[relay left out the rest: these are ')
    // What holds is never cut.
    expect(envelope).toMatch(/before it a line `Reason: ...`\.\n$/)
  })
})
