import { describe, expect, it } from 'vitest'
import { loopPaths } from '../../../src/agents/prd/loop-files.ts'
import { prdBook } from '../../../src/agents/prd/prd-book.ts'
import { changesOfBooks } from '../../../src/agents/work/book-files.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { change } from '../../support/made.ts'
import { prdText, story } from '../prd/prd-world.ts'

describe('the files of books', () => {
  const paths = ['prd.json', 'prompt.md', 'scripts/ralph/prompt.md', 'RAF/abcdef-a/plans/01-a.md', 'RAF/notes.md']
  const changes = paths.map(path => change(path, 'a', 'b'))
  const found = async (files: Record<string, string>, those = changes, owns = (_: string) => false) =>
    [...(await changesOfBooks(those, { owns }, '/project', fakeSystem({ files }).system))].toSorted()

  it("are no agent's to change, where there is such a book", async () => {
    expect(await found({ 'prd.json': '{}' })).toEqual(['RAF/abcdef-a/plans/01-a.md', 'prd.json', 'prompt.md'])
    expect(await found({}, [change('prompt.md', 'a', 'b')])).toEqual([])
  })

  it('stay protected where the agent removes the prd.json, and are not where it makes one', async () => {
    const prompt = change('prompt.md', 'a', 'b')
    expect(await found({}, [prompt, change('prd.json', '{}', null)])).toEqual(['prd.json', 'prompt.md'])
    expect(await found({ 'prd.json': '{}' }, [prompt, change('prd.json', null, '{}')])).toEqual([])
  })

  it('are left to the book that they belong to', async () => {
    expect(await found({ 'prd.json': '{}' }, changes, path => path.startsWith('RAF/'))).toEqual([
      'prd.json',
      'prompt.md',
    ])
  })
})

it('takes no instructions for later agents from the agent of a loop', async () => {
  const { system } = fakeSystem({
    files: {
      'prd.json': prdText([story('US-1')]),
      'checkout/prd.json': prdText([story('US-1', { passes: true })]),
    },
  })
  const place = { root: '/project', paths: loopPaths('prd.json'), folder: '/project/state', lastPrd: '/project/last' }
  const how = { branch: 'ralph/priority', isHere: true, ignored: new Set<string>(), allow: 'any' } as const
  const book = prdBook({ ...place, ...how }, system)
  const facts = { cwd: '/project/checkout', attempt: 1, before: [], isResumed: false, ms: 0 }
  const changes = [change('src/a.ts', null, 'x'), change('prompt.md', 'a', 'b'), change('.last-branch', null, 'x')]
  system.files.makeFolder('/project/state')
  const turn = {
    marker: 'COMPLETE',
    status: 'ok',
    text: '',
    usage: {},
    sessionId: undefined,
    why: '',
    log: undefined,
  } as const
  const settled = await book.settle({ id: 'US-1', title: 'One' }, turn, changes, facts)
  expect(settled).toMatchObject({ kind: 'done', dropped: ['prompt.md', '.last-branch'] })
  const landing = settled.kind === 'done' ? settled.changes.map(({ path }) => path) : []
  expect(landing).toEqual(['src/a.ts', 'prd.json', 'progress.txt'])
})
