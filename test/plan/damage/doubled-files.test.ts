import { expect, it } from 'vitest'
import { doubledFiles } from '../../../src/plan/damage/doubled-files.ts'

const lines = Array.from({ length: 10 }, (_, at) => `export const v${at} = ${at}`)
const text = `${lines.join('\n')}\n`

function asked(after: string, before = text): readonly string[] {
  return doubledFiles([{ path: 'a.ts', before, after }]).map(({ flag, reason }) => `${flag}: ${reason}`)
}

it('asks where the file is there twice, the second time perhaps bettered', () => {
  const reason = 'of its lines now occur twice: it may hold the file two times'
  expect(asked(text + text)).toEqual([`duplicate-path: 10 ${reason}`])
  expect(asked(`${text}\n${text.replace('v7 = 7', 'v7 = 8')}`)).toEqual([`duplicate-path: 9 ${reason}`])
  expect(asked((text + text).replaceAll('v0', 'w0'))).toEqual([`duplicate-path: 9 ${reason}`])
})

it('asks about nothing where a part is there twice, or the file grows', () => {
  expect(asked(text + lines.slice(0, 6).join('\n'))).toEqual([])
  expect(asked(text + text.replaceAll('v', 'w'))).toEqual([])
  expect(asked(text.repeat(3), text.repeat(2))).toEqual([])
  expect(asked(text, '')).toEqual([])
  expect(asked(`jobs:\n  linux:\n${text}  windows:\n${text}`, `jobs:\n  linux:\n${text}`)).toEqual([])
})
