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
  cwd: '/checkout/app',
  story,
  prd: { path: 'scripts/ralph/prd.json', text: '{ "userStories": [] }\n' },
  progress: { path: 'scripts/ralph/progress.txt', patterns: '', log: '# Ralph Progress Log\nStarted: now\n---\n' },
  allowed: [],
  before: [],
  isResumed: false,
}

describe('the envelope of a user story', () => {
  it('has what the agent needs, and what holds last', () => {
    const progress = { ...parts.progress, patterns: '## Codebase Patterns\n- Money is in cents\n---\n' }
    expect(storyEnvelope({ ...parts, progress, allowed: ['npm test', 'npx biome check .'] })).toMatchInlineSnapshot(`
      "# One user story

      Do it.

      ## The user story

      **US-002: Show a badge**

      As a user, I want a badge.

      Acceptance criteria:

      - A red badge
      - Typecheck passes

      ## What agents before you learned

      \`\`\`
      ## Codebase Patterns
      - Money is in cents
      ---
      \`\`\`

      ## prd.json (\`scripts/ralph/prd.json\`)

      \`\`\`
      { "userStories": [] }
      \`\`\`

      ## progress.txt (\`scripts/ralph/progress.txt\`)

      \`\`\`
      # Ralph Progress Log
      Started: now
      ---
      \`\`\`

      ## What holds whatever is said above

      - You work in \`/checkout/app\`, a copy of the project that is yours alone. Change nothing outside of it.
      - Your story is US-002, and no other. Of \`scripts/ralph/prd.json\` you may change its \`passes\` and its \`notes\`; everything else is put back.
      - To \`scripts/ralph/progress.txt\` you may append, and you may rewrite its part \`## Codebase Patterns\`.
      - Leave git alone: do not commit, stash, reset, switch or make branches, push, or open a pull request. relay commits your work when its checks agree.
      - You may run these commands, written as they are here; if another is refused, do not look for a way around it:
        - \`npm test\`
        - \`npx biome check .\`
      - When US-002 is done and the checks pass, end your last message with <promise>COMPLETE</promise>. relay runs the checks itself: they decide.
      - When it cannot be done, end with a line \`Reason: <why>\` and <promise>FAILED</promise>; when it waits for something that is not there, with <promise>BLOCKED</promise> in its place."
    `)
  })

  it('tells what went wrong before, the newest three, and in fences that nothing closes', () => {
    const before = ['first', 'second', 'third', 'src/a.ts:1 ```` is wrong']
    const envelope = storyEnvelope({ ...parts, before, isResumed: true })
    expect(
      envelope.slice(envelope.indexOf('## What went wrong'), envelope.indexOf('## What holds')),
    ).toMatchInlineSnapshot(`
      "## What went wrong before

      Attempts at this story did not count. Do not make the same mistake again.

      Attempt 2:

      \`\`\`
      second
      \`\`\`

      Attempt 3:

      \`\`\`
      third
      \`\`\`

      Attempt 4:

      \`\`\`\`\`
      src/a.ts:1 \`\`\`\` is wrong
      \`\`\`\`\`

      An attempt at this story was stopped half-way. What it had done is in the folder: look at it first, then go on.

      "
    `)
  })

  it('tells that an attempt was stopped', () => {
    expect(storyEnvelope({ ...parts, isResumed: true })).toContain(
      '## What went before\n\nAn attempt at this story was stopped half-way.',
    )
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
      before: Array(9).fill(long),
      allowed: Array(9999).fill('npm test'),
    })
    expect(Buffer.byteLength(envelope)).toBeLessThan(mostPromptBytes - 50_000)
    expect(Buffer.byteLength(envelope)).toBeGreaterThan(Object.values(storyLimits).reduce((sum, each) => sum + each, 0))
    expect(envelope).not.toMatch(/\ufffd|\p{Cs}/u)
    expect(envelope).toContain('[cut here: what is older is in scripts/ralph/progress.txt]\n€😀\n')
    expect(envelope).toContain('the newest\n```')
    expect(envelope).toContain('[cut here: the rest is in scripts/ralph/prd.json]')
    // What holds is never cut.
    expect(envelope.slice(-30)).toBe('<promise>BLOCKED</promise> in its place.'.slice(-30))
  })
})
