import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseResponse } from '../../src/parse/parse-response.ts'

const folder = new URL('../fixtures/responses/', import.meta.url)
const expected = Object.entries(
  JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, readonly string[]>,
).map(([name, operations]) => ({ name, operations, text: readFileSync(new URL(name, folder), 'utf8') }))

/** What a response was understood to do, with the lines of its doubts in words. */
function outline(text: string) {
  const parsed = parseResponse(text, 'demo')
  if (parsed.kind !== 'patch') return parsed
  const { operations, flags } = parsed.patch
  return {
    operations: operations.map(each => `${each.op} ${each.path}`),
    flags: flags.map(each => `${each.flag} ${each.path}: ${each.text ?? each.reason}`),
  }
}

describe('sound answers as chats give them', () => {
  it.each(expected)('$name is understood and raises no doubt', ({ text, operations }) => {
    expect(outline(text)).toEqual({ operations, flags: [] })
  })

  it.each(expected)('$name is the same with the line ends of Windows', ({ text }) => {
    expect(parseResponse(text.replaceAll('\n', '\r\n'), 'demo')).toEqual(parseResponse(text, 'demo'))
  })

  it.each(expected)('$name holds every content within its own text', ({ text }) => {
    const parsed = parseResponse(text, 'demo')
    const unindented = text.replace(/^ {3}/gm, '')
    for (const operation of parsed.kind === 'patch' ? parsed.patch.operations : []) {
      if (operation.op === 'write') expect(`${text}${unindented}`).toContain(operation.content)
    }
  })

  it.each(expected)('$name is nothing but whole files when it is cut', ({ text }) => {
    const whole = parseResponse(text, 'demo')
    for (let end = 0; end < text.length; end += 7) {
      const parsed = parseResponse(text.slice(0, end), 'demo')
      if (parsed.kind !== 'patch' || whole.kind !== 'patch') continue
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
