import { describe, expect, it } from 'vitest'
import type { Recovery } from '../../src/model.ts'
import { describeRecovery } from '../../src/report/describe-recovery.ts'
import { plain, screen } from './samples.ts'

const found: Recovery = {
  action: 'rolled-back',
  number: 7,
  uuid: '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11',
  title: 'Add a theme',
  startedAt: '2026-11-20T14:02:11.000Z',
  restoration: {
    restored: ['src/a.ts'],
    rescued: [],
    kept: [
      { path: 'src/b.ts', rescue: '.relaycode/rescue/0b8f4f62/src/b.ts' },
      { path: 'src/new.ts', rescue: '' },
    ],
  },
  endedCommand: false,
}

describe('describeRecovery', () => {
  it('tells of each edit that stayed where the state before is, and where there was none', () => {
    expect(screen(describeRecovery({ ...found, startedAt: undefined }, plain))).toMatchInlineSnapshot(`
      "
      ↩ rolled back #7 Add a theme
          It was not finished: 1 file as before, 2 files left as edited.
          src/b.ts: left as edited; the version before the patch is in
            .relaycode/rescue/0b8f4f62/src/b.ts
          src/new.ts: left as edited; there was none before the patch
      "
    `)
  })

  it('tells beforehand which files were edited, and what will be done about them', () => {
    expect(
      screen(describeRecovery({ ...found, startedAt: undefined, action: 'would-roll-back' }, plain)),
    ).toMatchInlineSnapshot(`
      "
      ○ would roll back #7 Add a theme
          It was not finished: 1 file to restore.
          src/b.ts: edited since; you will be asked, and without a terminal it
            stays as edited
          src/new.ts: edited since; you will be asked, and without a terminal it
            stays as edited
      "
    `)
  })

  it.each([
    ['finished', 'It had been kept; only its leftovers are there.'],
    ['unbegun', 'It was stopped before it had changed any file.'],
  ] as const)('claims beforehand to have cleared up nothing: %s', (action, second) => {
    const left = { ...found, startedAt: undefined, action, restoration: { restored: [], rescued: [], kept: [] } }
    expect(describeRecovery(left, plain, undefined, { isPreview: true })).toEqual([
      '○ would clear up after #7 Add a theme',
      `    ${second}`,
    ])
  })
})
