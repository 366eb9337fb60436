import { expect, it } from 'vitest'
import { editJson, removeFromJson } from '../../src/ground/edit-json.ts'

it.each<[name: string, text: string, path: string, value: unknown, edited: string]>([
  ['a value', '{\n  "a" : 1,\n\n  "b": "x"\n}\n', 'a', [true], '{\n  "a" : [true],\n\n  "b": "x"\n}\n'],
  ['a value below', '{"p": {"a": [1,\n2], "b":3}}', 'p.a', ['x', 'y'], '{"p": {"a": ["x", "y"], "b":3}}'],
  ['a new key', '{\n\t"a": 1\n}', 'b', 'x', '{\n\t"a": 1,\n\t"b": "x"\n}'],
  ['a new key on one line', '{ "a": 1 }', 'b', 2, '{ "a": 1, "b": 2 }'],
  ['a new key of CRLF lines', '\ufeff{\r\n  "a": 1\r\n}\r\n', 'b', 2, '\ufeff{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
  ['a key in an empty object', '{\n  "p": {}\n}', 'p.a', 1, '{\n  "p": { "a": 1 }\n}'],
  ['a key of a new object', '{\n  "a": 1\n}', 'p.b', [], '{\n  "a": 1,\n  "p": {\n    "b": []\n  }\n}'],
  ['a key where no object is', '{"p": 3}', 'p.a', 1, '{"p": {"a":1}}'],
  ['a key of a new object below a number', '{"p": {"a": 3}}', 'p.a.b.c', 1, '{"p": {"a": {"b":{"c":1}}}}'],
  ['a new key behind an empty line', '{\n  "a": 1,\n\n  "b" : 2 }', 'c', 3, '{\n  "a": 1,\n\n  "b" : 2,\n  "c": 3 }'],
  ['the first key', '{}', 'a', 1, '{ "a": 1 }'],
  ['a value behind signs of YAML', '{"x": "a: {b # c", "a": "\\u0022-\\/"}', 'a', 'z', '{"x": "a: {b # c", "a": "z"}'],
])('sets %s, and leaves the rest as it is', (_, text, path, value, edited) => {
  expect(editJson(text, path.split('.'), value)).toBe(edited)
  expect(() => JSON.parse(edited.replace('\ufeff', ''))).not.toThrow()
})

it.each<[name: string, text: string, path: (string | number)[], value: unknown, edited: string]>([
  ['a value', '[{"a": 1}, {"a" : 1}]', [1, 'a'], true, '[{"a": 1}, {"a" : true}]'],
  [
    'a new key',
    '{\n "l": [\n  {\n   "a": 1\n  }\n ]\n}',
    ['l', 0, 'b'],
    '',
    '{\n "l": [\n  {\n   "a": 1,\n   "b": ""\n  }\n ]\n}',
  ],
])('sets %s of an item in a list', (_, text, path, value, edited) => {
  expect(editJson(text, path, value)).toBe(edited)
})

it.each<[name: string, text: string, path: string, edited: string]>([
  ['the first', '{\n  "a" : 1,\n  "b": "x"\n}\n', 'a', '{\n  "b": "x"\n}\n'],
  ['the last', '{\r\n  "a" : 1,\r\n  "b": [2]\r\n}\r\n', 'b', '{\r\n  "a" : 1\r\n}\r\n'],
  ['one between', '{ "a": 1, "b": 2 , "c": 3 }', 'b', '{ "a": 1 , "c": 3 }'],
  ['the only one', '{\n  "p": { "a": 1 }\n}', 'p.a', '{\n  "p": {}\n}'],
  ['none that is not there', '{ "a": 1 }', 'b', '{ "a": 1 }'],
  ['none below a number', '{ "a": 1 }', 'a.b', '{ "a": 1 }'],
])('removes %s, and leaves the rest as it is', (_, text, path, edited) => {
  expect(removeFromJson(text, path.split('.'))).toBe(edited)
})
