import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/model/response.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { fc } from '../support/chance.ts'

const uuid = '005f3a11-4c1d-4a7e-9b3f-a1be458a19d5'
const exampleUuid = '105f3a11-4c1d-4a7e-9b3f-a1be458a19d5'

/** A response exactly as the instructions ask for it. */
function instructed(operations: readonly Operation[], controlFirst = false): string {
  const blocks = operations.map(each =>
    each.op === 'write'
      ? `I change it.\n\n\`\`\`typescript // ${each.path}\n// START\n\n${each.content}\n// END\n\`\`\`\n`
      : `It is unused.\n\n\`\`\`typescript // ${each.path}\n//TODO: delete this file\n\`\`\`\n`,
  )
  const summary = operations.map(each => `  - ${each.op === 'write' ? 'edit' : 'delete'}: ${each.path}\n`).join('')
  const control = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary:\n${summary}\`\`\`\n`
  return controlFirst ? `${control}\n${blocks.join('\n')}` : `${blocks.join('\n')}\n${control}`
}

const name = fc.stringMatching(/^[a-zA-Z0-9_[(][a-zA-Z0-9_.()[\] -]{0,12}[a-zA-Z0-9_\])]$/)
const path = fc
  .tuple(fc.array(name, { maxLength: 3 }), name, fc.constantFrom('.ts', '.py', '.md', '.css', '.html', '.tsx'))
  .map(([folders, file, ending]) => [...folders, `${file}${ending}`].join('/'))

const codeLine = fc.oneof(
  fc.constantFrom(
    'const a = 1',
    '',
    '  indented()',
    '\ttabbed()',
    'trailing  ',
    '// a comment',
    '# heading',
    'projectId: other',
    'uuid: none',
    '---',
    '`` two ``',
    'x = `a` + "```"',
    'a\rb',
    '&lt;p&gt; “quoted” \u00a0',
    '// START of it',
    '// END of it',
    'START',
    '- list',
    '    deep',
    'ünï ☃ 😀',
  ),
  fc.string({ maxLength: 20 }).map(words => words.replace(/[\r\n`~]/g, '')),
)

/** Lines with fences and markers in them, as they nest: what a document about code, or about this format, holds. */
const nestedLines: fc.Arbitrary<readonly string[]> = fc.letrec<{ lines: readonly string[]; part: readonly string[] }>(
  tie => ({
    lines: fc.array(tie('part'), { maxLength: 4 }).map(parts => parts.flat()),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      codeLine.map(line => [line]),
      fc.array(codeLine, { maxLength: 4 }),
      fc
        .tuple(tie('lines'), fc.constantFrom('```ts', '```', '```bash', '````md', '~~~'))
        .map(([inner, open]) => fenced(inner, open)),
      tie('lines').map(inner => ['// BEGIN part', ...inner, '// END', 'and so on']),
      tie('lines').map(inner => fenced(['// START', '', ...inner, '', '// END'], '```ts // src/nested.ts')),
      fc.constant(['```yaml', 'projectId: demo', `uuid: ${exampleUuid}`, 'changeSummary:', '  - new: x.ts', '```']),
    ),
  }),
).lines

function fenced(inner: readonly string[], open: string): readonly string[] {
  const close = /^[`~]+/.exec(open)?.[0] ?? '```'
  // A bare fence right below an END line would close the block around it; no document has that.
  const above = open === '```' ? ['text above'] : []
  return [...above, open, ...inner, close]
}

const content = nestedLines
  .filter(lines => lines.length > 0)
  .map(lines => `${lines.join('\n').replace(/\n+$/, '')}\n`)
  .filter(text => text !== '\n')

const operations = fc.uniqueArray(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ op: fc.constant('write' as const), path, content }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), path }) },
  ),
  { minLength: 1, maxLength: 5, selector: each => each.path },
)

const isSound = (all: readonly Operation[]) =>
  !all.some(one => all.some(other => other.path.startsWith(`${one.path}/`)))

describe('the parser, whatever it is given', () => {
  it('reads an instructed response back to exactly what was written', () => {
    fc.assert(
      fc.property(operations.filter(isSound), all => {
        const parsed = parseResponse(instructed(all), 'demo')
        expect(parsed.kind === 'patch' ? parsed.patch.operations : parsed).toEqual(all)
      }),
      { numRuns: 600 },
    )
  })

  it('reads it back with CRLF and from within a list', () => {
    const plain = operations.filter(
      all => isSound(all) && all.every(each => each.op === 'delete' || !each.content.includes('\r')),
    )
    fc.assert(
      fc.property(plain, fc.integer({ min: 1, max: 8 }), (all, columns) => {
        const text = instructed(all)
        const crlf = parseResponse(text.replaceAll('\n', '\r\n'), 'demo')
        expect(crlf.kind === 'patch' ? crlf.patch.operations : crlf).toEqual(all)
        const indented = text.replace(/^(?=.)/gm, ' '.repeat(columns))
        const listed = parseResponse(indented, 'demo')
        expect(listed.kind === 'patch' ? listed.patch.operations : listed).toEqual(all)
      }),
      { numRuns: 200 },
    )
  })

  it('takes whole files only from a response that was cut anywhere', () => {
    fc.assert(
      fc.property(operations.filter(isSound), fc.boolean(), fc.nat(), (all, controlFirst, at) => {
        const text = instructed(all, controlFirst)
        const parsed = parseResponse(text.slice(0, at % (text.length + 1)), 'demo')
        if (parsed.kind !== 'patch') return
        // A document cut inside of an example may look whole but for a forgotten END: the flag asks a person. Nor can
        // anyone tell an example's control block, with a uuid of its own, from the answer's when the rest is cut off.
        if (
          parsed.patch.flags.some(each => each.flag === 'missing-end') ||
          exampleUuid.startsWith(parsed.patch.control.uuid)
        )
          return
        for (const operation of parsed.patch.operations) expect(all).toContainEqual(operation)
      }),
      { numRuns: 1500 },
    )
  })

  it('never writes to a path that the response does not hold, however it is mutated', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(40),
      fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom('```', '\n', '// END\n', '// START\n', '```ts // b.ts\n', '{', '"', '\u0000', '\r'),
      ),
    )
    fc.assert(
      fc.property(operations.filter(isSound), fc.array(edit, { minLength: 1, maxLength: 6 }), (all, edits) => {
        let text = instructed(all)
        for (const [at, length, words] of edits) {
          const from = at % (text.length + 1)
          text = text.slice(0, from) + words + text.slice(from + length)
        }
        const parsed = parseResponse(text, 'demo')
        if (parsed.kind !== 'patch') return
        const held = text
          .replaceAll('\\', '/')
          .replace(/[\u200b\u2060\ufeff]/g, '')
          .replaceAll('\u00a0', ' ')
        // A path loses its empty parts.
        const joined = held.replace(/(?<=[^/:])\/(?:\.?\/)+/g, '/')
        for (const operation of parsed.patch.operations) expect(`${held}\n${joined}`).toContain(operation.path)
      }),
      { numRuns: 1500 },
    )
  })

  it.each([
    ['quotes', `${'«'.repeat(100_000)}文/a.ts${'»'.repeat(100_000)}`],
    ['labels', `${'File: '.repeat(60_000)}文/a.ts`],
    ['brackets', `a ${'])'.repeat(60_000)}x b`],
  ])(
    'answers in time to a path within a great many %s',
    (_what, path) => {
      expect(parseResponse(instructed([{ op: 'write', path, content: 'x\n' }]), 'demo').kind).toBe('patch')
    },
    5_000,
  )

  it.each([
    ['periods', `a ${'.'.repeat(60_000)}x`],
    ['letters', 'x'.repeat(60_000)],
    ['places', `a.b${'#c'.repeat(30_000)}.`],
    ['commas', `{${','.repeat(200_000)}`],
    ['escapes that are none', `"${'\r\\'.repeat(30_000)}`],
    ['letters in front of a star', `${'x'.repeat(200_000)}/*`],
  ])(
    'answers in time to a summary with a great many %s',
    (_what, words) => {
      const summary = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - edit: ${words}\n\`\`\`\n`
      expect(parseResponse(`\`\`\`ts // a.ts\n// START\nx\n// END\n\`\`\`\n\n${summary}`, 'demo').kind).toBe('patch')
    },
    5_000,
  )

  it.each([
    ['a fence that is glued to a line', '```a\nfoo```\n'],
    ['a block between fences of the other sign', '```a\n~~~yaml\nprojectId: x\n~~~\n'],
    ['a control block without a fence', '```a\nfoo\nprojectId: x\n'],
  ])(
    'answers in time to a great many blocks that only %s ends',
    (_what, block) => {
      const answer = instructed([{ op: 'write', path: 'a.ts', content: 'x\n' }])
      expect(parseResponse(answer + block.repeat(20_000), 'demo').kind).toBe('patch')
    },
    20_000,
  )

  it('answers in time to a line that is the path of its file over and over', () => {
    const content = `${'src/a.ts'.repeat(100_000)}\n`
    expect(parseResponse(instructed([{ op: 'write', path: 'src/a.ts', content }]), 'demo').kind).toBe('patch')
  }, 5_000)

  it.each([
    ['broken control blocks', `uuid: ${uuid}\nchangeSummary:\n  ${'}'.repeat(8_000)}`],
    ['broken control blocks in braces', `{${'}'.repeat(8_000)}`],
  ])(
    'answers in time to a great many %s, of which the last counts',
    (_what, body) => {
      const broken = Array.from({ length: 300 }, (_, at) =>
        body.startsWith('{')
          ? `\`\`\`json\n${body}\n"projectId${at}"\n\`\`\`\n`
          : `\`\`\`yaml\nprojectId: demo\n${body}${at}\n\`\`\`\n`,
      ).join('')
      const answer = instructed([{ op: 'write', path: 'a.ts', content: 'x\n' }])
      const parsed = parseResponse(broken + answer, 'demo')
      expect(parsed.kind === 'refused' ? parsed.problems[0].code : parsed.kind).toBe(
        body.startsWith('{') ? 'patch' : 'two-controls',
      )
    },
    10_000,
  )

  it('answers in time to a hundred thousand sound control blocks', () => {
    const block = '```yaml\nprojectId: demo\nuuid: 1b671a64-40d5\n```\n'
    expect(parseResponse(block.repeat(100_000), 'demo').kind).toBe('refused')
  }, 20_000)

  it.each([
    ['with fences', (body: string) => `\`\`\`yaml\n${body}\`\`\`\n`],
    ['without', (body: string) => `${body}\nSome words.\n\n`],
  ])('is not led by a control block %s that is printed many times beside another one', (_how, written) => {
    const control = (id: string) => written(`projectId: demo\nuuid: ${id}\nchangeSummary:\n  - new: a.ts\n`)
    const file = '```ts // a.ts\n// START\nx\n// END\n```\n\n'
    const other = uuid.replace(/^./, first => (first === '1' ? '2' : '1'))
    for (const text of [
      control(other) + file + control(uuid).repeat(20),
      file + control(uuid).repeat(20) + control(other),
    ]) {
      expect(parseResponse(text, 'demo')).toMatchObject({ kind: 'refused', problems: [{ code: 'two-controls' }] })
    }
  })

  it('always answers, in time, to any text', () => {
    const piece = fc.oneof(
      codeLine,
      fc.constantFrom(
        '```',
        '````',
        '~~~',
        '```ts // a.ts',
        '// START',
        '// END',
        'projectId: demo',
        `uuid: ${uuid}`,
        'changeSummary:',
        '  - edit: a.ts',
        '```yaml',
        '<think>',
        '</think>',
        '}```',
        '``````',
        '- ```ts // b.ts',
        '### `a.ts`',
        '{filePath}',
        '//TODO: delete this file',
        '"projectId": "demo"',
        '{',
      ),
      fc.string(),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), lines => {
        const text = lines.join('\n')
        const parsed = parseResponse(text, 'demo')
        expect(parseResponse(text, 'demo')).toEqual(parsed)
        if (parsed.kind === 'refused') expect(parsed.problems[0].message).toMatch(/\S/)
        if (parsed.kind !== 'patch') return
        expect(parsed.patch.control.uuid).toMatch(/^[A-Za-z0-9-]{8,64}$/)
        expect(new Set(parsed.patch.operations.map(each => each.path)).size).toBe(parsed.patch.operations.length)
      }),
      { numRuns: 3000 },
    )
  })
})
