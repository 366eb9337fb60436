import { describe, expect, it } from 'vitest'
import type { BackView, Overlap } from '../../src/model/back.ts'
import type { Entry } from '../../src/model/entry.ts'
import type { Change } from '../../src/model/plan.ts'
import type { Recovery } from '../../src/model/talk.ts'
import { backDone, backKeys, backLines, backPrompt, backUntouched } from '../../src/report/answers/describe-back.ts'
import { overlapKeys, overlapLines } from '../../src/report/answers/overlap-lines.ts'
import { unfinishedNote } from '../../src/report/answers/unfinished-note.ts'
import { logTable } from '../../src/report/screens/log-table.ts'
import { showEntry } from '../../src/report/screens/show-entry.ts'
import { statusLine, statusLines } from '../../src/report/screens/status-lines.ts'
import { keyLines } from '../../src/report/text/hanging.ts'
import { jsonText } from '../../src/report/text/json-text.ts'
import type { Style } from '../../src/report/text/style.ts'
import { attacks, neverRaw } from './attacks.ts'
import { at, change, file } from './samples.ts'

const now = at(14, 2)

function screensOf(text: string, style: Style): readonly string[] {
  const changes: readonly Change[] = [
    change(text, `${text}\n`, `${text}x`),
    change(text, file(new Uint8Array([0])), null),
    { ...change(text, null, null), after: { kind: 'link', to: text }, effect: 'create' },
  ]
  const of = { number: 1, title: text }
  const view: BackView = {
    kind: 'undo',
    of,
    at: text,
    changes,
    merged: [text],
    marked: [],
    replaced: [],
    skipped: [text],
    done: [text],
  }
  const [edit] = changes
  const place = { line: 1, ours: [text, ''], theirs: Array(20).fill(text) }
  const overlaps = (['text', 'binary', 'deleted-since', 'edited-since', 'there-again'] as const).map(
    (why): Overlap => ({ path: text, why, places: Array(5).fill(place), markers: edit, old: edit as Change }),
  )
  const entry: Entry = {
    version: 1,
    number: 1,
    uuid: text,
    modelUuid: text,
    projectId: text,
    createdAt: text,
    source: `file:${text}`,
    undoes: { number: 1, uuid: text },
    changeSummary: [text],
    reasoning: [text, text],
    flags: [{ flag: 'placeholder', path: text, text, reason: text }],
    operations: [],
    snapshot: new Map(),
    createdFolders: [],
    checks: { before: { errors: 1 }, after: { errors: null, uncounted: text } },
  }
  const recoveries = (['rolled-back', 'held', 'unreadable'] as const).map(
    (action): Recovery => ({
      uuid: text,
      number: undefined,
      startedAt: text,
      title: text,
      action,
      restoration: { restored: [], rescued: [], kept: [], merged: [] },
      endedCommand: false,
    }),
  )
  const status = {
    projectId: text,
    root: text,
    home: '/x',
    askers: [1],
    watchers: [1, 2],
    working: 3,
    underWay: [{ number: 1, uuid: text, title: text, files: [text, text] }],
    unfinished: recoveries,
    works: [],
    delegations: [],
    prd: undefined,
    keptWork: [],
    putAside: [],
    last: { number: 1, title: text, at: now },
    today: { kept: 1, rolledBack: 0, undone: 0 },
  }
  const row = { line: { number: 1, at: now.toISOString(), outcome: 'committed' } } as const
  const known = { title: text, by: 'auto', files: 1, after: { errors: 1, new: 1, fixed: 1 } } as const
  return [
    ...backLines(view, style, now),
    backPrompt(view),
    ...keyLines(backKeys(view), style),
    ...backDone(
      view,
      { kind: 'committed', number: 1, uuid: text, by: 'auto', files: 1, checked: false, ms: 1 },
      [{ path: text, rescue: text }],
      style,
    ),
    backUntouched({ kind: 'already-undone', ...of, by: 2 }, style),
    ...overlaps.flatMap(overlap => [...overlapLines(overlap, of, style), ...keyLines(overlapKeys(overlap, of), style)]),
    ...logTable(
      [
        { ...row, entry: known, isUnread: false },
        { ...row, entry: undefined, isUnread: false },
      ],
      style,
      now,
    ),
    ...showEntry(
      {
        entry,
        title: text,
        state: 'kept',
        at: text,
        files: changes.map(change => ({ change, since: { words: 'changed since' } })),
        outputs: [{ step: 'lint', bytes: 1 }],
      },
      style,
      now,
    ),
    ...statusLines(status, style, now),
    statusLine(status),
    ...recoveries.map(unfinishedNote),
    ...jsonText({ [text]: text }).split('\n'),
  ]
}

describe('text from outside, after keeping', () => {
  neverRaw(screensOf)

  it('is JSON that is read back as the same text', () => {
    for (const text of attacks) {
      expect(JSON.parse(jsonText({ text }))).toEqual({ text })
      expect(JSON.parse(jsonText([text], 0))).toEqual([text])
    }
  })
})
