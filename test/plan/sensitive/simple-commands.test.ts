import { describe, expect, it } from 'vitest'
import { simpleCommands } from '../../../src/plan/sensitive/simple-commands.ts'

describe('simpleCommands', () => {
  it.each([
    ['tsc && ./lint a.ts | tee x', [['tsc'], [], ['./lint', 'a.ts'], ['tee', 'x']]],
    ['sh -c "cd . && x"', [['sh', '-c', 'cd', '.'], [], ['x']]],
    ['A=1 lint --config="x y"', [['A=', '1', 'lint', '--config=', 'x', 'y']]],
    ['lint 2>&1 >> log.js >"my file"', [['lint', '2', 'file']]],
    ["node -e 'x => y.js'", [['node', '-e', 'x', 'y.js']]],
    ['a\nb;c', [['a'], ['b'], ['c']]],
    ['', [[]]],
  ])('cuts %s', (command, words) => {
    expect(simpleCommands(command).map(each => each.map(({ text }) => text))).toEqual(words)
  })

  it('tells what a word stands behind', () => {
    expect(simpleCommands('sh -c <x y; z')).toEqual([
      [
        { text: 'sh', before: '', isFed: false },
        { text: '-c', before: 'sh', isFed: false },
        { text: 'x', before: '-c', isFed: true },
        { text: 'y', before: 'x', isFed: false },
      ],
      [{ text: 'z', before: '', isFed: false }],
    ])
  })

  it.each(['sh <&3 x', 'sh <<EOF x', 'sh <<< EOF x'])('feeds one word of %s', command => {
    expect(simpleCommands(command).map(words => words.map(({ isFed }) => isFed))).toEqual([[false, true, false]])
  })

  it('feeds no program whose output is read', () => {
    expect(simpleCommands('diff <(x)').flat().slice(1)).toEqual([{ text: 'x', before: '', isFed: false }])
  })
})
