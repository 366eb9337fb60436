import { columnsOf } from './text/columns-of.ts'
import { cutLine } from './text/cut-line.ts'
import { describeAge } from './text/describe-time.ts'
import { visibleLine } from './text/visible.ts'

/** The newest transaction that was kept and still stands; it may be an undo. */
export interface Last {
  readonly number: number
  /** Empty where its entry cannot be read. */
  readonly title: string
  readonly at: Date
}

/** `#42 Add dark mode toggle, 2 h ago`; where the room is too small for that, of the title as much as fits. */
export function lastWords(last: Last | undefined, now: Date, room = Number.POSITIVE_INFINITY, mark = '…'): string {
  if (last === undefined) return 'nothing kept yet'
  const age = `, ${describeAge(last.at, now)}`
  return cutLine(`#${last.number} ${visibleLine(last.title)}`.trimEnd(), room - columnsOf(age), mark) + age
}
