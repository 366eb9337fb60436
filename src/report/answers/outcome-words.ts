import { shellWord } from '../../ground/words.ts'
import type { Reason } from '../../model/check.ts'
import { asksFirst, type IgnoredWhy, type Problem, type SourceName } from '../../model/response.ts'
import type { AnswerOverlap, OverlapPlace } from '../../model/stale.ts'
import type { Outcome, RollbackReason } from '../../model/talk.ts'
import type { Committed } from '../../model/task.ts'
import { count } from '../text/count.ts'
import { describeMoment } from '../text/describe-time.ts'
import { firstOf } from '../text/more-line.ts'
import type { Paint, Signs } from '../text/style.ts'
import { visibleLine, visibleOutputLine } from '../text/visible.ts'
import { linterRemedy, RAN_NO_TEST } from './check-words.ts'
import { describeDifference, describeProblem } from './describe-problem.ts'
import { firstReasons } from './describe-reason.ts'
import { describeRestoration, lateLines } from './describe-restoration.ts'

/** Facts around an outcome; each makes its words more exact. */
export interface About {
  readonly now?: Date
  /** The id of this project. */
  readonly projectId?: string
  readonly source?: SourceName
  /** There was no text at all. */
  readonly isEmpty?: boolean
  /** Relay saw it in passing, and it may not have been meant for relay: one line is enough. */
  readonly inPassing?: 'alone' | 'meanwhile'
  /** The command that applies it once more, where that is not `relay apply --last`. Empty: there is none. */
  readonly again?: string
  /** `false`: an overlap of an agent's work with the user's edits goes back to the agent. */
  readonly asksOverlap?: boolean
  /** Relay asks the open decision right after it. */
  readonly willAsk?: boolean
  /** The user can press a key right after it. */
  readonly hasKeys?: boolean
  /** Why relay cannot ask although a user sits there. */
  readonly whyUnasked?: string | undefined
}

/** How a response ended, in words for one line or for several. */
export interface OutcomeWords {
  readonly sign: keyof Signs
  readonly paint: keyof Paint
  /** The bold part: `kept #42`. */
  readonly verdict: string
  /** `auto: no new errors`. */
  readonly details: readonly string[]
  /** Further lines: files, and what to do next. */
  readonly more: readonly string[]
  /** What to do about it with one key: `u undo`. */
  readonly keys?: readonly string[]
  readonly ms?: number
}

/** The words for an outcome, safe to print. */
export function outcomeWords(outcome: Outcome, about: About): OutcomeWords {
  switch (outcome.kind) {
    case 'ignored':
      return ignoredWords(outcome.why, about)
    case 'refused':
      return refusedWords(outcome)
    case 'skipped':
      return {
        sign: 'watching',
        paint: 'meta',
        verdict: 'skipped',
        details: [`${skippedWords(outcome, about)} (same uuid, same content)`],
        more: [`Nothing was written. To apply it anyway: \`relay apply --again${fileOf(about.source)}\``],
      }
    case 'overlap':
      return overlapWords(outcome, about)
    case 'unchanged':
      return unchangedWords(outcome)
    case 'committed':
      return {
        sign: 'ok',
        paint: 'ok',
        verdict: `kept${numbered(outcome)}`,
        details: [[keptWords(outcome), ...committedWords(outcome.commit)].join(', ')],
        more: [
          ...uncommittedLines(outcome),
          ...describeRestoration({ restored: [], rescued: [], kept: outcome.replaced ?? [], merged: [] }).files,
          ...lateLines(outcome.late ?? []),
        ],
        keys: about.hasKeys === true ? ['u undo', 'd diff'] : [],
        ms: outcome.ms,
      }
    case 'rolled-back':
      return { ...rolledBackWords(outcome, about), keys: about.hasKeys === true ? followUpKeys(outcome.reason) : [] }
    case 'held':
      return {
        sign: 'needsYou',
        paint: 'needsYou',
        verdict: `left${numbered(outcome)} open`,
        details: ['its files are changed, but not kept'],
        more: ['To keep it or roll it back: `relay recover`'],
        ms: outcome.ms,
      }
  }
}

/** Why a question has no answer: nobody could be asked, or the input ended (Ctrl+D). */
export function noAnswer(terminal: { readonly canAsk: boolean; readonly whyUnasked: string | undefined }): string {
  return terminal.canAsk ? 'the input ended at the question' : nobodyAsked(terminal.whyUnasked)
}

type Of<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>

function ignoredWords(why: IgnoredWhy, about: About): OutcomeWords {
  const { projectId, source } = about
  const words = { sign: 'watching', paint: 'meta', more: [] } as const
  switch (why.kind) {
    case 'other-project': {
      const here = projectId === undefined ? '' : ` (this project is "${visibleLine(projectId)}")`
      const details = [`an answer for "${visibleLine(why.projectId)}"${here}`]
      // A copied text may be meant for another relay. A named or piped text was meant for this one.
      const isNamed = source !== undefined && source !== 'clipboard' && source !== 'paste'
      const more = isNamed ? [`${nothingWritten(source)} Apply it in the folder of that project.`] : []
      return { ...words, verdict: 'ignored', details, more }
    }
    case 'no-control':
    case 'no-patch':
      return { ...words, verdict: 'not applied', ...noPatchWords(why, about) }
    case 'own-text':
      return { ...words, verdict: 'not applied', details: ["this is relay's own prompt for the model, not an answer"] }
  }
}

/** What the text is instead of a patch, and how to get a patch. */
function noPatchWords(
  why: Extract<IgnoredWhy, { kind: 'no-patch' | 'no-control' }>,
  { source, isEmpty, inPassing }: About,
): Pick<OutcomeWords, 'details' | 'more'> {
  const place = placeOf(source)
  const words = (what: string, how: string) => {
    return { details: [what], more: inPassing !== undefined ? [] : [`${nothingWritten(source)} ${how}`.trimEnd()] }
  }
  const isAsked = source?.startsWith('agent:') === true
  const copyAll = isAsked ? 'Ask again.' : "Copy the whole answer with the chat's copy button, not one block."
  if (isEmpty === true) {
    return words(`there is no text${place}`, source === 'clipboard' ? 'Copy the answer as text, not as a picture.' : '')
  }
  if (why.isCut === true) {
    return words(
      `the answer${place} seems cut off: it has no END and no YAML block`,
      'Copy the whole answer; if it stops there, ask the model for all of its files again.',
    )
  }
  if (why.kind === 'no-control') {
    return words(
      'an answer without its final YAML block',
      'Ask the model for the whole answer, with its final YAML block (projectId, uuid, changeSummary).',
    )
  }
  if (why.isBlock === true)
    return words(`only one block of an answer${place}, without its path and YAML block`, copyAll)
  return words(
    `no YAML block with projectId was found${place}`,
    `${copyAll} \`relay prompt\` shows the rules for the model.`,
  )
}

/** A user can paste while another patch asks, and that patch has changed its files at that moment. */
function nothingWritten(source: SourceName | undefined): string {
  return source === 'paste' ? 'None of it was written.' : 'Nothing was written.'
}

/** As an argument. A piped or pasted text has to be given again anyway. */
function fileOf(source: SourceName | undefined): string {
  if (source === 'stdin' || source === 'paste') return ' -'
  if (source === undefined || !source.startsWith('file:')) return ''
  return ` ${shellWord(visibleLine(source.slice('file:'.length)))}`
}

function placeOf(source: SourceName | undefined): string {
  if (source === undefined) return ''
  if (source === 'paste') return ' in what was pasted'
  if (source === 'clipboard') return ' on the clipboard'
  if (source === 'stdin') return ' on stdin'
  const [kind, name] = [source.slice(0, source.indexOf(':')), visibleLine(source.slice(source.indexOf(':') + 1))]
  return kind === 'agent' ? ` in the answer of ${name}` : ` in ${name}`
}

function unchangedWords({ paths, edits, yours }: Of<'unchanged'>): OutcomeWords {
  const { length } = paths
  const words = { sign: 'watching', paint: 'meta', more: listed(paths) } as const
  if (edits === true) {
    const have = length === 1 ? 'has' : 'have'
    return {
      ...words,
      verdict: 'unchanged',
      details: [`${count(length, 'file')} already ${have} these changes; nothing was written`],
    }
  }
  return { ...words, verdict: 'unchanged', details: [asItIs(length, yours?.length ?? 0)] }
}

/** The number of problems or files by name; further ones are only counted. */
const MOST = 10

function refusedWords({ problems }: Of<'refused'>): OutcomeWords {
  const words = { sign: 'fail', paint: 'fail', verdict: 'refused' } as const
  const [first, ...others] = problems
  const nothing = 'Nothing was written.'
  if (others.length === 0)
    return { ...words, details: [describeProblem(first)], more: [...describeDifference(first), nothing] }
  const details = [count(problems.length, 'problem')]
  return { ...words, details, more: [...problemLines(problems), nothing] }
}

function problemLines(problems: readonly Problem[]): readonly string[] {
  const shown = problems.slice(0, MOST).flatMap(each => [describeProblem(each), ...describeDifference(each)])
  return [...shown, ...firstOf(problems, MOST, 'problem', () => '').slice(MOST)]
}

function asItIs(files: number, yours: number): string {
  if (files === 0) return 'no file was changed'
  const alike = (number: number) => `${count(number, 'file')} already ${number === 1 ? 'matches' : 'match'} the answer`
  if (yours === 0) return `${alike(files)}; nothing to do`
  const left = `your version of ${count(yours, 'file')} stays`
  return yours === files ? `${left}; nothing was written` : `${left}; ${alike(files - yours)}`
}

function overlapWords({ overlaps }: Of<'overlap'>, { willAsk, asksOverlap }: About): OutcomeWords {
  const [{ by }] = overlaps
  const who = by === undefined ? 'the answer changes' : `${visibleLine(by)} changed`
  const option = by === undefined ? 'relay apply --on-overlap' : '--on-overlap'
  const ways = overlaps.every(({ canMark }) => canMark) ? `\`${option} markers\`, \`model\`` : `\`${option} model\``
  return {
    sign: 'needsYou',
    paint: 'needsYou',
    verdict: 'overlap',
    details: [`${who} what you changed, in ${count(overlaps.length, 'file')}`],
    more: [
      ...firstOf(overlaps, MOST, 'file', overlapLine),
      asksOverlap === false
        ? 'Nothing was written. The agent gets your edits, and what it had changed.'
        : willAsk === true
          ? 'Nothing was written yet.'
          : `Nothing was written. In a terminal relay asks which version to use; without one, choose beforehand: ${ways} or \`mine\`.`,
    ],
  }
}

function overlapLine({ path, places, since, why, by = 'the answer' }: AnswerOverlap): string {
  const did = why === 'deleted-since' ? 'removed' : why === 'made-since' ? 'made' : 'changed'
  const what = `${visibleLine(path)}${linesOf(places)}: ${did} by you since ${visibleLine(since)}`
  const whyNoMarkers = whyNone[why]?.(visibleLine(by))
  return whyNoMarkers === undefined ? what : `${what}; ${whyNoMarkers}, so it cannot hold conflict markers`
}

const whyNone: Partial<Record<AnswerOverlap['why'], (by: string) => string>> = {
  binary: () => 'it is a binary file',
  link: () => 'one of the two is a link',
  'edited-since': by => `${by} removes it`,
  'deleted-since': () => 'it does not exist',
}

function linesOf(places: readonly OverlapPlace[]): string {
  const left = places.length - MOST
  const lines = [...places.slice(0, MOST).map(({ line }) => `${line}`), ...(left > 0 ? [`${left} more`] : [])]
  if (lines.length < 2) return lines.map(line => `, line ${line}`).join('')
  return `, lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}

function skippedWords({ number, state, at }: Of<'skipped'>, { now }: About): string {
  const moment = describeMoment(at, now)
  const words = {
    committed: `already applied as #${number}`,
    declined: `already declined as #${number}`,
    'rolled-back': `already rolled back as #${number}`,
    undone: `applied as #${number} and undone`,
  }[state]
  return moment === '' ? words : `${words} ${moment}`
}

function keptWords(outcome: Of<'committed'>): string {
  return `${agreedWords(outcome)}${outcome.ranNoTest === true ? `, ${RAN_NO_TEST}` : ''}`
}

function agreedWords({ by, checked, newErrors, errors }: Of<'committed'>): string {
  if (by === 'user') return checked ? 'you said yes' : 'you said yes, unchecked'
  if (!checked) return 'auto: unchecked, no linter is configured'
  if (newErrors !== undefined) return autoWords(newErrors, 'new error')
  return errors === undefined ? 'auto: new errors within the limit' : autoWords(errors, 'error')
}

export function committedWords(commit: Committed | undefined): readonly string[] {
  return commit?.kind === 'commit' ? [`commit ${commit.sha.slice(0, 7)}`] : []
}

/** Why there is no commit although one was asked for. */
export function uncommittedLines({ commit, number }: Pick<Of<'committed'>, 'commit' | 'number'>): readonly string[] {
  if (commit?.kind !== 'not-committed') return []
  return [`not committed: ${visibleOutputLine(commit.why)}. To commit it later: \`relay commit ${number}\``]
}

function autoWords(number: number, noun: string): string {
  return number === 0 ? `auto: no ${noun}s` : `auto: ${count(number, noun)}, within the limit`
}

/** For behind a verb; empty where there is no entry. */
export function numbered({ number }: { readonly number: number | undefined }): string {
  return number === undefined ? '' : ` #${number}`
}

function rolledBackWords(outcome: Of<'rolled-back'>, about: About): OutcomeWords {
  const { reason, restoration, ms } = outcome
  const { summary, files } = describeRestoration(restoration)
  // The end of the attempt says why.
  if (reason.kind === 'not-accepted') {
    const back = { sign: 'back', paint: 'meta', more: files, ms } as const
    return summary === ''
      ? { ...back, verdict: `not applied${numbered(outcome)}`, details: ['nothing was written'] }
      : { ...back, verdict: `rolled back${numbered(outcome)}`, details: [summary] }
  }
  const why = reasonWords(reason, outcome, about)
  const isUsers = reason.kind === 'declined' || reason.kind === 'interrupted'
  const words = { sign: 'back', paint: isUsers ? 'needsYou' : 'fail', more: [...files, ...why.more], ms } as const
  const asked = why.detail === '' ? [] : [why.detail]
  if (summary !== '') {
    return reason.kind === 'declined'
      ? { ...words, verdict: `declined${numbered(outcome)}`, details: [...asked, summary] }
      : { ...words, verdict: `rolled back${numbered(outcome)}`, details: [why.detail, summary] }
  }
  // There was nothing to roll back.
  const nothing = 'nothing was written'
  if (reason.kind !== 'declined')
    return { ...words, verdict: `not applied${numbered(outcome)}`, details: [why.detail, nothing] }
  return {
    ...words,
    sign: 'watching',
    verdict: `declined${numbered(outcome)}`,
    details: [...asked, nothing],
  }
}

/** For faults that the model can correct. If the user asked for that prompt just now, it is copied already. */
function followUpKeys(reason: RollbackReason): readonly string[] {
  const isModels = reason.kind === 'command' || (reason.kind === 'declined' && reason.followUp === undefined)
  return isModels ? ['c follow-up'] : []
}

function declinedReason(
  { followUp, byRule }: RollbackReason & { readonly kind: 'declined' },
  number: number | undefined,
  hasKeys = false,
): { readonly detail: string; readonly more: readonly string[] } {
  if (byRule === undefined) return { detail: followUp === undefined ? '' : 'you asked for a follow-up', more: [] }
  const ask = number === undefined || hasKeys ? [] : [`To be asked about it: \`relay apply --declined ${number}\``]
  return { detail: `by rule: ${firstReasons(byRule).join('; ')}`, more: ask }
}

function reasonWords(
  reason: Exclude<RollbackReason, { kind: 'not-accepted' }>,
  { restoration: { restored, rescued, kept, merged }, number }: Of<'rolled-back'>,
  { whyUnasked, again = 'relay apply --last', hasKeys }: About,
): { readonly detail: string; readonly more: readonly string[] } {
  switch (reason.kind) {
    case 'declined':
      return declinedReason(reason, number, hasKeys)
    case 'unasked':
      return unaskedWords(reason, whyUnasked, again)
    case 'command':
      return { detail: `${reason.step} command failed: ${visibleOutputLine(reason.end.why)}`, more: [] }
    case 'conflict': {
      // The rescued files and kept originals are named already, with their places.
      const named = new Set([...[...rescued, ...kept].map(({ path }) => path), ...merged])
      // Relay saw it in time, before it wrote anything.
      const isUntouched = restored.length === 0 && named.size === 0
      return {
        detail: `${count(reason.paths.length, 'file')} changed while relay worked`,
        more: [
          ...listed(
            reason.paths.filter(path => !named.has(path)),
            ': changed while relay worked',
          ),
          ...(isUntouched && again !== '' ? [`To apply it to the files as they are now: \`${again}\``] : []),
        ],
      }
    }
    case 'interrupted':
      return { detail: reason.signal === 'SIGINT' ? 'interrupted by Ctrl+C' : `ended by ${reason.signal}`, more: [] }
    case 'failed': {
      const hint = hintOf(reason.error)
      return {
        detail: visibleOutputLine(reason.error.message),
        more: hint === undefined ? [] : [`Hint: ${visibleLine(hint)}`],
      }
    }
  }
}

/** The options that agree to those reasons; each option answers one question only. */
export function optionsFor(reasons: readonly Reason[]): string {
  const sensitive = reasons.filter(reason => reason.kind === 'flag' && asksFirst(reason.flag)).length
  return [...(reasons.length > sensitive ? ['--yes'] : []), ...(sensitive > 0 ? ['--allow-sensitive'] : [])].join(' ')
}

function hintOf(error: Error): string | undefined {
  return 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined
}

function listed(paths: readonly string[], words = ''): readonly string[] {
  return firstOf(paths, MOST, 'file', path => visibleLine(path) + words)
}

function unaskedWords(
  { reasons, closed }: RollbackReason & { readonly kind: 'unasked' },
  whyUnasked: About['whyUnasked'],
  again: string,
): { readonly detail: string; readonly more: readonly string[] } {
  return {
    detail: closed ? 'the input ended at the question' : nobodyAsked(whyUnasked),
    more: [
      ...firstReasons(reasons),
      ...(reasons.some(({ kind }) => kind === 'uncounted') ? [linterRemedy] : []),
      // A question that was asked can be asked once more.
      ...(again === '' ? [] : [`To apply it: \`${again}${closed ? '' : ` ${optionsFor(reasons)}`}\``]),
    ],
  }
}

/** Gives the reason where a user sits at the terminal all the same. */
function nobodyAsked(whyUnasked: string | undefined): string {
  return whyUnasked === undefined ? 'nobody could be asked' : `nobody could be asked (${whyUnasked})`
}
