import { expect, it } from 'vitest'
import { inOrder, nextStory } from '../../../src/agents/prd/next-story.ts'
import { prdFile, story } from './prd-world.ts'

it.each<[name: string, stories: readonly [priority: number | undefined, passes: boolean][], order: string, next: string]>([
  ['lowest number first', [[3, false], [1, false], [2, false]], '2 3 1', '2'],
  ['equal ones in the order of the file', [[2, false], [1, false], [1, false], [2, false]], '2 3 1 4', '2'],
  ['what passes is done', [[1, true], [2, true], [3, false]], '1 2 3', '3'],
  ['one without a number is last', [[undefined, false], [undefined, false], [9, false]], '3 1 2', '3'],
  ['fractions and signs are numbers', [[1.5, false], [-1, false], [0, true]], '2 3 1', '2'],
  ['all pass', [[1, true]], '1', ''],
  ['there are none', [], '', ''],
])('takes stories in their order: %s', (_, stories, order, next) => {
  const { prd } = prdFile(stories.map(([priority, passes], at) => story(String(at + 1), { priority, passes })))
  expect(inOrder(prd).map(({ id }) => id).join(' ')).toBe(order)
  expect(nextStory(prd)?.id ?? '').toBe(next)
}) // biome-ignore format: one line a case reads as a table
