import { expect, it } from 'vitest'
import { mergePrd } from '../../../src/agents/prd/merge-prd.ts'
import type { JsonObject } from '../../../src/agents/prd/prd-file.ts'
import { prdFile, prdText, readFile, story } from './prd-world.ts'

const [one, two] = [story('US-001'), story('US-002')]
const passed = { ...one, passes: true, notes: 'Done' }
type Stories = readonly JsonObject[]

it.each<[name: string, theirs: Stories, users: Stories, merged: Stories, conflicts: readonly string[]]>([
  ['the user changed nothing', [passed, two], [one, two], [passed, two], []],
  ['only the user changed', [one, two], [one], [one], []],
  ['both changed alike', [passed, two], [passed, two], [passed, two], []],
  ['other keys of one story', [passed, two], [{ ...one, title: 'New' }, two], [{ ...passed, title: 'New' }, two], []],
  ['the user added a story', [passed, two], [story('US-003'), one, two], [story('US-003'), passed, two], []],
  ['the user ordered them anew', [passed, two], [two, one], [two, passed], []],
  ['the user removed another', [passed, two], [one], [passed], []],
  ['they added one', [one, two, story('US-003')], [{ ...one, title: 'New' }, two], [{ ...one, title: 'New' }, two, story('US-003')], []],
  ['they removed one', [one], [one, two], [one], []],
  ['they added a key', [{ ...one, estimate: 1 }, two], [one], [{ ...one, estimate: 1 }], []],
  ['the user removed what they changed', [passed, two], [two], [two], ['US-001, which you removed']],
  ['they removed what the user changed', [two], [{ ...one, title: 'New' }, two], [{ ...one, title: 'New' }, two], ['US-001, which was removed']],
  ['both wrote notes', [passed, two], [{ ...one, notes: 'Mine' }, two], [{ ...passed, notes: 'Mine' }, two], ['"notes" of US-001']],
  ['both added a story of one id', [one, two, story('US-003', { title: 'A' })], [one, two, story('US-003')], [one, two, story('US-003')], ['"title" of US-003']],
])('merges by story and key: %s', (_, theirs, users, merged, conflicts) => {
  expect(mergePrd(prdFile([one, two]), prdFile(theirs), prdFile(users))).toEqual({ file: prdFile(merged), conflicts })
}) // biome-ignore format: one line a case reads as a table

it('merges what stands beside the stories by key as well', () => {
  const merge = (theirs: JsonObject, users: JsonObject) =>
    mergePrd(prdFile([one]), prdFile([one], theirs), prdFile([one], users))
  expect(merge({ project: 'Their' }, { description: 'Mine' })).toEqual({
    file: prdFile([one], { project: 'Their', description: 'Mine' }),
    conflicts: [],
  })
  expect(merge({ project: 'Their' }, { project: 'Mine' })).toEqual({
    file: prdFile([one], { project: 'Mine' }),
    conflicts: ['"project"'],
  })
})

it('keeps the text of the user but for the values that come in', () => {
  const layout = (text: string) => text.replaceAll('\n', '\r\n').replace('"title": "', '"title":  "').trimEnd()
  const users = readFile(layout(prdText([{ ...one, title: 'New' }, two])))
  expect(mergePrd(prdFile([one, two]), prdFile([passed, two]), users).file.text).toBe(
    layout(prdText([{ ...passed, title: 'New' }, two])),
  )
  expect(mergePrd(prdFile([one, two]), prdFile([one, two]), users).file.text).toBe(users.text)
})

it('takes a key named __proto__ for one of many', () => {
  const [base, theirs] = ['1', '2'].map(value => readFile(`{"userStories": [{"id": "US-001", "__proto__": ${value}}]}`))
  if (base === undefined || theirs === undefined) throw new Error('two files were made')
  expect(mergePrd(base, theirs, base).file.text).toBe(theirs.text)
})
