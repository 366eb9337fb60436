import { expect, it } from 'vitest'
import { lostIndentation } from '../../../src/plan/damage/lost-indentation.ts'

const code = `import os

def one(a):
    if a:
        return 1
    return 2

def two(b):
    for c in b:
        print(c)
`

function asked(after: string, path = 'a.py', before = code): readonly string[] {
  return lostIndentation([{ path, before, after }]).map(({ flag, reason }) => `${flag}: ${reason}`)
}

const flat = code.replace(/^ +/gm, '')

it('asks where no line is indented any more', () => {
  expect(asked(flat)).toEqual(['chat-artifact: none of its lines is indented any more'])
  expect(asked(flat.replace('return 2', 'return 3'))).toHaveLength(1)
  expect(asked(flat.replaceAll('\n', '\r\n'))).toHaveLength(1)
})

it('asks about nothing where', () => {
  const wrapped = 'namespace a {\n  one\n  two\n  three\n  four\n}\n'
  const unwrapped = 'one\ntwo\nthree\nfour\n'
  expect(asked(code.replaceAll('    ', '\t'))).toEqual([])
  expect(asked(flat, 'a.md')).toEqual([])
  expect(asked(flat, 'a.py', '')).toEqual([])
  expect(asked(flat, 'a.py', flat)).toEqual([])
  expect(asked(unwrapped, 'a.h', wrapped)).toEqual([])
  expect(asked(wrapped, 'a.h', unwrapped)).toEqual([])
  expect(asked('{"a":1,"b":[2]}\n', 'a.json', '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n')).toEqual([])
  expect(asked('print(1)\n')).toEqual([])
})
