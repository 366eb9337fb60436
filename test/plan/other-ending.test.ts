import { expect, it } from 'vitest'
import type { Change } from '../../src/model/plan.ts'
import { editedPaths } from '../../src/plan/edited-paths.ts'
import { otherEnding } from '../../src/plan/other-ending.ts'
import { change } from '../report/samples.ts'
import { newFile, unseen } from './absent-place.ts'

/** What is said of a new file beside others that the summary tells of. */
function said(path: string, beside: readonly string[], summary: readonly unknown[], others: readonly Change[] = []) {
  return otherEnding([newFile(path, { beside }), ...others.map(unseen)], editedPaths({ changeSummary: summary }))
}

it('asks about a file that is edited but not there, where another ending of its name is', () => {
  expect(said('src/app.ts', ['app.test.ts', 'app.tsx', 'lib.ts'], [{ edit: 'src/app.ts' }])).toEqual([
    {
      flag: 'summary-mismatch',
      path: 'src/app.ts',
      reason: 'the change summary edits it, but it is not there, and src/app.tsx is',
    },
  ])
  expect(said('ci.yml', ['ci.yaml'], [{ edit: 'ci.yml' }])).toHaveLength(1)
})

it.each<[string, string, readonly string[], readonly unknown[]]>([
  ['a new file', 'src/app.ts', ['app.tsx'], [{ new: 'src/app.ts' }]],
  ['a file that is new and edited', 'src/app.ts', ['app.tsx'], [{ edit: 'src/app.ts' }, { new: 'src/app.ts' }]],
  ['another kind of file', 'src/app.css', ['app.tsx'], [{ edit: 'src/app.css' }]],
  ['another name', 'src/app.ts', ['apps.tsx'], [{ edit: 'src/app.ts' }]],
  ['no ending', 'Makefile', ['Makefile.am'], [{ edit: 'Makefile' }]],
  ['a summary in words', 'src/app.ts', ['app.tsx'], ['edit src/app.ts', null, { edit: ['src/app.ts'] }]],
])('says nothing of %s', (_, path, beside, summary) => {
  expect(said(path, beside, summary)).toEqual([])
})

it('says nothing where the other one goes, nor in a new folder', () => {
  const summary = [{ edit: 'src/app.ts' }]
  expect(said('src/app.ts', ['app.tsx'], summary, [change('src/app.tsx', 'x\n', null)])).toEqual([])
  const inNewFolder = newFile('src/app.ts', { missingFolders: ['src'], beside: ['app.tsx'] })
  expect(otherEnding([inNewFolder], editedPaths({ changeSummary: summary }))).toEqual([])
})
