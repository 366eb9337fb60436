import { describe, expect, it } from 'vitest'
import { readPlace } from '../../src/check/read-place.ts'

describe('readPlace', () => {
  it.each([
    ['a.c:3:7: error: no', { file: 'a.c', line: 3, column: 7, mark: ':', rest: 'error: no' }],
    ['a.c:3: error: no', { file: 'a.c', line: 3, column: undefined, mark: ':', rest: 'error: no' }],
    ['a.py:3:7:3:12: error: no', { file: 'a.py', line: 3, column: 7, mark: ':', rest: 'error: no' }],
    ['a.ts:3:7 - error TS1: no', { file: 'a.ts', line: 3, column: 7, mark: '-', rest: 'error TS1: no' }],
    ['  /app/a.py:3:7 - error: no', { file: '/app/a.py', line: 3, column: 7, mark: '-', rest: 'error: no' }],
    ['/app/A.svelte:3:7', { file: '/app/A.svelte', line: 3, column: 7, mark: '', rest: '' }],
    ['C:\\app\\a.c:3:7: error: no', { file: 'C:\\app\\a.c', line: 3, column: 7, mark: ':', rest: 'error: no' }],
    ['my file.c:3:7: error: no', { file: 'my file.c', line: 3, column: 7, mark: ':', rest: 'error: no' }],
    ['a.c:3:7: see b.c:9:9: there', { file: 'a.c', line: 3, column: 7, mark: ':', rest: 'see b.c:9:9: there' }],
  ])('reads %j', (text, place) => {
    expect(readPlace(text)).toEqual(place)
  })

  it.each([
    [''],
    ['a.c'],
    [':3:7: error: no'],
    ['a.c:x: error: no'],
    ['a.c:3:7 error: no'],
    ['a.c:9999999999: error: no'],
    ['Error: src/a.c:3:7: error: no'],
    ['    src/a.c:3:7: error: no'],
    ['E       src/a.c:3:7: error: no'],
    ['> throw new Error("src/a.c:3:7: error: no")'],
  ])('finds none in %j', text => {
    expect(readPlace(text)).toBeUndefined()
  })
})
