import { expect, it } from 'vitest'
import { exitCodeOfWork } from '../../../src/commands/alone/run-work.ts'
import type { WorkEnd } from '../../../src/model/task.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const left = (why: string | undefined) => ({ kind: 'left', branch: 'work', why }) as const
const pushed = (isFailed: boolean) => ({ kind: 'pushed', branch: 'work', why: 'so it is', isFailed }) as const

it.each<[string, Pick<WorkEnd, 'stopped' | 'shipped'>, number]>([
  ['all is done', { stopped: { kind: 'all-done' }, shipped: undefined }, 0],
  ['a branch is left, as was wished', { stopped: { kind: 'all-done' }, shipped: left(undefined) }, 0],
  ['a merge could not be', { stopped: { kind: 'all-done' }, shipped: left('it conflicts') }, 9],
  ['a pull request could not be', { stopped: { kind: 'all-done' }, shipped: pushed(true) }, 9],
  ['a branch is pushed, and nobody could open more', { stopped: { kind: 'all-done' }, shipped: pushed(false) }, 0],
  ['work is left', { stopped: { kind: 'work-left', why: 'a task failed' }, shipped: undefined }, 9],
  ['a question is open', { stopped: { kind: 'held' }, shipped: undefined }, 7],
  ['there is no agent', { stopped: { kind: 'no-agent', why: 'it is not logged in' }, shipped: undefined }, 8],
])('ends with a code that says that %s', (_, how, code) => {
  expect(exitCodeOfWork({ tasks: [], of: undefined, ms: 0, turns: 0, usage: {}, ...how }, fakeSystem().system)).toBe(
    code,
  )
})
