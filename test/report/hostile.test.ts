import { describe, expect, it } from 'vitest'
import type { LintError, Reason } from '../../src/model/check.ts'
import type { Change } from '../../src/model/plan.ts'
import type { Flag, IgnoredWhy } from '../../src/model/response.ts'
import type { Outcome, Progress, Question, Recovery } from '../../src/model/talk.ts'
import { choiceLines } from '../../src/report/answers/choice-lines.ts'
import { describeOutcome } from '../../src/report/answers/describe-outcome.ts'
import { describeParsed } from '../../src/report/answers/describe-parsed.ts'
import { describeProblem } from '../../src/report/answers/describe-problem.ts'
import { describeProgress, liveLine } from '../../src/report/answers/describe-progress.ts'
import { describeQuestion } from '../../src/report/answers/describe-question.ts'
import { describeReasons } from '../../src/report/answers/describe-reason.ts'
import { describeRecovery } from '../../src/report/answers/describe-recovery.ts'
import { plainOutcome, plainProgress } from '../../src/report/answers/plain-lines.ts'
import { questionKeys } from '../../src/report/answers/question-keys.ts'
import { reasoningLines } from '../../src/report/answers/reasoning-lines.ts'
import { renderDiff, renderShortDiff } from '../../src/report/diff/render-diff.ts'
import { bannerLines } from '../../src/report/screens/banner-lines.ts'
import { errorLines } from '../../src/report/screens/error-lines.ts'
import {
  clipboardLines,
  idleLine,
  knownLine,
  queuedLine,
  untakenLine,
  untakenWhilePausedLine,
} from '../../src/report/screens/watch-lines.ts'
import { keyLines, noteLines } from '../../src/report/text/hanging.ts'
import type { Style } from '../../src/report/text/style.ts'
import { attacks, neverRaw, RAW } from './attacks.ts'
import { at, change, coloured, file, projectWith } from './samples.ts'

function screensOf(text: string, style: Style): readonly string[] {
  const changes: readonly Change[] = [
    change(text, `${text}\n`, file(`${text}${text}\n`, 0o755), `${text}x`),
    change(text, null, `${text}\r\n`),
    change(text, { kind: 'link', to: text }, null),
    change(text, file(new Uint8Array([0])), null),
    { ...change(text, 'a', 'a'), effect: 'none' },
  ]
  const flag: Flag = { flag: 'sensitive-path', path: text, line: 1, text, reason: text }
  const doubt: Flag = { flag: 'placeholder', text: `  ${text}  `, reason: 'odd' }
  const reasons: readonly [Reason, ...Reason[]] = [
    { kind: 'uncounted', check: 'after', why: text },
    { kind: 'flag', flag },
    { kind: 'flag', flag: doubt },
    { kind: 'post-command', why: text },
  ]
  const lintError: LintError = { file: text, line: 1, column: 2, code: text, message: text }
  const comparison = { new: 1, fixed: 0, same: 0, newErrors: [lintError] }
  const end = { ok: false, why: text, output: `${text}\n${text}` }
  const restoration = {
    restored: [text],
    rescued: [{ path: text, rescue: text }],
    kept: [{ path: text, rescue: text }],
    merged: [text],
  }
  const unchecked = { kind: 'unchecked' } as const
  const recoveries = (['rolled-back', 'would-roll-back', 'unbegun', 'finished', 'held', 'unreadable'] as const).flatMap(
    action => {
      const recovery: Recovery = {
        uuid: text,
        number: 1,
        startedAt: text,
        title: text,
        action,
        restoration,
        endedCommand: true,
        left: [text],
      }
      return [recovery, { ...recovery, number: undefined }]
    },
  )
  const progress: readonly Progress[] = [
    { kind: 'waiting', owner: text },
    ...recoveries.map(recovery => ({ kind: 'recovered', recovery }) as const),
    { kind: 'begun', number: 1, uuid: text, title: text, changes, at: at(1, 1) },
    { kind: 'step-started', step: 'lint', command: text },
    { kind: 'command-ended', step: 'post', command: text, end, ms: 1, alsoChanged: [text] },
    { kind: 'command-ended', step: 'pre', command: text, end: { ...end, ok: true }, ms: 1, alsoChanged: [text] },
    { kind: 'checked', step: 'lint', check: unchecked, comparison: undefined, ms: 1 },
    {
      kind: 'checked',
      step: 'base',
      check: { kind: 'uncounted', why: text, output: text },
      comparison: undefined,
      ms: 1,
    },
    {
      kind: 'checked',
      step: 'lint',
      check: { kind: 'counted', errors: 1, list: [lintError], code: 0, failed: [], output: text },
      comparison,
      ms: 1,
    },
    {
      kind: 'checked',
      step: 'lint',
      check: { kind: 'counted', errors: 1, list: undefined, code: 0, failed: [], output: text },
      comparison: { ...comparison, newErrors: [] },
      ms: 1,
    },
    { kind: 'written', files: 1, ms: 1 },
    { kind: 'chosen', files: 1, of: 2, rescued: restoration.rescued, blocked: [text] },
    { kind: 'edited', paths: [text, `${text}2`] },
    { kind: 'resumed', outcome: { kind: 'skipped', number: 1, state: 'undone', at: text } },
  ]
  const ignored: readonly IgnoredWhy[] = [
    { kind: 'other-project', projectId: text, uuid: text },
    { kind: 'no-patch' },
    { kind: 'no-control' },
    { kind: 'own-text' },
  ]
  const problem = { code: text, message: text, line: 1, block: 1, path: `${text}p` }
  const outcomes: readonly Outcome[] = [
    ...ignored.map(why => ({ kind: 'ignored', why }) as const),
    { kind: 'refused', problems: [problem] },
    { kind: 'refused', problems: [problem, problem] },
    { kind: 'skipped', number: 1, state: 'undone', at: text },
    { kind: 'unchanged', paths: [text] },
    { kind: 'committed', number: 1, uuid: text, by: 'auto', files: 1, checked: true, ms: 1 },
    {
      kind: 'committed',
      number: 1,
      uuid: text,
      by: 'user',
      files: 1,
      checked: true,
      ms: 1,
      replaced: restoration.kept,
      late: restoration.kept,
    },
    ...(
      [
        { kind: 'declined' },
        { kind: 'unasked', reasons },
        { kind: 'command', step: 'post', end },
        { kind: 'conflict', paths: [text, `${text}2`] },
        { kind: 'interrupted', signal: 'SIGHUP' },
        { kind: 'failed', error: Object.assign(new Error(text), { hint: text }) },
      ] as const
    ).map(reason => ({ kind: 'rolled-back', number: 1, reason, restoration, ms: 1 }) as const),
  ]
  const gate = {
    kind: 'gate',
    number: 1,
    title: text,
    root: text,
    changes,
    leftOut: [],
    checks: { before: unchecked, after: unchecked, comparison },
    reasoning: [text],
    canFollowUp: true,
    held: false,
  } as const
  const questions: readonly Question[] = [
    { kind: 'sensitive', number: 42, changes, flags: [flag, doubt], reasoning: [] },
    { ...gate, reasons, checks: { before: unchecked, after: unchecked, comparison: undefined } },
    { ...gate, reasons: [reasons[0]], held: true },
    { ...gate, reasons: [{ kind: 'unchecked-edits', paths: [text] }], leftOut: changes },
    { ...gate, reasons: [{ kind: 'missing', paths: [text] }] },
    { kind: 'edited', number: 1, paths: [text] },
    { kind: 'offered', title: text, changes },
  ]
  const control = { projectId: text, uuid: text, changeSummary: [text], promptSummary: text, gitCommitMsg: text }
  const about = { now: at(1, 1), projectId: text, source: `file:${text}` } as const
  const project = projectWith({ projectId: text, linter: text, preCommand: text, postCommand: text })
  return [
    ...reasoningLines([text, text], style),
    ...choiceLines(changes, new Set([text]), [0], style),
    ...progress.flatMap(each => describeProgress(each, style)),
    ...progress.flatMap(each => liveLine(each, style) ?? []),
    ...progress.flatMap(each => plainProgress(each, at(1, 1)) ?? []),
    ...outcomes.flatMap(each => describeOutcome(each, style, about)),
    ...outcomes.map(each => plainOutcome(each, at(1, 1), about)),
    ...questions.flatMap(each => [...describeQuestion(each, style).lines, describeQuestion(each, style).prompt]),
    ...questions.flatMap(each => keyLines(questionKeys(each), style)),
    ...recoveries.flatMap(each => describeRecovery(each, style, at(1, 1))),
    ...reasons.flatMap(reason => describeReasons([reason])),
    describeProblem(problem),
    ...errorLines({ message: text, hint: text }, style, false),
    ...errorLines({ message: text, hint: text }, style, true),
    ...noteLines(text, style),
    ...clipboardLines({ kind: 'lost', message: text, hint: text }, true, style),
    idleLine(style),
    queuedLine(1, text, style),
    knownLine(true, text, style),
    untakenWhilePausedLine(text, style),
    untakenLine(1, style),
    ...bannerLines(
      {
        version: text,
        project: { ...project, root: text },
        home: '/x',
        clipboard: { kind: 'looks', name: text },
        last: { number: 41, title: text, at: at(1, 1) },
        now: at(1, 1),
        hasKeys: true,
      },
      style,
    ),
    ...describeParsed({ kind: 'refused', problems: [problem], control, reasoning: [text] }, about, style),
    ...describeParsed(
      {
        kind: 'patch',
        patch: { control, operations: [{ op: 'delete', path: text }], reasoning: [text], flags: [flag, doubt] },
      },
      about,
      style,
      {
        kind: 'ready',
        plan: { flags: [flag, doubt], changes },
        reused: { number: 1, state: 'undone' },
        reasons: [{ kind: 'merged', paths: [text] }],
      },
    ),
    ...renderDiff(changes, style).split('\n'),
    ...renderShortDiff(changes, style, 50).text.split('\n'),
    ...renderShortDiff(changes, style, 50, { moves: 'apart' }).text.split('\n'),
  ]
}

describe('text from outside', () => {
  neverRaw(screensOf)

  it('leaves no colour but our own', () => {
    const own = /\x1b\[(?:1|2|4|22|24|31|32|33|36|39)m/g
    for (const text of attacks) {
      const lines = screensOf(text, coloured)
      expect(lines.filter(line => RAW.test(line.replace(own, '')))).toEqual([])
      expect(lines.some(line => own.test(line))).toBe(true)
    }
  })

  it('leaves room for what is wrong with a path that never ends', () => {
    const said = describeProblem({ code: 'x', path: 'ab/'.repeat(400), message: 'It is too long.' })
    expect(said).toMatch(/^….{199}: It is too long\.$/)
  })

  it('stays readable: what was hidden is written out', () => {
    expect(describeProblem({ code: 'x', message: 'see \x1b[31m\u202ea' })).toBe('see \\x1b[31m\\u202ea')
  })
})
