import { describe, expect, it } from 'vitest'
import { parseResponse } from '../../../src/parse/parse-response.ts'

/** What an answer asks for: each operation in words, an edit with its lines; or why it is refused. */
function asked(body: string, fence = '```') {
  const control = '```yaml\nprojectId: demo\nuuid: 6b1d5d38-0a0e-4a0b-9a53-5d3c5c1e7a10\n```\n'
  const parsed = parseResponse(`Done.\n\n${fence}${body}${fence}\n\n${control}`, 'demo')
  if (parsed.kind === 'refused') return parsed.problems.map(({ code }) => code)
  if (parsed.kind === 'ignored') return 'ignored'
  return parsed.patch.operations.map(operation => {
    if (operation.op === 'write') return `write ${operation.path}: ${operation.content}`
    if (operation.op === 'delete') return `delete ${operation.path}`
    return `${operation.op} ${operation.path}: ${operation.blocks.flat().map(({ lines }) => lines.join('|'))}`
  })
}

describe('an edit in an answer', () => {
  it('may have headers without letters in front of the path, and nothing but lines that come', () => {
    expect(asked('ts // a.ts\n--- a.ts\n+++ a.ts\n@@ -1,2 +1,3 @@\n+x\n')).toEqual(['edit a.ts: +x'])
    expect(asked('sql -- a.sql\n--- a.sql\n+++ a.sql\n@@\n-x\n')).toEqual(['edit a.sql: -x'])
  })

  it('is no whole file where its markers are turned round', () => {
    expect(asked('txt // a.txt\n>>>>>>> SEARCH\nx\n=======\ny\n<<<<<<< REPLACE\n')).toEqual(['edit-markers'])
  })

  it('is no whole file where its block was cut at a fence of its text', () => {
    const sent = 'md // a.md\n------- SEARCH\nx\n```\n=======\ny\n```\n+++++++ REPLACE\n'
    expect(asked(sent)).not.toContain('write a.md: ------- SEARCH\nx\n')
    expect(asked('md // a.md\n------- SEARCH\nx\n')).toEqual(['edit-markers'])
  })

  it('keeps a line START that is its own', () => {
    const text = '<<<<<<< SEARCH\nx\n=======\n// START\nx\n>>>>>>> REPLACE\n'
    expect(asked(`ts // a.ts\n${text}`)).toEqual(['edit a.ts: -x|+// START|+x'])
    expect(asked(`ts // a.ts\n// START\n${text}// END\n`)).toEqual(['edit a.ts: -x|+// START|+x'])
    expect(asked('ts // a.ts\n@@\n+x\n // START\n-y\n')).toEqual(['edit a.ts: +x| // START|-y'])
    expect(asked('ts // a.ts\n--- a/a.ts\n+++ b/a.ts\n// START\n@@\n-y\n// END\n')).toEqual(['edit a.ts: -y'])
  })
})
