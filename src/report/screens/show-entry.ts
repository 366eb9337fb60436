import type { Entry } from '../../model/entry.ts'
import type { Change } from '../../model/plan.ts'
import { checkRecordWords } from '../answers/check-words.ts'
import { describeFlag, listOf } from '../answers/describe-reason.ts'
import { fileLines } from '../answers/file-lines.ts'
import { renderShortDiff } from '../diff/render-diff.ts'
import { count, describeSize } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeMoment } from '../text/describe-time.ts'
import { factLines, hanging } from '../text/hanging.ts'
import { packed, roomBeside, row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** One kept transaction with all that is known about it now. */
export interface ShownEntry {
  readonly entry: Entry
  readonly title: string
  /** `kept auto`, `undone by #44`. */
  readonly state: string
  readonly at: string
  /** Its changes, and in words what happened to them since. Empty: all is as it was kept. */
  readonly files: readonly { readonly change: Change; readonly since: { readonly words: string } }[]
  /** The output of its commands, where that was kept. */
  readonly outputs: readonly { readonly step: string; readonly bytes: number }[]
}

const MOST_REASONING = 4
const MOST_DIFF = 24

/** A transaction on one screen. Each part that is cut says how to see all of it. */
export function showEntry(shown: ShownEntry, style: Style, now: Date): readonly string[] {
  const { entry, title, state } = shown
  const changes = shown.files.map(({ change }) => change)
  const { paint, sign, columns } = style
  const name = `#${entry.number}`
  const room = roomBeside(state, name.length + 2, style)
  return [
    ...row(`${paint.strong(name)}  ${paint.strong(cutLine(visibleLine(title), room, sign.cut))}`, state, style),
    ...fact('uuid', entry.uuid, style),
    ...(entry.modelUuid === undefined ? [] : fact('given as', entry.modelUuid, style)),
    ...fact('from', `${visibleLine(entry.source)}, ${describeMoment(shown.at, now)}`, style),
    ...(entry.undoes === undefined ? [] : fact('undoes', `#${entry.undoes.number}`, style)),
    ...(entry.commit === undefined ? [] : fact('commit', `${entry.commit} in git`, style)),
    ...whyLines(entry, style),
    ...fact('lint', checkRecordWords(entry.checks), style),
    ...entry.flags.flatMap(flag => fact('flag', describeFlag(flag), style)),
    ...mergedFacts(entry, style),
    ...outputFacts(shown, style),
    '',
    ...filesWithState(shown, changes, style),
    '',
    ...renderShortDiff(changes, style, MOST_DIFF, { where: `relay diff ${entry.number} shows all` }).text.split('\n'),
    '',
    ...packed(waysOn(shown), columns).map(line => paint.meta(line)),
  ]
}

function fact(name: string, value: string, style: Style): readonly string[] {
  return factLines(name, value, 10, style)
}

/** The beginning of the model's prose, a line of the screen each. */
function whyLines({ number, reasoning }: Entry, style: Style): readonly string[] {
  const lines = reasoning
    .flatMap(text => text.split('\n'))
    .map(line => line.trim())
    .filter(line => line !== '')
    .flatMap(line => wrapLine(visibleLine(line), style.columns - 12, style.sign.cut, 40))
  const shown = lines.slice(0, MOST_REASONING)
  const more = lines.length - shown.length
  const note = `(${count(more, 'more line')}: \`relay show ${number} --reasoning\`)`
  const rest = more > 0 ? wrapLine(note, style.columns - 12, style.sign.cut).map(line => style.paint.meta(line)) : []
  return hanging(`  ${style.paint.meta('why'.padEnd(10))}`, [...shown, ...rest], 12)
}

/** Files with edits of the user that the model did not know. */
function mergedFacts({ operations }: Entry, style: Style): readonly string[] {
  const paths = operations.flatMap(each => (each.op === 'write' && each.seen !== undefined ? [each.path] : []))
  return paths.length === 0 ? [] : fact('merged', `with your edits: ${listOf(paths)}`, style)
}

function outputFacts({ entry, outputs }: ShownEntry, style: Style): readonly string[] {
  if (outputs.length === 0) return []
  const sizes = outputs.map(({ step, bytes }) => `${step} ${describeSize(bytes)}`).join(', ')
  return fact('output', `${sizes} (\`relay show ${entry.number} --output\`)`, style)
}

function filesWithState({ files }: ShownEntry, changes: readonly Change[], style: Style): readonly string[] {
  const { paint } = style
  const wordsOf = new Map(files.map(({ change, since }) => [change.path, since.words]))
  const { shown, lines } = fileLines(changes, style)
  return [
    ...shown.flatMap(({ line, paths }) => {
      const words = paths.map(path => wordsOf.get(path) ?? '').filter(word => word !== '')
      return row(line, words.length === 0 ? '' : paint.needsYou(words.join('; ')), style)
    }),
    ...lines.slice(shown.length),
  ]
}

function waysOn({ entry, state }: ShownEntry): readonly string[] {
  const { number } = entry
  const back = state.startsWith('undone') ? [] : [`relay revert ${number}`]
  return [`relay diff ${number}`, `relay show ${number} --patch`, ...back]
}
