import { groupBy } from '../../ground/collections.ts'
import type { Reason } from '../../model/check.ts'
import type { Ended } from '../../model/entry.ts'
import type { Flag } from '../../model/response.ts'
import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { visibleLine, visibleOutputLine } from '../text/visible.ts'
import { namesPath } from './names-path.ts'

/**
 * Each reason for a question on one line without a period. Of many doubts of one kind it gives the first, and the
 * number of the others. `whole`: where the user can see those.
 */
export function firstReasons(reasons: readonly Reason[], whole = ''): readonly string[] {
  const first = firstOf(reasons.flatMap(reason => (reason.kind === 'flag' ? [reason.flag] : [])))
  const shown = reasons.filter(reason => reason.kind !== 'flag' || first.has(reason.flag))
  return [...describeReasons(shown), ...moreDoubts(reasons.length - shown.length, whole)]
}

/** Each doubt on one line without a period. Of many of one kind it gives the first, and the number of the others. */
export function firstFlags(flags: readonly Flag[], whole = ''): readonly string[] {
  const first = firstOf(flags)
  const shown = flags.filter(flag => first.has(flag))
  return [...shown.map(describeFlag), ...moreDoubts(flags.length - shown.length, whole)]
}

/**
 * A file can give one doubt for each of its lines. None of another kind may be lost among them, nor the one file that
 * says something else among many that say the same.
 */
function firstOf(flags: readonly Flag[]): ReadonlySet<Flag> {
  const others = [...groupBy(flags, ({ reason }) => reason).values()].flatMap(([first]) => first ?? [])
  const byKind = groupBy(new Set([...others, ...flags]), ({ flag }) => flag)
  return new Set([...byKind.values()].flatMap(ofKind => ofKind.slice(0, MOST)))
}

const MOST = 20

function moreDoubts(hidden: number, whole = ''): readonly string[] {
  return hidden > 0 ? [`and ${count(hidden, 'more flag')} like these${whole}`] : []
}

/** Each reason on one line without a period. A reason that holds for both checks is given once. */
export function describeReasons(reasons: readonly Reason[]): readonly string[] {
  const uncounted = reasons.filter(reason => reason.kind === 'uncounted')
  const [first, second] = uncounted
  const same = first !== undefined && second !== undefined && first.why === second.why
  return reasons
    .filter(reason => !(same && reason === second))
    .map(reason => (same && reason === first ? uncountedWords(undefined, first.why) : describeReason(reason)))
}

/** One line without a period. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case 'approval-no':
      return 'you review every change'
    case 'new-errors':
      return `${count(reason.count, 'new error')} (${reason.limit} allowed)`
    case 'uncounted':
      return uncountedWords(reason.check, reason.why)
    case 'no-test':
      return 'the check ran no test, and that is no proof'
    case 'flag':
      return describeFlag(reason.flag)
    case 'post-command':
      return `the post command failed: ${visibleOutputLine(reason.why)}`
    case 'partial':
      return `it is only the intact part of an answer with ${count(reason.problems, 'problem')}`
    case 'no-control':
      return 'the answer has no YAML block at its end: it may be incomplete, or meant for another project'
    case 'merged':
      return `your edits were merged into ${listOf(reason.paths)}, and no linter checked the result`
    case 'marked':
      return `${listOf(reason.paths)} ${reason.paths.length === 1 ? 'holds' : 'hold'} both versions between conflict markers`
    case 'missing':
      return `${listOf(reason.paths)}, which relay wrote, ${reason.paths.length === 1 ? 'is' : 'are'} gone`
    case 'unchecked-edits':
      return `${listOf(reason.paths)} changed by hand after the check; r checks again`
    case 'reused-uuid':
      return `same uuid as #${reason.number} (${ENDED[reason.state]}), different content (models repeat uuids). If you keep it, relay gives it a new one`
  }
}

/** The first two paths by name, and the number of the others. */
export function listOf(paths: readonly string[]): string {
  const [first = '', second, ...more] = paths.map(visibleLine)
  if (second === undefined) return first
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${count(more.length, 'more file')}`
}

/** `undefined`: before and after. */
function uncountedWords(when: 'before' | 'after' | undefined, why: string): string {
  const text = visibleOutputLine(why)
  const missing = /^exit 12[67]: /
  if (missing.test(text)) {
    return `the linter did not run${when === undefined ? '' : ` ${when} the change`}: ${text.replace(missing, '')}`
  }
  return `relay could not count the errors ${when ?? 'before and after'} the change: ${text}`
}

/** A doubt about a patch: the file, the reason, and the doubtful line. */
export function describeFlag({ flag, path, line, text, reason }: Flag): string {
  // The reason of a look-alike names both files already.
  const about = path === undefined || flag === 'look-alike' || namesPath(reason, path) ? '' : `${visibleLine(path)}: `
  const quoted = text === undefined || reason.includes(text.trim()) ? '' : ` "${cutLine(visibleLine(text.trim()), 60)}"`
  const place = line === undefined ? '' : ` (line ${line} of the answer)`
  return `${about}${visibleLine(reason)}${quoted}${place}`
}

const ENDED: Readonly<Record<Ended, string>> = {
  committed: 'kept',
  declined: 'declined',
  'rolled-back': 'rolled back',
  undone: 'undone',
}
