import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { SnapshotState } from '../../../src/model/entry.ts'
import { sha256 } from '../../../src/transact/entry/hash.ts'
import { readEntry } from '../../../src/transact/entry/read-entry.ts'
import { writeEnding } from '../../../src/transact/entry/write-entry.ts'
import { entryText } from '../../support/entry-text.ts'
import { entryWith } from '../../support/entry-with.ts'

const texts = [
  '', ' ', '\n', '\n\n', 'a', 'a\n', 'a\n\n', ' a\n b\n', '\ta\n', 'a\r\nb\r\n', 'a\rb', '\uFEFFa\n', '\0', 'a\u0085b\n',
  '\u2028\n', 'x \n', 'x\n  ', 'x\n \n', '---\n', '...\n', '# c\n', '- a\n', 'yes', '012', '1e3', '2020-01-01', '😀\n', "'",
  '"', '\\', 'a: b\n', '\x7f\n', '%TAG\n', '\n a\n', '  \n a\n', '\n\n  x\n y', 'null', '~', '=', '<<', 'é\n', '&a *b !c',
  '\u200b\n', '\x1b[31mred\n',
] // biome-ignore format: a table

function fileState(bytes: Uint8Array): SnapshotState {
  return { kind: 'file', bytes, mode: 0o644, sha256: sha256(bytes) }
}

describe('an entry on disk', () => {
  it.each(texts)('carries %j exactly, as content, as snapshot, as reasoning and as a path', text => {
    const bytes = Buffer.from(text)
    const path = text === '' ? 'empty' : text
    const entry = entryWith({
      promptSummary: text,
      reasoning: [text],
      operations: [{ op: 'write', path, content: text }, { op: 'delete', path: `${path}-old` }],
      snapshot: new Map([[path, fileState(bytes)], [`${path}-old`, { kind: 'link', to: text }]]),
    }) // biome-ignore format: one line a key
    const read = readEntry(entryText(entry))
    expect(read).toEqual(entry)
  })

  it('carries bytes that are no text', () => {
    const bytes = Buffer.from([0xff, 0, 1, 0xc3])
    const read = readEntry(entryText(entryWith({ snapshot: new Map([['bin', fileState(bytes)]]) })))
    expect(read?.snapshot.get('bin')).toEqual(fileState(bytes))
  })

  it('carries a long text that only quotes can carry', () => {
    const content = 'a line of a file from Windows\r\n'.repeat(350_000)
    const entry = entryWith({
      operations: [{ op: 'write', path: 'a', content }],
      reasoning: [content.slice(1)],
    })
    const read = readEntry(entryText(entry))
    expect(read?.operations[0]).toEqual(entry.operations[0])
    expect(read?.reasoning[0] === entry.reasoning[0]).toBe(true)
  })

  it('carries where a path led to and where its files were kept', () => {
    const snapshot = new Map<string, SnapshotState>([
      ['link.ts', { ...fileState(Buffer.from('x\n')), target: 'real.ts', aside: 'mounted' } as SnapshotState],
      ['new.ts', { kind: 'absent', target: 'else/new.ts' }],
      ['plain.ts', { kind: 'absent' }],
      ['__proto__', { kind: 'absent' }],
    ])
    expect(readEntry(entryText(entryWith({ snapshot })))?.snapshot).toEqual(snapshot)
  })

  it('carries what takes another one back: bytes, modes, links, folders', () => {
    const entry = entryWith({
      source: 'undo',
      undoes: { number: 41, uuid: '2c781a64-40d5-491e-99b0-da01ff1f3341' },
      operations: [
        { op: 'write', path: 'bin', mode: 0o755, content: '\ufffd\0', bytes: Buffer.from([0xff, 0]) },
        { op: 'write', path: 'text', mode: 0o600, content: '\u2028\n' },
        { op: 'link', path: 'link', to: '../else where' },
      ],
      removedFolders: new Map([['src/new', 0o755]]),
    })
    expect(readEntry(entryText(entry))).toEqual(entry)
  })

  it('reads like this', () => {
    const entry = entryWith({
      changeSummary: [{ edit: 'src/a.ts' }],
      reasoning: ['Because.'],
      operations: [{ op: 'write', path: 'src/a.ts', content: 'const a = 1\n\nexport { a }\n' }],
      snapshot: new Map<string, SnapshotState>([['src/a.ts', { ...fileState(Buffer.from('old\n')), sha256: 'abc' } as SnapshotState], ['src/b.ts', { kind: 'absent' }]]),
      createdFolders: ['src/new'],
    }) // biome-ignore format: one line a key
    const ending = writeEnding({
      checks: { before: { errors: 12 }, after: { errors: 10, new: 0, fixed: 2, tests: 'none' } },
      written: new Map([['src/a.ts', { sha256: 'def' }], ['src/b.ts', { sha256: 'fed', mode: 0o755, bytes: Buffer.from('formatted\n') }]]),
      outcome: { kind: 'committed', by: 'auto', at: '2026-11-20T14:02:20.000Z' },
    }) // biome-ignore format: one line a key
    expect(entryText(entry) + ending).toMatchInlineSnapshot(`
      "version: 1
      number: 1
      uuid: 1b671a64-40d5-491e-99b0-da01ff1f3341
      projectId: demo
      createdAt: "2026-11-20T14:02:11.000Z"
      source: stdin
      changeSummary:
        - edit: src/a.ts
      reasoning:
        - Because.
      flags: []
      operations:
        - op: write
          path: src/a.ts
          content: |
            const a = 1

            export { a }
      snapshot:
        src/a.ts:
          mode: "0644"
          sha256: abc
          content: |
            old
        src/b.ts: null
      createdFolders:
        - src/new
      checks:
        before:
          errors: 12
        after:
          errors: 10
          new: 0
          fixed: 2
          tests: none
      written:
        src/a.ts: def
        src/b.ts:
          sha256: fed
          mode: "0755"
          content: |
            formatted
      outcome:
        kind: committed
        by: auto
        at: "2026-11-20T14:02:20.000Z"
      "
    `)
  })

  it('stays one mapping for any reader when its ending is put behind it', () => {
    const ending = {
      checks: { before: { errors: 1 }, after: { errors: null, uncounted: 'exit 127' } },
      written: new Map([
        ['a', { sha256: 'b' }],
        ['c', { sha256: 'd', mode: 0o600, bytes: Buffer.from([0xff, 0]) }],
      ]),
      outcome: { kind: 'committed', by: 'user', at: 'now' },
    } as const
    const text = entryText(entryWith({})) + writeEnding(ending)
    expect(readEntry(text)).toEqual({ ...entryWith({}), ...ending })
    expect(Object.keys(parse(text)).slice(-3)).toEqual(['checks', 'written', 'outcome'])
  })

  it.each([
    ['nothing', ''],
    ['no mapping', '- a\n'],
    ['another version', entryText(entryWith({})).replace('version: 1', 'version: 2')],
    ['half of it', entryText(entryWith({ operations: [{ op: 'write', path: 'a', content: 'b\nc\n' }] })).slice(0, 180)],
    ['a key twice', `${entryText(entryWith({}))}number: 43\n`],
    ['a tag', `${entryText(entryWith({}))}x: !!js/function 'f'\nversion: 3\n`],
    ['a number as uuid', entryText(entryWith({})).replace(/uuid: .*/, 'uuid: 12345678')],
    ['an alias bomb', `a: &a [x]\nb: &b [*a, *a]\n${entryText(entryWith({})).replace('flags: []', 'flags: [*b, *b]')}`],
    ['brackets without end', `${'['.repeat(200_000)}\n`],
    [
      'a value of brackets without end',
      `${entryText(entryWith({})).replace('flags: []', '')}flags: ${'['.repeat(200_000)}`,
    ],
    ['dashes without end', '- '.repeat(200_000)],
    ['flags that are none', entryText(entryWith({})).replace('flags: []', 'flags: [1, {flag: {}}]')],
    [
      'checks that are none',
      `${entryText(entryWith({}))}checks: {before: 5, after: x}\nwritten: {}\noutcome: {kind: committed, by: user, at: now}\n`,
    ],
  ])('is not read from %s', (_name, text) => {
    expect(readEntry(text)).toBeUndefined()
  })
})
