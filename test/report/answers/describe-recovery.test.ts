import { describe, expect, it } from 'vitest'
import type { Recovery } from '../../../src/model/talk.ts'
import { describeProgress } from '../../../src/report/answers/describe-progress.ts'
import { describeRecovery } from '../../../src/report/answers/describe-recovery.ts'
import { plainProgress } from '../../../src/report/answers/plain-lines.ts'
import { at, plain, screen } from '../samples.ts'

describe('describeRecovery', () => {
  const recovery: Recovery = {
    uuid: 'a6928e46-1111-4222-8333-444455556666',
    number: 42,
    startedAt: at(13, 2).toISOString(),
    title: 'Add dark mode toggle',
    action: 'rolled-back',
    restoration: {
      restored: ['src/a.ts', 'src/b.ts'],
      rescued: [{ path: 'src/b.ts', rescue: '.relaycode/rescue/a6928e46/src/b.ts' }],
      kept: [],
      merged: [],
    },
    endedCommand: true,
  }
  const untouched = { restored: [], rescued: [], kept: [], merged: [] }
  const edited: Recovery = {
    ...recovery,
    startedAt: undefined,
    restoration: {
      restored: ['src/a.ts'],
      rescued: [],
      kept: [
        { path: 'src/b.ts', rescue: '.relaycode/rescue/0b8f4f62/src/b.ts' },
        { path: 'src/new.ts', rescue: '' },
      ],
      merged: [],
    },
    endedCommand: false,
  }

  it('says what was found and done', () => {
    expect(screen(describeRecovery(recovery, plain, at(14, 2)))).toMatchInlineSnapshot(`
      "
      ↩ rolled back #42 Add dark mode toggle
          It was not finished (begun at 13:02): 2 files restored.
          src/b.ts: restored; the version that was there is in
            .relaycode/rescue/a6928e46/src/b.ts
          Its command was still running; relay ended it.
      "
    `)
  })

  it.each([
    ['would-roll-back', '○ would roll back #42 Add dark mode toggle', 'It was not finished (begun at 13:02).'],
    [
      'finished',
      '✔ cleared up after #42 Add dark mode toggle',
      'It was already kept (begun at 13:02); only leftover files remained.',
    ],
    [
      'held',
      '▲ unanswered: #42 Add dark mode toggle',
      'It waits for your answer (begun at 13:02). relay left it alone.',
    ],
  ] as const)('says what was left: %s', (action, first, second) => {
    const left: Recovery = { ...recovery, action, restoration: untouched, endedCommand: false }
    expect(describeRecovery(left, plain, at(14, 2))).toEqual([first, `    ${second}`])
  })

  it('names an entry that cannot be read by its file', () => {
    const unreadable: Recovery = {
      ...recovery,
      action: 'unreadable',
      number: undefined,
      startedAt: undefined,
      title: '',
      restoration: untouched,
      endedCommand: false,
      left: [`.relaycode/${recovery.uuid}.pending.yml`, `.relaycode/${recovery.uuid}.stage`],
    }
    expect(screen(describeRecovery(unreadable, plain))).toMatchInlineSnapshot(`
      "
      ✖ cannot read a6928e46-1111-4222-8333-444455556666
          relay left .relaycode/a6928e46-1111-4222-8333-444455556666.pending.yml
            and .relaycode/a6928e46-1111-4222-8333-444455556666.stage alone, and
            restored nothing.
      "
    `)
    const stageAlone = { ...unreadable, left: unreadable.left?.slice(1) ?? [] }
    expect(screen(describeRecovery(stageAlone, plain))).toMatchInlineSnapshot(`
      "
      ✖ a6928e46-1111-4222-8333-444455556666 is damaged: its file is gone
          relay left .relaycode/a6928e46-1111-4222-8333-444455556666.stage alone,
            and restored nothing.
      "
    `)
  })

  it('tells one that had not begun from one that had been taken back', () => {
    const unnamed = { ...recovery, number: undefined, startedAt: undefined, title: '', restoration: untouched }
    const found = (['unbegun', 'finished'] as const).map(action => ({ ...unnamed, action, endedCommand: false }))
    expect(found.map(each => screen(describeRecovery(each, plain))).join('')).toMatchInlineSnapshot(`
      "
      ✔ cleared up after a6928e46-1111-4222-8333-444455556666
          It stopped before it changed any file.

      ✔ cleared up after a6928e46-1111-4222-8333-444455556666
          It was already rolled back; only leftover files remained.
      "
    `)
  })

  it('is part of the progress, and of a log', () => {
    expect(describeProgress({ kind: 'recovered', recovery }, plain)).toEqual(describeRecovery(recovery, plain))
    expect(plainProgress({ kind: 'recovered', recovery }, at(14, 2))).toBe(
      '14:02:00 rolled back #42 Add dark mode toggle. It was not finished (begun at 13:02): 2 files restored.',
    )
  })

  it('tells of each edit that stayed where the state before is, and where there was none', () => {
    expect(screen(describeRecovery(edited, plain))).toMatchInlineSnapshot(`
      "
      ↩ rolled back #42 Add dark mode toggle
          It was not finished: 1 file restored, 2 files left as edited.
          src/b.ts: left as edited; the version from before the change is in
            .relaycode/rescue/0b8f4f62/src/b.ts
          src/new.ts: left as edited; there was none before the change
      "
    `)
  })

  it('tells beforehand which files were edited, and what will be done about them', () => {
    expect(screen(describeRecovery({ ...edited, action: 'would-roll-back' }, plain))).toMatchInlineSnapshot(`
      "
      ○ would roll back #42 Add dark mode toggle
          It was not finished: 1 file to restore.
          src/b.ts: edited since; relay will ask about it; without a terminal it
            stays as edited
          src/new.ts: edited since; relay will ask about it; without a terminal it
            stays as edited
      "
    `)
  })

  it.each([
    ['finished', 'It was already kept; only leftover files remain.'],
    ['unbegun', 'It stopped before it changed any file.'],
  ] as const)('claims beforehand to have cleared up nothing: %s', (action, second) => {
    const left = { ...edited, action, restoration: untouched }
    expect(describeRecovery(left, plain, undefined, { isPreview: true })).toEqual([
      '○ would clear up after #42 Add dark mode toggle',
      `    ${second}`,
    ])
  })
})
