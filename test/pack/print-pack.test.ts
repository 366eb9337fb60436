import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printFile, printHead } from '../../src/pack/print-pack.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { instructions } from '../../src/project/instructions.ts'
import { respond } from '../support/respond.ts'

const head = {
  projectId: 'demo',
  instructions: 'Answer so.\n',
  paths: ['README.md', 'src/a.ts', 'src/b/c.ts', 'src/b/d.ts', 'src-old/x.ts', 'test/a.ts'],
  leftOut: [{ path: 'src/b/logo.png', why: 'binary' }],
  errors: [{ file: 'src/a.ts', line: 3, column: 7, code: 'TS1', message: 'is\nwrong' }],
}

describe('the text of a pack', () => {
  it('begins with how to answer, the errors and a tree', () => {
    expect(printHead(head)).toMatchInlineSnapshot(`
      "<!-- relay pack: files of "demo" -->

      # Files of the project demo

      Each file follows in a fence below its path, as it is now.

      ## How to answer

      Answer so.

      ## Errors that the linter finds

      \`\`\`
      src/a.ts:3:7 TS1 "is\\nwrong"
      \`\`\`

      ## Tree

      \`\`\`
      README.md
      src-old/
        x.ts
      src/
        a.ts
        b/
          c.ts
          d.ts
          logo.png (not here: binary)
      test/
        a.ts
      \`\`\`

      ## Files

      "
    `)
  })

  it('has no more errors than somebody would mend at a time', () => {
    const errors = Array.from({ length: 203 }, (_, line) => ({ file: 'a.ts', line, code: '', message: 'x' }))
    const text = printHead({ ...head, errors })
    expect(text).toContain('a.ts:199 x\nand 3 more\n```')
  })

  it.each([
    ['as it is', 'src/a.ts', 'one\ntwo\n', '### src/a.ts\n\n```ts\none\ntwo\n```\n\n'],
    ['without an end of its last line', 'a', 'one', '### a (no line end at its end)\n\n```\none\n```\n\n'],
    ['with blank lines at its end', 'a', 'one\n\n', '### a\n\n```\none\n\n```\n\n'],
    ['with fences in it', 'a.md', '`````ts\n', '### a.md\n\n``````md\n`````ts\n``````\n\n'],
    ['with nothing in it', 'a.ts', '', '### a.ts\n\n(empty)\n\n'],
    ['whose name has two lines', 'a\n```.ts', 'x\n', '### "a\\n```.ts"\n\n```ts\nx\n```\n\n'],
  ])('has a file %s', (_, path, text, expected) => {
    expect(printFile({ path, text })).toBe(expected)
  })

  it('has a fence around a file that nothing in it can end', () => {
    const text = fc
      .array(fc.constantFrom('`', '```', '````', '\n', '~~~', ' ', 'x', '\r\n'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, text => {
        const lines = printFile({ path: 'a.ts', text: `${text}x\n` }).split('\n')
        const fence = lines.at(-3) ?? ''
        expect(lines[2]).toBe(`${fence}ts`)
        expect(lines.slice(3, -3).join('\n')).toBe(`${text}x`)
        expect(fence).toMatch(/^`{3,}$/)
        expect(`${text}x`).not.toContain(fence)
      }),
    )
  })

  it('is never taken for an answer, whatever is in the files', () => {
    const answer = respond({ 'src/a.ts': 'two\n' }, { uuid: '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11' })
    expect(parseResponse(answer, 'demo')).toMatchObject({ kind: 'patch' })
    const file = printFile({ path: 'answer.md', text: answer })
    const pack = printHead({ ...head, instructions: instructions('demo') }) + file
    expect(parseResponse(pack, 'demo')).toEqual({ kind: 'ignored', why: { kind: 'own-text' } })
    expect(parseResponse(`${pack}\n${answer}`, 'demo')).toEqual({ kind: 'ignored', why: { kind: 'own-text' } })
  })
})
