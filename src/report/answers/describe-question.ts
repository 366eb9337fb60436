import type { Reason } from '../../model/check.ts'
import type { Change } from '../../model/plan.ts'
import { asksFirst, type Flag } from '../../model/response.ts'
import type { Question } from '../../model/talk.ts'
import { diffRoom, renderShortDiff, type Unseen } from '../diff/render-diff.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine, cutPath } from '../text/cut-line.ts'
import { indented } from '../text/hanging.ts'
import { moreLine } from '../text/more-line.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { firstFlags, firstReasons } from './describe-reason.ts'
import { errorList } from './error-list.ts'
import { fileLines } from './file-lines.ts'
import { AFTER_NO } from './question-keys.ts'

/** A question on the screen. The most important lines come last, right above the prompt. */
export interface QuestionText {
  readonly lines: readonly string[]
  readonly prompt: string
}

/** `keys`: the user can press them. Otherwise the question was answered beforehand, and no hint names a key. */
export function describeQuestion(question: Question, style: Style, keys = true): QuestionText {
  switch (question.kind) {
    case 'sensitive':
      return sensitiveText(question, style, keys)
    case 'gate':
      return gateText(question, style, keys)
    case 'edited':
      return editedText(question, style)
    case 'foreign':
      return foreignText(question, style, keys)
    case 'offered':
      return offeredText(question, style)
  }
}

type Of<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>

const MOST_FILES = 20

/** The rows for the reasons and the prompt. */
const BELOW = 8
/** A diff of fewer lines says nothing. */
const LEAST = 10

/** Without a key, nothing shows the whole diff. */
const NO_PLACE = { where: '' }

/**
 * A dangerous change is shown whole. This limit keeps a lock file from flooding the screen, and relay says when it
 * cuts.
 */
const FULL = 400

function gateText(question: Of<'gate'>, style: Style, keys: boolean): QuestionText {
  const { changes, leftOut, canFollowUp, checks, held, reasons } = question
  const errors = errorList(checks.comparison?.newErrors ?? [], style)
  const below = BELOW + errors.length
  const secret = withSecrets(reasons.flatMap(reason => (reason.kind === 'flag' ? [reason.flag] : [])))
  const diffBelow = (listed: number) => {
    const room = diffRoom(style, below + listed, LEAST)
    return renderShortDiff(changes, style, room, { secret, ...(keys ? {} : NO_PLACE) })
  }
  const alone = diffBelow(0)
  // Where the diff shows all, its headings say the same.
  const files = changes.length > 1 && !alone.isWhole ? [...fileLines(changes, style).lines, ''] : []
  // The list already stands where the transaction begins, so it does not push the errors off the screen. For a
  // question that was left open, both are far above.
  const list = held || errors.length === 0 || files.length + LEAST + below <= style.rows ? files : []
  const diff = list.length === 0 ? alone : diffBelow(list.length)
  const parts = [...list, ...diff.text.split('\n'), ...leftOutLines(leftOut, style), '']
  return {
    lines: [
      '',
      ...parts,
      ...whyLines(question, style, keys),
      ...(held ? errors : []),
      ...noLines(question, style, keys),
    ],
    // The prompt with its keys has to fit on one line of a narrow terminal.
    prompt: `${style.columns < 50 ? 'Keep?' : isRefused(question) ? 'Keep it anyway?' : 'Keep this change?'} (y/n/d/f/e/r/${canFollowUp ? 'c/' : ''}w/q/?)`,
  }
}

/** No further attempt follows, and relay would not accept it. */
function isRefused({ afterNo, reasons }: Of<'gate'>): boolean {
  return afterNo === 'end' && reasons.some(({ kind }) => kind !== 'approval-no')
}

/** What a no does, where it is more than to roll back. */
function noLines({ afterNo }: Of<'gate' | 'sensitive'>, style: Style, keys: boolean): readonly string[] {
  return afterNo === undefined || !keys ? [] : wrapped(`n: ${AFTER_NO[afterNo]}.`, style)
}

/** `▲ #42 needs you: 2 new errors (limit 0). The files are already changed.` */
function whyLines(
  { number, title, reasons, changes, held }: Of<'gate'>,
  style: Style,
  keys: boolean,
): readonly string[] {
  const { paint, sign } = style
  const mark = paint.needsYou(sign.needsYou)
  const changed = changes.filter(({ effect }) => effect !== 'none')
  const where = `The ${changed.length === 1 ? 'file is' : 'files are'} already changed.`
  const whys = firstReasons(reasons, wholeWords(keys))
  if (held) {
    const name = cutLine(`${named(number)} ${visibleLine(title)}`.trimEnd(), style.columns - 3, sign.cut)
    const open = 'still waits for your answer: its files are changed, but not kept.'
    return [
      `${mark} ${paint.strong(name)}`,
      ...wrapped(open, style),
      ...whys.flatMap(reason => indented(reason, style)),
    ]
  }
  if (whys.length === 0) {
    return headLines(`${mark} ${paint.strong(named(number))} passes all checks now.`, where, style)
  }
  const needs = needsYou(number, style)
  const oneLine = `${needs}: ${whys.join()}. ${where}`
  const remedy = keys ? remedyLines(reasons, style) : []
  if (whys.length === 1 && columnsOf(oneLine) <= style.columns) return [oneLine, ...remedy]
  return [...headLines(`${needs}.`, where, style), ...whys.flatMap(reason => indented(reason, style)), ...remedy]
}

/** A check before the change alone cannot be had again. */
function remedyLines(reasons: readonly Reason[], style: Style): readonly string[] {
  if (!reasons.some(reason => reason.kind === 'uncounted' && reason.check === 'after')) return []
  return wrapped('Correct `linter` in relaycode.config.json, then press r.', style)
}

/** Where the user sees the doubts for which the question has no room. */
function wholeWords(keys: boolean): string {
  return keys ? '; w shows all' : ''
}

function needsYou(number: number | undefined, { paint, sign }: Style): string {
  return `${paint.needsYou(sign.needsYou)} ${paint.strong(`${named(number)} needs you`)}`
}

/** A change that comes to a branch has no number. */
function named(number: number | undefined): string {
  return number === undefined ? 'This change' : `#${number}`
}

/** On one line where both fit. */
function headLines(first: string, where: string, { columns }: Style): readonly string[] {
  const oneLine = `${first} ${where}`
  return columnsOf(oneLine) <= columns ? [oneLine] : [first, `  ${where}`]
}

function leftOutLines(leftOut: readonly Change[], style: Style): readonly string[] {
  if (leftOut.length === 0) return []
  const paths = leftOut.slice(0, MOST_FILES).map(({ path }) => visibleLine(path))
  const more = leftOut.length - paths.length
  const named = `${paths.join(', ')}${more > 0 ? ` and ${count(more, 'more file')}` : ''}`
  return ['', ...wrapLine(`left out: ${named}`, style.columns - 4, style.sign.cut).map(line => `  ${line}`)]
}

function sensitiveText(question: Of<'sensitive'>, style: Style, keys: boolean): QuestionText {
  const { number, changes, flags, afterNo } = question
  const why = flags.filter(asksFirst)
  const doubts = flags.filter(flag => !asksFirst(flag))
  const files = sensitiveChanges(changes, why)
  const whole = wholeWords(keys)
  const { text, unseen } = renderShortDiff(files, style, FULL, {
    moves: 'apart',
    secret: withSecrets(why),
    ...(keys ? {} : NO_PLACE),
  })
  return {
    lines: [
      '',
      ...text.split('\n'),
      '',
      ...headLines(`${needsYou(number, style)}.`, 'Nothing has been written or run yet.', style),
      ...doubtLines(doubts, whole, style),
      ...firstFlags(why, whole).flatMap(reason => indented(reason, style)),
      ...unseenLines(unseen, style, keys),
      ...noLines(question, style, keys),
    ],
    prompt: `${unseen.length > 0 ? 'Not everything is shown. ' : ''}Let this ${afterNo === undefined ? 'answer' : 'work'} change ${files.length === 1 ? 'this file' : 'these files'}? (y/n/d/w/?)`,
  }
}

/** The other doubts stand above the files that the question is about, which must not scroll off. */
function doubtLines(doubts: readonly Flag[], whole: string, style: Style): readonly string[] {
  if (doubts.length === 0) return []
  return [
    '  Flagged:',
    ...firstFlags(doubts, whole).flatMap(doubt => indented(doubt, style)),
    '  This question is about:',
  ]
}

/** Names each file that is not on the screen: the user has to know that before a yes. */
function unseenLines(unseen: readonly Unseen[], style: Style, keys: boolean): readonly string[] {
  if (unseen.length === 0) return []
  const { paint, columns, sign } = style
  const head = `The diff above is not complete${keys ? '; d shows all lines' : ''}. Left out:`
  return [
    ...wrapLine(head, columns - 2, sign.cut).map(line => `  ${paint.needsYou(line)}`),
    ...unseen.slice(0, MOST_FILES).flatMap(({ path, what }) => indented(visibleLine(`${path}: ${what}`), style)),
    ...moreLine(unseen.length - MOST_FILES, 'file', style),
  ]
}

/** The files in which secrets seem to be. A question may be printed where others can read it. */
function withSecrets(flags: readonly Flag[]): ReadonlySet<string> {
  return new Set(flags.flatMap(({ flag, path }) => (flag === 'secret' && path !== undefined ? [path] : [])))
}

/** Only the changes that the doubts are about, or all of them if a doubt names none. */
function sensitiveChanges(changes: readonly Change[], why: readonly Flag[]): readonly Change[] {
  const paths = new Set(why.map(({ path }) => path))
  if (paths.has(undefined)) return changes
  const found = changes.filter(({ path, target }) => paths.has(path) || paths.has(target))
  return found.length > 0 ? found : changes
}

function editedText({ number, paths }: Of<'edited'>, style: Style): QuestionText {
  const { paint, sign } = style
  return {
    lines: [
      `${paint.needsYou(sign.needsYou)} ${paint.strong(`#${number} was not finished`)}, and ${count(paths.length, 'file')} changed since then:`,
      ...paths.slice(0, MOST_FILES).flatMap(path => indented(visibleLine(path), style)),
      ...moreLine(paths.length - MOST_FILES, 'file', style),
      ...wrapped('y restores the version from before the change, n keeps the present one;', style),
      ...wrapped('the other version goes to .relaycode/rescue/', style),
    ],
    prompt: 'Restore the version from before the change? (y/n/?)',
  }
}

function foreignText({ number, title, changes, flags }: Of<'foreign'>, style: Style, keys: boolean): QuestionText {
  const { paint, sign, columns } = style
  const { text, unseen } = renderShortDiff(changes, style, FULL, { moves: 'apart', ...(keys ? {} : NO_PLACE) })
  const name = cutLine(`#${number} ${visibleLine(title)}`.trimEnd(), columns - 3, sign.cut)
  return {
    lines: [
      '',
      ...text.split('\n'),
      '',
      `${paint.needsYou(sign.needsYou)} ${paint.strong(name)}`,
      ...wrapped(
        'is unfinished, but was not begun in this folder on this machine: it came with the project (a clone, a copy, a backup).',
        style,
      ),
      ...wrapped(`Rolling it back would change the ${changes.length === 1 ? 'file' : 'files'} as shown above.`, style),
      ...firstFlags(flags, '').flatMap(reason => indented(reason, style)),
      ...unseenLines(unseen, style, keys),
    ],
    prompt: `${unseen.length > 0 ? 'Not everything is shown. ' : ''}Change ${changes.length === 1 ? 'this file' : 'these files'}? (y/n/d/q/?)`,
  }
}

function offeredText({ title, changes }: Of<'offered'>, style: Style): QuestionText {
  const { paint, sign } = style
  const name = cutLine(visibleLine(title) || '(no summary)', style.columns - 3, sign.cut)
  return {
    lines: [
      `${paint.needsYou(sign.needsYou)} ${paint.strong(name)}`,
      ...wrapped('This answer was already on the clipboard. Nothing has been written or run.', style),
      ...changes.slice(0, MOST_FILES).map(({ op, path }) => {
        return `    ${op.padEnd(6)}  ${paint.path(cutPath(visibleLine(path), style.columns - 12, sign.cut))}`
      }),
      ...moreLine(changes.length - MOST_FILES, 'file', style),
    ],
    prompt: 'Apply it? (y/n/d/?)',
  }
}

function wrapped(sentence: string, { columns, sign }: Style): readonly string[] {
  return wrapLine(sentence, columns - 2, sign.cut).map(line => `  ${line}`)
}
