import type { Outcome } from '../../model/talk.ts'
import { columnsOf } from '../text/columns-of.ts'
import { describeDuration } from '../text/describe-time.ts'
import { indented } from '../text/hanging.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { type About, outcomeWords } from './outcome-words.ts'

/**
 * How a response ended: one verdict line, then its details.
 *
 * There are words for every ending. A watcher leaves out those of a text that is no patch.
 */
export function describeOutcome(outcome: Outcome, style: Style, about: About = {}): readonly string[] {
  const words = outcomeWords(outcome, about)
  const { paint, sign } = style
  const mark = paint[words.paint](sign[words.sign])
  const meanwhile = about.inPassing === 'meanwhile' ? 'meanwhile: ' : ''
  const verdict = `${mark} ${paint.strong(`${meanwhile}${words.verdict}`)}`
  const time = words.ms === undefined ? [] : [describeDuration(words.ms)]
  const details = words.details.join('   ')
  const fits = columnsOf(verdict) + 2 + columnsOf(details) + columnsOf(time.join()) + 2 <= style.columns
  const left = fits ? `${verdict}  ${details}` : verdict
  const right = [...(words.keys ?? []), ...time].join('   ')
  // Where there is no room for the keys, the help has them.
  const hasRoom = columnsOf(left) + 2 + columnsOf(right) <= style.columns
  return [
    ...row(left, paint.meta(hasRoom ? right : time.join()), style),
    ...(fits ? [] : words.details.flatMap(text => indented(text, style))),
    ...words.more.flatMap(text => indented(text, style)),
  ]
}
