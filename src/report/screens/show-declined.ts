import type { Attempt } from '../../model/back.ts'
import type { Ended } from '../../model/entry.ts'
import { describeFlag } from '../answers/describe-reason.ts'
import { errorWords } from '../answers/error-list.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeMoment } from '../text/describe-time.ts'
import { factLines } from '../text/hanging.ts'
import { packed, roomBeside, row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visible, visibleLine, visibleOutputLine } from '../text/visible.ts'

/** An answer that was not kept. */
export interface ShownDeclined {
  readonly number: number
  readonly outcome: Ended
  readonly at: string
  readonly uuid: string
  readonly source: string
  readonly text: string
  readonly attempt: Attempt | undefined
}

const MOST_ERRORS = 5

/** What spoke against an answer, and the answer itself. */
export function showDeclined(shown: ShownDeclined, style: Style, now: Date): readonly string[] {
  const { number, outcome, attempt } = shown
  const { paint, sign, columns } = style
  const state = outcome === 'declined' ? 'declined' : 'rolled back'
  const name = `#${number}`
  const title = cutLine(visibleLine(attempt?.title ?? ''), roomBeside(state, name.length + 2, style), sign.cut)
  const fact = (label: string, value: string) => factLines(label, value, 10, style)
  const errors = attempt?.newErrors ?? []
  return [
    ...row(`${paint.strong(name)}  ${paint.strong(title)}`, state, style),
    ...fact('uuid', shown.uuid),
    ...fact('from', `${visibleLine(shown.source)}, ${describeMoment(shown.at, now)}`),
    ...(attempt?.operations ?? []).flatMap(({ op, path }) => fact('file', `${op} ${visibleLine(path)}`)),
    ...(attempt?.reason === undefined ? [] : fact('why', visibleLine(attempt.reason))),
    ...(attempt?.failed === undefined ? [] : fact('failed', visibleOutputLine(attempt.failed))),
    ...errors.slice(0, MOST_ERRORS).flatMap(error => fact('error', visibleOutputLine(errorWords(error)))),
    ...(errors.length > MOST_ERRORS ? fact('error', `and ${errors.length - MOST_ERRORS} more`) : []),
    ...(attempt?.flags ?? []).flatMap(flag => fact('flag', describeFlag(flag))),
    '',
    ...packed([`relay apply --declined ${number} applies it again`], columns).map(line => paint.meta(line)),
    '',
    ...visible(shown.text).trimEnd().split('\n'),
  ]
}
