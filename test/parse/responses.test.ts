import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/model/response.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'

const folder = new URL('../fixtures/responses/', import.meta.url)

/** Each answer's operations, a write with the lines that its content stands on: `write src/a.ts 12-40`. */
const expected = Object.entries(
  JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, readonly string[]>,
).map(([name, words]) => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  return { name, text, operations: words.map(each => operationOf(each, text)) }
})

function operationOf(words: string, text: string): Operation {
  const [, op, path = '', first, last] = /^(write|delete) (.*?)(?: (?:(\d+)-(\d+)|empty))?$/.exec(words) ?? []
  if (op === 'delete') return { op, path }
  if (first === undefined) return { op: 'write', path, content: '' }
  const lines = text.split('\n')
  // What stands in front of the fence above, a list's depth or the sign of a quotation, stands in front of every line.
  const fence = lines.slice(0, Number(first)).findLast(line => /^[ \t>]*(?:`{3,}|~{3,})[^`]*\S+[^`]*$/.test(line))
  const front = /^[ \t>]*/.exec(fence ?? '')?.[0].length ?? 0
  const content = lines
    .slice(Number(first) - 1, Number(last))
    .map(line => line.slice(/^[ \t>]*/.exec(line.slice(0, front))?.[0].length))
  return { op: 'write', path, content: `${content.join('\n')}\n` }
}

/** What a response was understood to do, with the lines of its doubts in words. */
function outline(text: string) {
  const parsed = parseResponse(text, 'demo')
  if (parsed.kind !== 'patch') return parsed
  const { operations, flags } = parsed.patch
  return { operations, flags: flags.map(each => `${each.flag} ${each.path}: ${each.text ?? each.reason}`) }
}

describe('sound answers as chats give them', () => {
  it.each(expected)('$name is understood and raises no doubt', ({ text, operations }) => {
    expect(outline(text)).toEqual({ operations, flags: [] })
  })

  it.each(expected)('$name is the same with the line ends of Windows', ({ text }) => {
    expect(parseResponse(text.replaceAll('\n', '\r\n'), 'demo')).toEqual(parseResponse(text, 'demo'))
  })

  it.each(expected)('$name is nothing but whole files when it is cut', ({ text }) => {
    const whole = parseResponse(text, 'demo')
    for (let end = 0; end < text.length; end += 29) {
      const parsed = parseResponse(text.slice(0, end), 'demo')
      if (parsed.kind !== 'patch' || whole.kind !== 'patch') continue
      // Cut within the model's thinking, its draft is all there is: a person is asked.
      if (parsed.patch.flags.some(({ reason }) => reason.includes('a draft'))) continue
      for (const operation of parsed.patch.operations) expect(whole.patch.operations).toContainEqual(operation)
    }
  })
})

describe('the description of the format', () => {
  const page = readFileSync(new URL('../../docs/format.md', import.meta.url), 'utf8')

  it('shows an answer that is understood', () => {
    const example = /````markdown\n([\s\S]*?)````/.exec(page)?.[1] ?? ''
    expect(parseResponse(example, 'my-app')).toMatchObject({
      kind: 'patch',
      patch: {
        operations: [
          {
            op: 'write',
            path: 'src/load.ts',
            content: "export const load = (path: string) => readFile(path, 'utf8')\n",
          },
          { op: 'delete', path: 'src/old-helper.ts' },
        ],
        reasoning: ['I split loading from building.', 'The old helper is unused now.'],
        flags: [],
      },
    })
  })

  it('asks for nothing when it is copied itself', () => {
    expect(parseResponse(page, 'my-app')).toEqual({ kind: 'ignored', why: { kind: 'no-patch' } })
  })
})
