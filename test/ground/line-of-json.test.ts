import { expect, it } from 'vitest'
import { lineOfJson } from '../../src/ground/line-of-json.ts'

const text = '\ufeff{\r\n  "a": 1,\r\n  "list": [\r\n    {},\r\n    { "b":\r\n      "x" }\r\n  ]\r\n}\r\n'

it.each<[path: (string | number)[], line: number | undefined]>([
  [[], 1],
  [['a'], 2],
  [['list'], 3],
  [['list', 1], 5],
  [['list', 1, 'b'], 6],
  [['list', 0, 'b'], undefined],
  [['none'], undefined],
])('finds the line of %j', (path, line) => {
  expect(lineOfJson(text, path)).toBe(line)
})
