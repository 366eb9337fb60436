import { expect, it } from 'vitest'
import { archiveOf } from '../../../src/agents/prd/begin-loop.ts'

const at = new Date(2026, 10, 20, 23, 59)
const files = { prd: '{"branchName": "ralph/old"}', progress: '# Ralph Progress Log\n' }

it.each<[branch: string, folder: string]>([
  ['ralph/old', '2026-11-20-old'],
  ['ralph/old\n', '2026-11-20-old'],
  ['feature/old', '2026-11-20-feature/old'],
  ['ralph/a/new', '2026-11-20-a/new'],
  ['ralph/ralph/x', '2026-11-20-ralph/x'],
  ['ralph/', '2026-11-20-run'],
  ['ralph/../../.ssh', '2026-11-20--/-/-ssh'],
  ['/etc/cron.d', '2026-11-20-etc/cron.d'],
  ['C:\\Windows\x1b[2J', '2026-11-20-C--Windows-[2J'],
])('archives a run on %j', (branch, folder) => {
  expect(archiveOf({ branch, ...files }, 'ralph/new', at)).toEqual({
    folder: `archive/${folder}`,
    files: { 'prd.json': files.prd, 'progress.txt': files.progress },
  })
})

it.each<[name: string, last: string | null, now: string]>([
  ['the branch is the same', 'ralph/new\n', 'ralph/new'],
  ['there was no run', null, 'ralph/new'],
  ['no branch is known of it', ' \n', 'ralph/new'],
  ['the new one names no branch', 'ralph/old', ''],
])('archives nothing where %s', (_, branch, now) => {
  expect(archiveOf({ branch, ...files }, now, at)).toBeUndefined()
})

it('archives what is left of a run, and nothing where nothing is', () => {
  const last = { branch: 'ralph/old', prd: null, progress: null }
  expect(archiveOf({ ...last, progress: 'x' }, 'ralph/new', at)?.files).toEqual({ 'progress.txt': 'x' })
  expect(archiveOf(last, 'ralph/new', at)).toBeUndefined()
})

it('never writes over an older archive', () => {
  const taken = ['archive/2026-11-20-old', 'archive/2026-11-20-old-2']
  const archive = archiveOf({ branch: 'ralph/old', ...files }, 'ralph/new', at, folder => taken.includes(folder))
  expect(archive?.folder).toBe('archive/2026-11-20-old-3')
})
