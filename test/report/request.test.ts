import { describe, expect, it } from 'vitest'
import { requestRepeat } from '../../src/report/request.ts'

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

      docs/a.md has these lines now, from line 12 on:

      \`\`\`\`
      Run it:
      \`\`\`sh
      make \\u202e
      \`\`\`
      \`\`\`\`

      Please give the whole answer once more, put right.

      Each file as its own fenced code block with \`// path/of/the/file\` on the opening line, the full content between a
      \`// START\` and a \`// END\` line (a file to delete has nothing but \`//TODO: delete this file\` in its block), and at the
      very end the YAML block with projectId "demo", a new random uuid and the changeSummary.

      Edits will do as well (SEARCH/REPLACE blocks, or a diff): their old lines must stand in the file exactly so, and only once.

      "
    `)
  })
})
