import { describe, expect, it } from 'vitest'
import { requestRepeat } from '../../../src/report/answers/request.ts'

describe('a request to repeat what was wrong', () => {
  it('shows the text around the place that an edit was meant for, in a fence that holds it', () => {
    const problem = {
      code: 'edit-not-found',
      message: 'The edit of docs/a.md stands nowhere.',
      line: 7,
      block: 2,
      path: 'docs/a.md',
      around: { from: 12, lines: ['Run it:', '```sh', 'make \u202e', '```'] },
    }
    expect(requestRepeat([problem], [], 'demo')).toMatchInlineSnapshot(`
      "# relay-followup

      Your last answer could not be applied to the project "demo":

      - block 2, line 7: The edit of docs/a.md stands nowhere.

      docs/a.md has these lines now, from line 12:

      \`\`\`\`
      Run it:
      \`\`\`sh
      make \\u202e
      \`\`\`
      \`\`\`\`

      Please send the whole answer again, corrected.

      Each file as its own fenced code block with \`// path/of/the/file\` on the opening line, the full content between a
      \`// START\` and a \`// END\` line (for a file to delete, the block holds only \`//TODO: delete this file\`), and at the
      very end the YAML block with projectId "demo", promptSummary (a short title in the imperative),
      a new random uuid and the changeSummary.

      Edits are fine, too (SEARCH/REPLACE blocks, or a diff): their old lines must match the file exactly, at one place only.

      "
    `)
  })
})
