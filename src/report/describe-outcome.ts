import type { Outcome } from '../model.ts'
import { columnsOf } from './columns-of.ts'
import { describeDuration } from './describe-time.ts'
import { indented } from './indented.ts'
import { type About, outcomeWords } from './outcome-words.ts'
import { row } from './row.ts'
import type { Style } from './style.ts'

/**
 * How a response ended: one verdict line, then what belongs to it.
 *
 * There are words for every ending; who watches a clipboard leaves those of a text that is no patch unsaid.
 */
export function describeOutcome(outcome: Outcome, style: Style, about: About = {}): readonly string[] {
  const words = outcomeWords(outcome, about)
  const { paint, sign } = style
  const mark = paint[words.paint](sign[words.sign])
  const verdict = `${mark} ${paint.strong(words.verdict)}`
  const time = words.ms === undefined ? '' : paint.meta(describeDuration(words.ms))
  const details = words.details.join('   ')
  const fits = columnsOf(verdict) + 2 + columnsOf(details) + columnsOf(time) + 2 <= style.columns
  return [
    ...row(fits ? `${verdict}  ${details}` : verdict, time, style),
    ...(fits ? [] : words.details.flatMap(text => indented(text, style))),
    ...words.more.flatMap(text => indented(text, style)),
  ]
}
