import { withoutWords } from '../../ground/secret-names.ts'
import { askedWords } from '../../model/asked-change.ts'
import type { Check, Comparison } from '../../model/check.ts'
import type { Progress, Step } from '../../model/talk.ts'
import { countWords } from '../diff/count-words.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine, cutPath, padLine } from '../text/cut-line.ts'
import { describeClock, describeDuration } from '../text/describe-time.ts'
import { hanging, indented } from '../text/hanging.ts'
import { moreLine } from '../text/more-line.ts'
import { roomBeside, row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine, visibleOutput } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { checkWords, comparisonWords } from './check-words.ts'
import { describeOutcome } from './describe-outcome.ts'
import { describeRecovery } from './describe-recovery.ts'
import { describeRestoration } from './describe-restoration.ts'
import { errorList } from './error-list.ts'
import { fileLines } from './file-lines.ts'

/**
 * The lines that a transaction's progress leaves on the screen; none for what only the live line shows.
 *
 * @param now leaves today's date out of moments
 */
export function describeProgress(progress: Progress, style: Style, now?: Date): readonly string[] {
  const { paint, sign } = style
  switch (progress.kind) {
    case 'waiting':
    case 'history-lost':
      return hanging(`${sign.watching} `, wrapLine(waitingWords(progress), style.columns - 3, sign.cut), 2)
    case 'recovered':
      return describeRecovery(progress.recovery, style, now)
    case 'begun':
      return begunLines(progress, style)
    case 'step-started':
      return []
    case 'written':
      return stepLine('write', paint.ok(sign.ok), count(progress.files, 'file'), progress.ms, style)
    case 'command-ended':
      return commandLines(progress, style)
    case 'checked':
      return checkLines(progress, style)
    case 'chosen':
      return chosenLines(progress, style)
    case 'edited':
      return editedLines(progress, style)
    case 'resumed':
      return describeOutcome(progress.outcome, style, now === undefined ? {} : { now })
  }
}

export function waitingWords(progress: Of<'waiting' | 'history-lost'>): string {
  if (progress.kind === 'waiting') {
    const { owner, question } = progress
    if (question !== undefined) return visibleLine(`${askedWords(question)} in another window (${owner})`)
    return `waiting: another relay works in this project (${visibleLine(owner)})`
  }
  return `the history is missing or damaged: reading ${count(progress.entries, 'stored change')} instead`
}

/** The step that runs now, for the live line: `lint bun tsc --noEmit`. The time is added where it is shown. */
export function liveLine(progress: Progress, style: Style): string | undefined {
  const text = liveWords(progress)
  // Leaves room for the spinner and the time: a live line that wraps is not cleaned up.
  return text === undefined ? undefined : cutLine(text, style.columns - 14, style.sign.cut)
}

function liveWords(progress: Progress): string | undefined {
  if (progress.kind === 'waiting') return `waiting for another relay (${visibleLine(progress.owner)})`
  if (progress.kind === 'history-lost') return `reading ${count(progress.entries, 'stored change')}`
  if (progress.kind !== 'step-started') return undefined
  return `${progress.step}  ${visibleLine(progress.command)}`.trimEnd()
}

type Of<Kind extends Progress['kind']> = Extract<Progress, { kind: Kind }>

function begunLines({ number, uuid, title, changes, at }: Of<'begun'>, style: Style): readonly string[] {
  const { paint, sign } = style
  const list = fileLines(changes, style)
  const sums = `${count(list.files, 'file')}  ${countWords(list, style)}  ${paint.meta(visibleLine(uuid.slice(0, 8)))}`
  const room = roomBeside(sums, columnsOf(sign.patch) + 1, style)
  const name = cutLine(visibleLine(title) || '(no summary)', room, sign.cut)
  return [
    ruleLine(number === undefined ? '' : `#${number}`, at === undefined ? '' : ` ${describeClock(at)}`, style),
    ...row(`${paint.path(sign.patch)} ${paint.strong(name)}`, sums, style),
    ...list.lines,
  ]
}

function chosenLines({ files, of, rescued, blocked }: Of<'chosen'>, style: Style): readonly string[] {
  const { paint, sign } = style
  const more = [
    ...describeRestoration({ restored: [], rescued, kept: [], merged: [] }).files,
    ...blocked.map(path => `${visibleLine(path)}: still left out: you changed it meanwhile`),
  ]
  const left = of - files
  const others = left === 0 ? '' : `; the ${left === 1 ? 'other one is' : 'others are'} restored`
  return [
    `${paint.ok(sign.ok)} ${padLine('files', LABEL)}${files} of ${of} ${files === 1 ? 'stays' : 'stay'}${others}`,
    ...more.flatMap(text => indented(text, style)),
  ]
}

/** Files that the user edited by hand between two looks. */
function editedLines({ paths, whileChecked }: Of<'edited'>, style: Style): readonly string[] {
  const { paint, sign } = style
  if (whileChecked !== undefined) {
    const whose = whileChecked === 'by-user' ? 'counted as your edit' : 'undo restores that too'
    const what = `${count(paths.length, 'file')} changed while the linter ran: ${whose}`
    return [`${paint.needsYou(sign.needsYou)} ${padLine('edit', LABEL)}${what}`, ...pathLines(paths, style)]
  }
  if (paths.length === 0) return [`${sign.watching} ${padLine('edit', LABEL)}nothing was changed`]
  return [
    `${paint.ok(sign.ok)} ${padLine('edit', LABEL)}you changed ${count(paths.length, 'file')}`,
    ...pathLines(paths, style),
  ]
}

function ruleLine(left: string, right: string, { columns, paint, sign }: Style): string {
  const name = left === '' ? '' : ` ${paint.strong(left)} `
  const length = columns - 2 - (left === '' ? 0 : left.length + 2) - right.length
  return `${paint.meta(sign.rule.repeat(2))}${name}${paint.meta(`${sign.rule.repeat(length)}${right}`)}`
}

/** `✔ write  3 files          9 ms`. `more` has its own line where it does not fit beside the text. */
function stepLine(step: Step, sign: string, text: string, ms: number, style: Style, more = ''): readonly string[] {
  const time = describeDuration(ms)
  const name = `${sign} ${padLine(step, LABEL)}`
  const line = `${name}${text}`
  const whole = more === '' ? line : `${name}${padLine(text, 12)}  ${more}`
  const fits = more === '' || columnsOf(whole) + 2 + columnsOf(time) <= style.columns
  const below = fits ? [] : [`${' '.repeat(LABEL + 2)}${more}`]
  return [...row(fits ? whole : line, style.paint.meta(time), style), ...below]
}

const LABEL = 8

/** The room between a step's name and a long time. */
function room(style: Style): number {
  return style.columns - LABEL - 3 - 12
}

function commandLines(ended: Of<'command-ended'>, style: Style): readonly string[] {
  const { step, command, end, ms, alsoChanged } = ended
  const { paint, sign } = style
  const result = [end.ok ? '' : visibleLine(end.why), alsoWords(ended)].filter(Boolean).join(', ')
  const shownResult = cutLine(result, room(style), sign.cut)
  const shownCommand = cutLine(visibleLine(command), room(style) - columnsOf(shownResult) - 3, sign.cut)
  const text = [shownCommand, end.ok ? shownResult : paint.fail(shownResult)].filter(part => columnsOf(part) > 1)
  return [
    ...stepLine(step, end.ok ? paint.ok(sign.ok) : paint.fail(sign.fail), text.join('   '), ms, style),
    // A rollback leaves them as they are.
    ...pathLines(alsoChanged, style),
    ...(end.ok ? [] : outputTail(end.output, style)),
    ...withoutLines(ended.without, style),
  ]
}

function alsoWords({ alsoChanged, alsoPart }: Of<'command-ended'>): string {
  const files = count(alsoChanged.length, 'more file')
  return alsoChanged.length === 0 ? '' : `changed ${alsoPart === true ? 'at least ' : ''}${files}`
}

function pathLines(paths: readonly string[], style: Style): readonly string[] {
  const most = 5
  const lines = paths.slice(0, most).map(path => {
    return `    ${style.paint.path(cutPath(visibleLine(path), style.columns - 4, style.sign.cut))}`
  })
  return [...lines, ...moreLine(paths.length - most, 'file', style)]
}

/** What may have been missing, as the last line below a command that failed. */
function withoutLines(names: readonly string[] | undefined, style: Style): readonly string[] {
  const words = withoutWords(names)
  return words === undefined ? [] : indented(visibleLine(words), style)
}

function checkLines(checked: Of<'checked'>, style: Style): readonly string[] {
  return [...resultLines(checked, style), ...withoutLines(checked.without, style)]
}

function resultLines({ step, check, known, comparison, ms }: Of<'checked'>, style: Style): readonly string[] {
  const { paint, sign } = style
  const words = cutLine(checkWords(check), room(style), sign.cut)
  const asBefore = style.columns < 50 ? 'as in the last check' : 'no file changed since the last check'
  switch (check.kind) {
    case 'unchecked':
      // Said once, in the place of the result.
      return step === 'base' ? [] : [`${sign.watching} ${padLine(step, LABEL)}${words}`]
    case 'uncounted':
      return [
        ...stepLine(step, paint.needsYou(sign.needsYou), paint.needsYou(words), ms, style),
        ...outputTail(check.output, style, step === 'base' ? FEW : MOST),
      ]
    case 'counted':
      if (step === 'base') return stepLine(step, paint.ok(sign.ok), words, ms, style, known ? paint.meta(asBefore) : '')
      return comparedLines(check, words, comparison, ms, style)
  }
}

function comparedLines(
  check: Extract<Check, { kind: 'counted' }>,
  words: string,
  comparison: Comparison | undefined,
  ms: number,
  style: Style,
): readonly string[] {
  const { paint, sign } = style
  if (comparison === undefined) {
    const mark = check.errors === 0 ? paint.ok(sign.ok) : paint.needsYou(sign.needsYou)
    return stepLine('lint', mark, words, ms, style, 'nothing to compare with')
  }
  const worse = comparison.new > 0
  const [added, fixed, same] = comparisonWords(comparison)
  const numbers = [worse ? paint.fail(added) : added, comparison.fixed > 0 ? paint.ok(fixed) : fixed, same].join(
    style.columns < 50 ? '  ' : '   ',
  )
  return [
    ...stepLine('lint', worse ? paint.needsYou(sign.needsYou) : paint.ok(sign.ok), words, ms, style, numbers),
    ...(comparison.newErrors.length > 0 ? errorList(comparison.newErrors, style) : []),
    // The new ones are unknown where errors are only counted, so the linter's last lines have to do.
    ...(worse && comparison.newErrors.length === 0 ? outputTail(check.output, style) : []),
  ]
}

const MOST = 12

/** Before the patch: it did not cause these faults. */
const FEW = 3

/** The last lines of a command's output, where the reason of a failure mostly stands. */
function outputTail(output: string, style: Style, most = MOST): readonly string[] {
  const lines = output.trimEnd().split('\n')
  while (lines[0]?.trim() === '') lines.shift()
  const shown = lines.slice(-most).map(line => {
    const text = visibleOutput(line.replace(/\r$/, '')).replaceAll('\t', '    ')
    return `    ${cutLine(text, style.columns - 4, style.sign.cut)}`.trimEnd()
  })
  const hidden = lines.length - shown.length
  return hidden > 0 ? [style.paint.meta(`    -- relay hides ${count(hidden, 'line')} --`), ...shown] : shown
}
