import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Change, PathState } from '../../../src/model/plan.ts'
import { unifiedPatch } from '../../../src/report/diff/unified-patch.ts'
import { fc } from '../../support/chance.ts'
import { file, numbered } from '../samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'relay-patch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nobody's configuration, and no repository around. */
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CEILING_DIRECTORIES: folder,
}

type Sides = Pick<Change, 'path' | 'before' | 'after'>

let trees = 0

/** A folder with what stood before, as `git apply` sees it. */
function planted(changes: readonly Sides[]): string {
  const root = join(folder, String(++trees))
  mkdirSync(root)
  for (const { path, before } of changes) {
    if (before === null) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (before.kind === 'link') symlinkSync(before.to, join(root, path))
    else {
      writeFileSync(join(root, path), before.bytes)
      chmodSync(join(root, path), before.mode)
    }
  }
  return root
}

function apply(root: string, patch: string, ...options: readonly string[]): void {
  if (patch === '') return
  execFileSync('git', ['apply', '--whitespace=nowarn', ...options, '-'], { cwd: root, env, input: patch })
}

type Tree = Readonly<Record<string, string>>

/** Every file and link with what git knows of it. */
function treeOf(root: string): Tree {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(root.length + 1)
    if (entry.isSymbolicLink()) found[name] = `link ${readlinkSync(path)}`
    else if (entry.isFile()) {
      found[name] = `${lstatSync(path).mode & 0o100 ? 'x' : '-'} ${readFileSync(path).toString('latin1')}`
    }
  }
  return found
}

function expected(changes: readonly Sides[], side: 'before' | 'after'): Tree {
  const found: Record<string, string> = {}
  for (const change of changes) {
    const state = change[side]
    if (state === null) continue
    found[change.path] =
      state.kind === 'link'
        ? `link ${state.to}`
        : `${state.mode & 0o100 ? 'x' : '-'} ${Buffer.from(state.bytes).toString('latin1')}`
  }
  return found
}

function expectThereAndBack(changes: readonly Sides[]): void {
  const patch = unifiedPatch(changes)
  const root = planted(changes)
  try {
    apply(root, patch)
    expect(treeOf(root)).toEqual(expected(changes, 'after'))
    apply(root, patch, '-R')
    expect(treeOf(root)).toEqual(expected(changes, 'before'))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe('unifiedPatch', () => {
  it('looks as git prints it', () => {
    const before = numbered(1, 30)
    const patch = unifiedPatch([
      {
        path: 'a b.txt',
        before: file(before),
        after: file(before.replace('line 4\n', 'four\n').replace(/30\n/, '30')),
      },
      { path: 'ä\n"q".ts', before: null, after: file('one\r\n', 0o755) },
      { path: 'gone', before: file(''), after: null },
      { path: 'run', before: file('a\n'), after: file('a\n', 0o755) },
      { path: 'same', before: file('a\n', 0o600), after: file('a\n') },
      { path: 'to-link', before: file('a\n'), after: { kind: 'link', to: 'a b.txt' } },
      { path: 'bytes', before: file(new Uint8Array([0, 1])), after: file(new Uint8Array(60)) },
    ])
    expect(`\n${patch}`).toMatchInlineSnapshot(`
      "
      diff --git a/a b.txt b/a b.txt
      index ac9837cd58bc91b0837922be433d758edb362434..4a410f5f704cf41a817551def691c74bd4ab3bce 100644
      --- a/a b.txt	
      +++ b/a b.txt	
      @@ -1,7 +1,7 @@
       line 1
       line 2
       line 3
      -line 4
      +four
       line 5
       line 6
       line 7
      @@ -27,4 +27,4 @@
       line 27
       line 28
       line 29
      -line 30
      +line 30
      \\ No newline at end of file
      diff --git "a/\\303\\244\\n\\"q\\".ts" "b/\\303\\244\\n\\"q\\".ts"
      new file mode 100755
      index 0000000000000000000000000000000000000000..052d31effb03dcc923165ae3f6640bb6409b33cb
      --- /dev/null
      +++ "b/\\303\\244\\n\\"q\\".ts"
      @@ -0,0 +1 @@
      +one
      diff --git a/gone b/gone
      deleted file mode 100644
      index e69de29bb2d1d6434b8b29ae775ad8c2e48c5391..0000000000000000000000000000000000000000
      diff --git a/run b/run
      old mode 100644
      new mode 100755
      diff --git a/to-link b/to-link
      deleted file mode 100644
      index 78981922613b2afb6025042ff6bd878ac1994e85..0000000000000000000000000000000000000000
      --- a/to-link
      +++ /dev/null
      @@ -1 +0,0 @@
      -a
      diff --git a/to-link b/to-link
      new file mode 120000
      index 0000000000000000000000000000000000000000..f8bdd2a7e783a674df5910d6ff9882bcee9202af
      --- /dev/null
      +++ b/to-link
      @@ -0,0 +1 @@
      +a b.txt
      \\ No newline at end of file
      diff --git a/bytes b/bytes
      index bdc955b7b2e610ad5a72302b139a2e6cb325519a..86656a24bbf098e3d7eda7dd5211bda134c10f72 100644
      GIT binary patch
      literal 60
      Lc\${NkARhn#06YKz

      literal 2
      Jc\${Nk1ONa700IC2

      "
    `)
  })

  it('says the same as git itself', () => {
    const long = numbered(1, 90)
    const changes: readonly Sides[] = [
      {
        path: 'a.txt',
        before: file(long),
        after: file(long.replace('line 4\n', 'four\nfour\n').replace('line 11\n', '').replace('line 60\n', 'sixty\n')),
      },
      { path: 'b c.txt', before: file('x'), after: file('y') },
      { path: 'd', before: null, after: file('new\n', 0o755) },
      { path: 'e\t', before: file('old\n'), after: null },
      { path: 'f', before: { kind: 'link', to: 'a' }, after: { kind: 'link', to: 'b' } },
      { path: 'g', before: file('a\n'), after: file('b\n', 0o755) },
    ]
    const root = planted(changes)
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, env }).toString()
    git('init', '-q')
    git('add', '-A')
    const before = git('write-tree').trim()
    apply(root, unifiedPatch(changes))
    git('add', '-A')
    const theirs = git('diff', '--cached', '--full-index', '--no-renames', '--no-color', before)
    // The nearest heading after the last @@ is for people.
    expect(unifiedPatch(changes)).toBe(theirs.replaceAll(/(^@@.*@@).*$/gm, '$1'))
  })

  it.each<readonly [string, PathState, PathState]>([
    ['a new file', null, file('a\nb\n')],
    ['a new file without an end', null, file('a')],
    ['an empty new file', null, file('')],
    ['a new program', null, file('#!/bin/sh\n', 0o755)],
    ['a deleted file', file('a\nb'), null],
    ['an empty deleted file', file(''), null],
    ['a file that becomes empty', file('a\n'), file('')],
    ['a file that was empty', file(''), file('a')],
    ['an end for the last line', file('a\nb'), file('a\nb\n')],
    ['CRLF to LF', file('a\r\nb\r\n'), file('a\nb\n')],
    ['a CR alone', file('a\rb\n'), file('a\rc\n')],
    ['lines that look like a patch', file('-- a\n++ b\n@@ -1 +1 @@\n'), file('--- a\n+++ b\n\\ No newline\n')],
    ['a byte order mark', file('a\n'), file('\ufeffa\n')],
    ['no UTF-8', file(Buffer.from('caf\xe9\n', 'latin1')), file('café\n')],
    ['a NUL', file('a\0b\n'), file('a\0c\n')],
    ['another mode alone', file('a\n'), file('a\n', 0o755)],
    ['mode and content', file('a\n', 0o755), file('b\n')],
    ['a mode that git does not know', file('a\n', 0o600), file('b\n', 0o644)],
    ['mode and bytes', file('\0\n', 0o755), file('\0b\n')],
    ['a link', null, { kind: 'link', to: '../x y' }],
    ['another target', { kind: 'link', to: 'a' }, { kind: 'link', to: 'ä' }],
    ['a link gone', { kind: 'link', to: 'a' }, null],
    ['a file that becomes a link', file('a'), { kind: 'link', to: 'a' }],
    ['a link that becomes a file', { kind: 'link', to: 'a' }, file('a\n', 0o755)],
    ['megabytes', file(numbered(1, 900_000)), file(numbered(2, 900_000))],
  ])('is taken by git apply, and back: %s', (_, before, after) => {
    expectThereAndBack([{ path: 'src/x', before, after }])
  })

  it.each([
    'a b',
    ' a ',
    '-x',
    'a\tb',
    'a\nb',
    '"',
    'a"b\\c',
    'ä/ö',
    '日本',
    '\x7f',
    "it's",
    'a  b/a  b',
    '\u202e',
    'b/a b/b',
  ])('names %j so that git finds it', path => {
    expectThereAndBack([{ path, before: file('a\n'), after: file('b\n') }])
    expectThereAndBack([{ path, before: null, after: file('') }])
    expectThereAndBack([{ path, before: file('\0'), after: file('a\n', 0o755) }])
    expectThereAndBack([{ path, before: file('a\n'), after: file('a\n', 0o755) }])
  })

  it('makes of any tree any other, and back', () => {
    const line = fc.constantFrom('', 'a', 'b', '}', '  x', 'one\r', '\tc', '-- d', 'ä')
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', ''))
      .map(([lines, end]) => new TextEncoder().encode(lines.join('\n') + end))
    const bytes = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) })
    const state: fc.Arbitrary<PathState> = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(bytes, fc.constantFrom(0o644, 0o755)).map(([it, mode]) => file(it, mode)) },
      { weight: 1, arbitrary: fc.constantFrom('a', '../b', 'ö ö').map(to => ({ kind: 'link', to }) as const) },
      { weight: 2, arbitrary: fc.constant(null) },
    )
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '"', '\\', '\t', '\n', 'é', '-', '.x'),
      minLength: 1,
      maxLength: 6,
    })
    const change = fc.record({
      path: fc.tuple(fc.constantFrom('', 'src/', 'd d/'), name).map(it => `${it.join('')}_`),
      before: state,
      after: state,
    })
    fc.assert(
      fc.property(fc.uniqueArray(change, { selector: ({ path }) => path, minLength: 1, maxLength: 8 }), changes => {
        // A new file cannot stand where a folder is.
        fc.pre(changes.every(({ path }) => !changes.some(other => other.path.startsWith(`${path}/`))))
        expectThereAndBack(changes)
      }),
      { numRuns: Number(process.env['RUNS'] ?? 40) },
    )
  })
})
