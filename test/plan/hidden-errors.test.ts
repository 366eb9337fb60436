import { describe, expect, it } from 'vitest'
import { changeBetween } from '../../src/model/path-state.ts'
import type { PathState } from '../../src/model/plan.ts'
import { hiddenErrors } from '../../src/plan/hidden-errors.ts'

/** A file as it is and as it will be; `null` where there is none. */
type Texts = readonly [before: string | null, after: string | null]

/** What is said of files when a patch changes them. */
function told(files: Readonly<Record<string, Texts>>, linter = 'npx tsc'): readonly string[] {
  const state = (text: string | null): PathState =>
    text === null ? null : { kind: 'file', bytes: Buffer.from(text), mode: 0o644 }
  const changes = Object.entries(files).map(([path, [before, after]]) =>
    changeBetween({ path, target: path }, state(before), state(after)),
  )
  return hiddenErrors(changes, linter).map(({ flag, path, reason }) => `${flag} ${path}: ${reason}`)
}

describe('asks about', () => {
  it.each([
    ['a.ts', '// @ts-ignore'],
    ['a.tsx', '{/* @ts-expect-error: later */}'],
    ['a.js', '// @ts-nocheck'],
    ['a.js', '/* eslint-disable */'],
    ['a.vue', '<!-- eslint-disable vue/no-v-html -->'],
    ['a.mjs', 'f() // eslint-disable-line no-console'],
    ['a.js', '/* eslint no-console: "off" */'],
    ['a.js', '/* eslint eqeqeq: 2, no-console: 0 */'],
    ['a.js', "/* eslint no-console: ['off'] */"],
    ['a.ts', '// biome-ignore lint/suspicious/noExplicitAny: later'],
    ['a.ts', '// oxlint-disable-next-line'],
    ['a.ts', '// deno-lint-ignore no-explicit-any'],
    ['a.ts', '// tslint:disable-next-line:no-any'],
    ['a.scss', '/* stylelint-disable */'],
    ['a.py', 'import os  # noqa'],
    ['a.py', 'import os  #NOQA: F401'],
    ['a.py', '# ruff: noqa'],
    ['a.py', '# flake8: noqa'],
    ['a.py', 'x: int = "a"  # type: ignore[assignment]'],
    ['a.py', '# pyright: ignore'],
    ['a.py', '# mypy: ignore-errors'],
    ['a.pyi', '# pylint: disable=missing-docstring'],
    ['a.py', "x = 'it''s'  # noqa"],
    ['a.py', `m = "don't do this"  # noqa: E501 -- can't split`],
    ['a.ts', `const s = "it's" // eslint-disable-line no-undef -- don't know why`],
    ['a.js', "<p>Don't</p> // eslint-disable-line x -- it's fine"],
    ['a.js', '/* jshint ignore:start */'],
    ['a.py', '# pyright: basic'],
    ['a.py', '# pyright: reportMissingImports=false'],
    ['a.py', '@typing.no_type_check'],
    ['a.go', '//revive:disable'],
    ['a.go', '//go:build ignore'],
    ['a.php', ' * @psalm-suppress UndefinedClass'],
    ['a.php', ' * @SuppressWarnings(PHPMD.UnusedLocalVariable)'],
    ['a.rb', 'eval(x) # rubocop:disable Security/Eval'],
    ['a.go', 'x() //nolint:errcheck'],
    ['a.go', '//lint:ignore SA1000 later'],
    ['a.php', '// phpcs:ignore'],
    ['a.php', '/** @phpstan-ignore-next-line */'],
    ['A.java', '@SuppressWarnings("unchecked")'],
    ['a.kt', '@file:Suppress("x")'],
    ['a.rs', '#[allow(dead_code)]'],
    ['a.rs', '#![allow(clippy::all)]'],
    ['a.c', '#pragma GCC diagnostic ignored "-Wall"'],
    ['a.cpp', 'x(); // NOLINT'],
    ['a.cs', '#pragma warning disable CS0168'],
    ['a.sh', '# shellcheck disable=SC2086'],
    ['bin/run', '# shellcheck disable=SC2086'],
    ['a.lua', '-- luacheck: ignore'],
    ['a.swift', '// swiftlint:disable all'],
    ['a.dart', '// ignore: unused_import'],
  ])('%s that gets %s', (path, line) => {
    const reason = /^hidden-errors \S+: adds `.+` \(line 2\), which hides errors from the check$/
    expect(told({ [path]: ['one()\ntwo()\n', `one()\n${line}\ntwo()\n`] })).toEqual([expect.stringMatching(reason)])
    expect(told({ [path]: [null, `one()\n${line}\n`] })).toHaveLength(1)
    expect(told({ [path]: [`one()\n${line}\n`, `${line}\none(1)\n`] })).toEqual([])
    expect(told({ [path]: [`one()\n${line}\n`, 'one()\n'] })).toEqual([])
    expect(told({ 'a.rst': ['one\n', `one\n${line}\n`] })).toEqual([])
    expect(told({ [path]: ['one()\n', `one()\n${line}\n`] }, ' ')).toEqual([])
  })

  it('one of many by its first, and each file once', () => {
    const line = '  // eslint-disable-next-line no-console -- it is the screen\n'
    expect(told({ 'a.js': [line, `x()\n${line}y()\n${line}${line}`], 'b.js': [null, line] })).toEqual([
      'hidden-errors a.js: adds `// eslint-disable-next-line no-console -…` (line 2) and 1 more like it, which hide errors from the check',
      'hidden-errors b.js: adds `// eslint-disable-next-line no-console -…` (line 1), which hides errors from the check',
    ])
  })

  it.each([
    ['another kind', '// @ts-expect-error\n', '// @ts-ignore\n'],
    ['one for the file in place of one for a line', '// eslint-disable-next-line\n', '/* eslint-disable */\n'],
  ])('%s', (_, before, after) => {
    expect(told({ 'a.ts': [before, after] })).toHaveLength(1)
  })

  it('what hides errors in a document, but not what a document says of code', () => {
    const said = '<!-- markdownlint-disable MD013 -->\n// @ts-ignore\n'
    expect(told({ 'README.md': ['one\n', said] })).toEqual([
      'hidden-errors README.md: adds `<!-- markdownlint-disable MD013 -->` (line 1), which hides errors from the check',
    ])
  })

  it('the line that the file did not have, of two that are alike', () => {
    expect(told({ 'a.ts': ['a() // @ts-ignore\n', 'a() // @ts-ignore\nb() // @ts-ignore\n'] })).toEqual([
      'hidden-errors a.ts: adds `// @ts-ignore` (line 2), which hides errors from the check',
    ])
  })
})

describe('leaves alone', () => {
  it('what moved from another file, as often as it did', () => {
    const line = 'x()  # type: ignore\n'
    expect(told({ 'a.py': [line, null], 'b.py': [null, `y()\n${line}`] })).toEqual([])
    expect(told({ 'a.py': [`${line}z()\n`, 'z()\n'], 'b.py': [null, `if y:\n    ${line}`] })).toEqual([])
    expect(told({ 'a.py': [line, null], 'b.py': [null, line + line] })).toHaveLength(1)
    const method = 'def total # rubocop:disable Metrics/AbcSize\n'
    expect(told({ 'a.rb': [method, null], 'b.rb': [null, method.replace('total', 'self.total(items)')] })).toEqual([])
  })

  it.each([
    ['one with other names', '# pylint: disable=a\n', '# pylint: disable=b,c\n'],
    ['one whose line changed', 'x = 1  # noqa: F401\n', 'y = 2  # noqa:F401 -- why\n'],
    ['one with other blanks', '//@ts-ignore\n', '// @ts-ignore: later\n'],
  ])('%s', (_, before, after) => {
    expect(told({ 'a.ts': [before, after] })).toEqual([])
  })

  it.each([
    ['a.ts', '// the word eslint-disable'],
    ['a.ts', '// eslint 9.0 has another configuration'],
    ['a.ts', '/* eslint is off for generated files: see there */'],
    ['a.py', '# a noqa'],
    ['a.py', 'noqa = 1'],
    ['A.java', ' * @SuppressWarnings is no answer'],
    ['A.java', '// @SuppressWarnings is no answer'],
    ['a.rs', 'allow(dead_code)'],
    ['a.go', 'nolint()'],
  ])('in %s what is no sign to a tool: %s', (path, line) => {
    expect(told({ [path]: [null, `${line}\n`] })).toEqual([])
  })
})

it('takes no long time for texts that are made for it', () => {
  const million = (text: string) => text.repeat(1_000_000 / text.length)
  const hostile = [
    '/',
    '//',
    '/*',
    '# ',
    '#[ cfg_attr( ',
    '[a.',
    '--',
    '/* eslint a ',
    '# noqa\n',
    '"\'`// @ts-ignore',
    '\n\n#',
    `${'#[allow('.repeat(240)}\n`,
  ]
  for (const path of ['a.ts', 'a.md']) {
    for (const text of hostile) told({ [path]: [million(text), `${million(text)}\n# noqa\n// @ts-ignore`] })
  }
  // As many repeats of a group as fit into an answer are more than a pattern can go back over, and a line for each sign in
  // it is more than fits into a text.
  told({ 'a.cs': [null, `[${'a.'.repeat(8_000_000)}`] })
  told({ 'a.py': [null, `${'# noqa '.repeat(280)}\n`.repeat(1500)] })
}, 20_000)
