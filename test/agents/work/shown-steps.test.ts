import { expect, it } from 'vitest'
import { shownAs, workSteps } from '../../../src/agents/work/work-parts.ts'
import { shownSteps } from '../../../src/model/task.ts'

it('shows each step of a run as exactly one, and shows none that there is not', () => {
  expect(Object.keys(shownAs)).toEqual([...workSteps])
  expect(new Set(Object.values(shownAs))).toEqual(new Set(shownSteps))
})
