import type { Check, Comparison, Reason } from '../../model/check.ts'
import type { Answer, Outcome, Progress, Question, RollbackReason } from '../../model/talk.ts'
import { describeReason, describeReasons } from '../answers/describe-reason.ts'
import { outcomeWords } from '../answers/outcome-words.ts'
import { fileJson } from './file-json.ts'
import { overlapJson } from './overlap-json.ts'

/** An event for a program that follows `relay watch --json`. Its time is added when it is printed. */
export interface WatchEvent {
  readonly event: string
  readonly [field: string]: unknown
}

export function progressEvent(progress: Progress): WatchEvent {
  switch (progress.kind) {
    case 'waiting':
      return { event: 'waiting', owner: progress.owner }
    case 'history-lost':
      return { event: 'history-lost', entries: progress.entries }
    case 'recovered': {
      const { number, uuid, title, action, restoration } = progress.recovery
      return { event: 'recovered', number: number ?? null, uuid, title, action, ...restoration }
    }
    case 'begun': {
      const { number, uuid, title, changes } = progress
      return { event: 'begun', number: number ?? null, uuid, title, files: changes.map(fileJson) }
    }
    case 'step-started':
      return { event: 'step', step: progress.step, command: progress.command }
    case 'command-ended': {
      const { step, command, end, ms, alsoChanged } = progress
      return { event: 'command', step, command, ok: end.ok, why: end.why, alsoChanged, ms: Math.round(ms) }
    }
    case 'checked':
      return {
        event: 'checked',
        step: progress.step,
        ...checkJson(progress.check, progress.comparison),
        ms: Math.round(progress.ms),
      }
    case 'written':
      return { event: 'written', files: progress.files, ms: Math.round(progress.ms) }
    case 'chosen': {
      const { files, of, rescued, blocked } = progress
      return { event: 'chosen', files, of, rescued, blocked }
    }
    case 'edited':
      return { event: 'edited', paths: progress.paths, whileChecked: progress.whileChecked !== undefined }
    case 'resumed':
      return outcomeEvent(progress.outcome)
  }
}

export function outcomeEvent(outcome: Outcome): WatchEvent {
  switch (outcome.kind) {
    case 'ignored': {
      const { why } = outcome
      return { event: 'ignored', why: why.kind, projectId: why.kind === 'other-project' ? why.projectId : null }
    }
    case 'refused':
      return { event: 'refused', problems: outcome.problems }
    case 'skipped':
      return { event: 'skipped', number: outcome.number, state: outcome.state, since: outcome.at }
    case 'overlap':
      return { event: 'overlap', overlaps: outcome.overlaps.map(overlapJson) }
    case 'unchanged':
      return { event: 'unchanged', paths: outcome.paths, yours: outcome.yours ?? [] }
    case 'committed': {
      const {
        number = null,
        uuid,
        by,
        files,
        checked,
        ranNoTest = false,
        newErrors = null,
        late: rescued = [],
        replaced: kept = [],
      } = outcome
      const counts = { files, checked, ranNoTest, newErrors }
      const commit = outcome.commit?.kind === 'commit' ? outcome.commit.sha : null
      return { event: 'kept', number, uuid, by, ...counts, rescued, kept, commit, ms: Math.round(outcome.ms) }
    }
    case 'rolled-back': {
      const { number = null, reason, restoration, ms } = outcome
      const [why = ''] =
        reason.kind === 'not-accepted' ? describeReasons(reason.reasons) : outcomeWords(outcome, {}).details
      const reasons = reasonsOf(reason).map(reasonJson)
      return { event: 'rolled-back', number, reason: reason.kind, why, reasons, ...restoration, ms: Math.round(ms) }
    }
    case 'held':
      return { event: 'held', number: outcome.number ?? null, uuid: outcome.uuid, ms: Math.round(outcome.ms) }
  }
}

function reasonsOf(reason: RollbackReason): readonly Reason[] {
  if (reason.kind === 'unasked' || reason.kind === 'not-accepted') return reason.reasons
  return reason.kind === 'declined' ? (reason.byRule ?? []) : []
}

export function askedEvent(question: Question): WatchEvent {
  const { kind } = question
  const reasons = reasonsAsked(question).map(reasonJson)
  return { event: 'asked', question: kind, number: 'number' in question ? (question.number ?? null) : null, reasons }
}

function reasonsAsked(question: Question): readonly Reason[] {
  if (question.kind === 'gate') return question.reasons
  return question.kind === 'sensitive' ? question.flags.map(flag => ({ kind: 'flag', flag })) : []
}

export function answeredEvent(question: Question, answer: Answer): WatchEvent {
  const kind =
    typeof answer === 'string' ? answer : 'choose' in answer ? 'choose' : 'again' in answer ? 'again' : 'follow-up'
  return { event: 'answered', question: question.kind, answer: kind }
}

function reasonJson(reason: Reason) {
  return { kind: reason.kind, text: describeReason(reason) }
}

function checkJson(check: Check, comparison: Comparison | undefined) {
  return {
    errors: check.kind === 'counted' ? check.errors : null,
    uncounted: check.kind === 'uncounted' ? check.why : null,
    ranNoTest: 'tests' in check && check.tests === 'none',
    new: comparison?.new ?? null,
    fixed: comparison?.fixed ?? null,
    same: comparison?.same ?? null,
    newErrors: comparison?.newErrors ?? [],
  }
}
