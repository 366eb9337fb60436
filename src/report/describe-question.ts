import type { Change, Flag, Question } from '../model.ts'
import { columnsOf } from './columns-of.ts'
import { count } from './count.ts'
import { cutLine, cutPath } from './cut-line.ts'
import { describeFlag, describeReasons } from './describe-reason.ts'
import { fileLines } from './file-lines.ts'
import { indented } from './indented.ts'
import { renderFullDiff, renderShortDiff } from './render-diff.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'

/** A question as it stands on the screen. What matters most is printed last, right above the prompt. */
export interface QuestionText {
  readonly lines: readonly string[]
  readonly prompt: string
}

export function describeQuestion(question: Question, style: Style): QuestionText {
  switch (question.kind) {
    case 'sensitive':
      return sensitiveText(question, style)
    case 'gate':
      return gateText(question, style)
    case 'edited':
      return editedText(question, style)
    case 'offered':
      return offeredText(question, style)
    case 'held':
      return heldText(question, style)
  }
}

type Of<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>

const MOST_FILES = 20

/** What the reasons and the prompt need of the screen. */
const BELOW = 8
/** A diff of fewer lines says nothing; one of more is for the pager. */
const [LEAST, MOST] = [10, 40]

/** What is dangerous is shown whole; this only keeps a lock file from flooding the screen. */
const FULL = 400

function gateText({ number, reasons, changes }: Of<'gate'>, style: Style): QuestionText {
  const { paint, sign } = style
  const mark = paint.needsYou(sign.needsYou)
  const name = paint.strong(`#${number} needs you`)
  const whys = describeReasons(reasons)
  const where = 'The files are already changed.'
  const oneLine = `${mark} ${name}: ${whys.join()}. ${where}`
  // Of one file the diff's own heading says the same.
  const list = changes.length > 1 ? [...fileLines(changes, style).lines, ''] : []
  const room = Math.min(MOST, Math.max(LEAST, style.rows - BELOW - list.length))
  const fits = whys.length === 1 && columnsOf(oneLine) <= style.columns
  return {
    lines: [
      '',
      ...list,
      ...renderShortDiff(changes, style, room).split('\n'),
      '',
      ...(fits ? [oneLine] : [`${mark} ${name}. ${where}`, ...whys.flatMap(reason => indented(reason, style))]),
    ],
    prompt: 'Keep these changes? (y/n/d/?)',
  }
}

function sensitiveText({ title, changes, flags }: Of<'sensitive'>, style: Style): QuestionText {
  const { paint, sign } = style
  const why = flags.filter(({ flag }) => flag === 'sensitive-path')
  const doubts = flags.filter(({ flag }) => flag !== 'sensitive-path')
  const files = sensitiveChanges(changes, why)
  const name = cutLine(visibleLine(title) || '(no summary)', style.columns - 3, sign.cut)
  return {
    lines: [
      '',
      ...renderFullDiff(files, style, FULL).split('\n'),
      '',
      `${paint.needsYou(sign.needsYou)} ${paint.strong(name)}`,
      `  ${count(files.length, 'file')} of it ${files.length === 1 ? 'needs' : 'need'} your yes before anything runs:`,
      ...why.map(describeFlag).flatMap(reason => indented(reason, style)),
      ...(doubts.length > 0
        ? ['  Also doubtful:', ...doubts.map(describeFlag).flatMap(it => indented(it, style))]
        : []),
      '  Nothing has been written or run yet.',
    ],
    prompt: 'Let this patch change these files? (y/n/d/?)',
  }
}

/** Only the changes that the doubts are about; all of them, should a doubt name none. */
function sensitiveChanges(changes: readonly Change[], why: readonly Flag[]): readonly Change[] {
  const paths = new Set(why.map(({ path }) => path))
  const found = changes.filter(({ path, target }) => paths.has(path) || paths.has(target))
  return found.length > 0 ? found : changes
}

function editedText({ number, paths }: Of<'edited'>, style: Style): QuestionText {
  const { paint, sign } = style
  const more = paths.length - MOST_FILES
  return {
    lines: [
      `${paint.needsYou(sign.needsYou)} ${paint.strong(`#${number} was not finished`)}, and ${count(paths.length, 'file')} changed since:`,
      ...paths.slice(0, MOST_FILES).flatMap(path => indented(visibleLine(path), style)),
      ...(more > 0 ? [paint.meta(`    ${sign.cut} and ${count(more, 'more file')}`)] : []),
      '  y restores them as before the patch, n leaves them as they are now;',
      '  the other version goes to .relaycode/rescue/',
    ],
    prompt: 'Restore the files as they were before the patch? (y/n/?)',
  }
}

function offeredText({ title, operations }: Of<'offered'>, style: Style): QuestionText {
  const { paint, sign } = style
  const name = cutLine(visibleLine(title) || '(no summary)', style.columns - 3, sign.cut)
  const more = operations.length - MOST_FILES
  return {
    lines: [
      `${paint.needsYou(sign.needsYou)} ${paint.strong(name)}`,
      '  was on the clipboard before watching began. Nothing has been written or run.',
      ...operations.slice(0, MOST_FILES).map(({ op, path }) => {
        return `    ${op.padEnd(6)}  ${paint.path(cutPath(visibleLine(path), style.columns - 12, sign.cut))}`
      }),
      ...(more > 0 ? [paint.meta(`    ${sign.cut} and ${count(more, 'more file')}`)] : []),
    ],
    prompt: 'Take this patch? (y/n/?)',
  }
}

function heldText({ number, title }: Of<'held'>, style: Style): QuestionText {
  const { paint, sign } = style
  const name = cutLine(`#${number} ${visibleLine(title)}`.trimEnd(), style.columns - 3, sign.cut)
  return {
    lines: [
      `${paint.needsYou(sign.needsYou)} ${paint.strong(name)}`,
      '  was left without an answer: its files are changed, but not kept.',
    ],
    prompt: 'Roll it back? (y/n/?)',
  }
}
