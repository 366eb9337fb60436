import { expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/commands/talk/exit-code.ts'
import { RelayError } from '../../../src/errors.ts'
import type { Outcome, Restoration, RollbackReason } from '../../../src/model/talk.ts'

const restoration: Restoration = { restored: [], rescued: [], kept: [], merged: [] }
const skipped = { kind: 'skipped', number: 1, at: 'now' } as const

function back(reason: RollbackReason, changes: Partial<Restoration> = {}): Outcome {
  return { kind: 'rolled-back', number: 1, reason, restoration: { ...restoration, ...changes }, ms: 1 }
}

const end = { ok: false, why: 'exit 1', output: '' }

it.each<[number, string, Outcome]>([
  [0, 'kept', { kind: 'committed', number: 1, uuid: 'x', by: 'auto', files: 1, checked: true, ms: 1 }],
  [0, 'nothing to change', { kind: 'unchanged', paths: [] }],
  [0, 'already applied', { ...skipped, state: 'committed' }],
  [3, 'declined before', { ...skipped, state: 'declined' }],
  [3, 'undone before', { ...skipped, state: 'undone' }],
  [6, 'no patch', { kind: 'ignored', why: { kind: 'no-patch' } }],
  [6, 'refused', { kind: 'refused', problems: [{ code: 'x', message: 'y' }] }],
  [3, 'a no', back({ kind: 'declined' })],
  [3, 'nobody to ask', back({ kind: 'unasked', reasons: [] })],
  [4, 'a failed command', back({ kind: 'command', step: 'post', end })],
  [5, 'a conflict', back({ kind: 'conflict', paths: ['a'] })],
  [5, 'an edit that was kept', back({ kind: 'declined' }, { kept: [{ path: 'a', rescue: 'b' }], merged: [] })],
  [129, 'HUP', back({ kind: 'interrupted', signal: 'SIGHUP' })],
  [130, 'Ctrl+C', back({ kind: 'interrupted', signal: 'SIGINT' })],
  [143, 'TERM', back({ kind: 'interrupted', signal: 'SIGTERM' })],
  [8, 'a full disk', back({ kind: 'failed', error: new RelayError('environment', 'full') })],
  [1, 'a defect', back({ kind: 'failed', error: new Error('boom') })],
])('answers %i for %s', (code, _name, outcome) => {
  expect(exitCodeOf(outcome)).toBe(code)
})
