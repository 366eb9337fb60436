import { expect, it } from 'vitest'
import type { Change } from '../../src/model/plan.ts'
import { otherEnding } from '../../src/plan/other-ending.ts'
import { change } from '../report/samples.ts'
import { newFile, unseen } from './absent-place.ts'

/** What is said of a new file beside others, where the summary calls these paths edited. */
function said(path: string, beside: readonly string[], edited: readonly string[], others: readonly Change[] = []) {
  return otherEnding([newFile(path, { beside }), ...others.map(unseen)], new Set(edited))
}

it('asks about a file that is edited but not there, where another ending of its name is', () => {
  expect(said('src/app.ts', ['app.test.ts', 'app.tsx', 'lib.ts'], ['src/app.ts'])).toEqual([
    {
      flag: 'summary-mismatch',
      path: 'src/app.ts',
      reason: 'the change summary edits it, but it does not exist, while src/app.tsx does',
    },
  ])
  expect(said('ci.yml', ['ci.yaml'], ['ci.yml'])).toHaveLength(1)
})

it.each<[string, string, readonly string[], readonly string[]]>([
  ['a new file', 'src/app.ts', ['app.tsx'], []],
  ['another kind of file', 'src/app.css', ['app.tsx'], ['src/app.css']],
  ['another name', 'src/app.ts', ['apps.tsx'], ['src/app.ts']],
  ['no ending', 'Makefile', ['Makefile.am'], ['Makefile']],
])('says nothing of %s', (_, path, beside, edited) => {
  expect(said(path, beside, edited)).toEqual([])
})

it('says nothing where the other one goes, nor in a new folder', () => {
  const edited = ['src/app.ts']
  expect(said('src/app.ts', ['app.tsx'], edited, [change('src/app.tsx', 'x\n', null)])).toEqual([])
  const inNewFolder = newFile('src/app.ts', { missingFolders: ['src'], beside: ['app.tsx'] })
  expect(otherEnding([inNewFolder], new Set(edited))).toEqual([])
})
