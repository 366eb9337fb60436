import { expect, it } from 'vitest'
import { indentedFiles } from '../../../src/plan/damage/indented-files.ts'

const code = 'import os\n\ndef one(a):\n    if a:\n        return 1\n    return 2\n'

function asked(after: string, path = 'a.py', before = code): readonly string[] {
  return indentedFiles([{ path, before, after }]).map(({ flag, reason }) => `${flag}: ${reason}`)
}

it('asks where every line is indented', () => {
  const said = ['chat-artifact: every line of it is indented, as it was not']
  expect(asked(code.replace(/^(?=.)/gm, ' '))).toEqual(said)
  expect(asked(code.replace(/^(?=.)/gm, '\t').replaceAll('\n', '\r\n'))).toEqual(said)
})

it('asks about nothing where lines stand at the margin, or none did, or the file is another one', () => {
  const indented = code.replace(/^(?=.)/gm, ' ')
  expect(asked(code.replaceAll('    ', '\t'))).toEqual([])
  expect(asked(indented, 'a.md')).toEqual([])
  expect(asked(indented, 'a.py', '')).toEqual([])
  expect(asked(indented, 'a.py', indented)).toEqual([])
  expect(asked(' print(1)\n')).toEqual([])
})
