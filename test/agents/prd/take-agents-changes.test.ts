import { expect, it } from 'vitest'
import { type JsonObject, readPrd } from '../../../src/agents/prd/prd-file.ts'
import { takeAgentsChanges } from '../../../src/agents/prd/take-agents-changes.ts'
import { prdFile, prdText, story } from './prd-world.ts'

const [one, two, three] = [story('US-001', { passes: true }), story('US-002'), story('US-003')]
const before = prdFile([one, two, three])

it.each<[name: string, after: readonly JsonObject[], saysPasses: boolean, putBack: readonly string[]]>([
  ['nothing', [one, two, three], false, []],
  ['that its own story passes', [one, { ...two, passes: true }, three], true, []],
  [
    'the passes of other stories',
    [{ ...one, passes: false }, two, { ...three, passes: true }],
    false,
    ['"passes" of US-001 was changed', '"passes" of US-003 was changed'],
  ],
  ['notes of another story', [one, two, { ...three, notes: 'x' }], false, ['"notes" of US-003 was changed']],
  ['a story less', [one, { ...two, passes: true }], true, ['US-003 was removed']],
  ['its own story removed', [one, three], false, ['US-002 was removed']],
  ['a story more', [one, two, three, story('US-004')], false, ['US-004 was added']],
  [
    'its own criteria and priority',
    [one, { ...two, passes: true, acceptanceCriteria: [], priority: 9, estimate: 1 }, three],
    true,
    ['acceptanceCriteria', 'priority', 'estimate'].map(key => `"${key}" of US-002 was changed`),
  ],
  ['another order', [two, one, three], false, ['the order of the stories was changed']],
  ['a copy of its own story', [one, two, three, { ...two, passes: true }], false, ['US-002 (2) was added']],
])('takes from what an agent made of prd.json: %s', (_, after, saysPasses, putBack) => {
  expect(takeAgentsChanges(before, readPrd(prdText(after)), 'US-002')).toEqual({ file: before, saysPasses, putBack })
})

it('takes the notes on its own story, into the text as it was', () => {
  const after = readPrd(
    JSON.stringify({ userStories: [one, { ...two, notes: 'The table is "t"', passes: true }, three] }),
  )
  expect(takeAgentsChanges(before, after, 'US-002')).toEqual({
    file: prdFile([one, { ...two, notes: 'The table is "t"' }, three]),
    saysPasses: true,
    putBack: ['"project" was changed', '"branchName" was changed', '"description" was changed'],
  })
})

it('keeps the file as it was where the agent left none that can be read', () => {
  const nothing = { file: before, saysPasses: false }
  expect(takeAgentsChanges(before, undefined, 'US-002')).toEqual({ ...nothing, putBack: ['prd.json was deleted'] })
  expect(takeAgentsChanges(before, readPrd('{"userStories": ['), 'US-002')).toEqual({
    ...nothing,
    putBack: ['prd.json cannot be read: line 1, column 18: close bracket expected'],
  })
})
