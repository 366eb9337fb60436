import { expect, it } from 'vitest'
import { diffSigns } from '../../../src/plan/damage/diff-signs.ts'

const old = ['import a from "a"', '', 'export function run() {', '  const x = 1', '  return x', '}', '']

function asked(after: readonly string[], path = 'a.ts', before: readonly string[] = old): readonly string[] {
  const flags = diffSigns([{ path, before: before.join('\n'), after: after.join('\n') }])
  return flags.map(({ flag, reason }) => `${flag}: ${reason}`)
}

it('asks about a line of the file behind a minus', () => {
  const said = [
    'chat-artifact: line 4 of it is a line of the file with a - before it, as in a diff: the signs may not belong to the file',
  ]
  expect(asked(old.with(3, '-  const x = 1'))).toEqual(said)
  expect(asked(old.with(3, '-  const x = 1').toSpliced(4, 0, '+  const x = 2'))).toEqual(said)
  expect(asked(old.with(3, '-   const x = 1  '))).toEqual(said)
})

it('asks about it below an operator that stands before what the file has', () => {
  const sum = ['const y =', '  a', '  b', '']
  expect(asked(['const y =', '  a', '  - b', '-  a', ''], 'a.ts', sum)).toHaveLength(1)
})

it('asks about a line behind a plus', () => {
  expect(asked(old.toSpliced(1, 0, '+import b from "b"'))).toEqual([
    'chat-artifact: line 2 of it begins with +, as in a diff: the signs may not belong to the file',
  ])
  expect(asked(old.toSpliced(4, 0, '+  const y = 2'))).toHaveLength(1)
})

it.each([
  ['an operator within an expression', old.with(4, '  return x\n    + y\n    - x')],
  ['a number', old.with(4, '-1 +2')],
  ['a sign that the file had', ['+a', '-b', '+c'], ['+a', '-b', 'c']],
  ['signs alone', old.with(4, '--\n++')],
])('takes %s for code', (_, after, before = old) => {
  expect(asked(after, 'a.ts', before)).toEqual([])
})

it('asks about lists only where both signs are there, before exactly what the file has', () => {
  const list = ['one: 1', 'two:', '  three: 3', '']
  for (const path of ['a.md', 'Makefile', '.eslintignore']) {
    expect(asked(list.with(0, '- one: 1'), path, list)).toEqual([])
    expect(asked(list.with(0, '-one: 1'), path, list)).toEqual([])
    expect(asked(list.with(2, '+  three: 4'), path, list)).toEqual([])
    expect(asked(list.with(2, '- three: 3\n+ three: 4'), path, list)).toEqual([])
    expect(asked(list.with(2, '-  three: 3\n+  three: 4'), path, list)).toHaveLength(1)
  }
})

it('asks about both signs before a number', () => {
  expect(asked(['-1,one', '+1,ones', '2,two'], 'a.csv', ['1,one', '2,two'])).toHaveLength(1)
  expect(asked(old.toSpliced(4, 0, '+"import"'))).toHaveLength(1)
})

it('takes operators that were put in front of their lines for code', () => {
  expect(asked(['x = (', '  a', '  + b', '  - c', ')'], 'a.py', ['x = (', '  a +', '  b -', '  c', ')'])).toEqual([])
  expect(asked(['x =', '  - c', '  + b'], 'a.ts', ['x = b', '  c', '  b'])).toEqual([])
})

it('takes the methods of a class in Objective-C for code', () => {
  const header = ['@interface View : NSObject', '', '- (void)draw;', '', '@end', '']
  expect(asked(header.toSpliced(3, 0, '+ (NSArray *)methods;'), 'View.h', header)).toEqual([])
  expect(asked(header.toSpliced(3, 0, '+ (instancetype)view;'), 'View.m', header)).toEqual([])
  expect(asked(header.toSpliced(1, 0, '+@property BOOL on;'), 'View.h', header)).toHaveLength(1)
})

it('asks about a hunk within the file, unless it stood there before', () => {
  for (const head of ['@@ -3,2 +3,2 @@ run', '<<<<<<< SEARCH', '<<<<<<SEARCH>']) {
    const after = old.toSpliced(3, 0, head)
    expect(asked(after)).toEqual([
      'chat-artifact: line 4 of it begins a hunk, as in a diff: the signs may not belong to the file',
    ])
    expect(asked([...after, '// more'], 'a.ts', after)).toEqual([])
    expect(asked(after, 'docs/a.md')).toEqual([])
    expect(asked(after, 'a.ts', [])).toEqual([])
  }
})

it('lets a diff be a diff, and a new file whatever it is', () => {
  expect(asked(old.with(3, '-  const x = 1'), 'a.patch')).toEqual([])
  expect(diffSigns([{ path: 'a.ts', before: '', after: '+a\n-b\n' }])).toEqual([])
})
