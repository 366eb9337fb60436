import type { LintError } from '../../model/check.ts'
import { columnsOf } from '../text/columns-of.ts'
import { cutLine, cutPath, padLine } from '../text/cut-line.ts'
import { moreLine } from '../text/more-line.ts'
import type { Style } from '../text/style.ts'
import { visibleOutputLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

const MOST = 10

/** In columns. A shorter message says nothing. */
const LEAST_ROOM = 24

/** Up to this many errors are shown in full, in several rows each: the question below is about them. */
const FEW = 3
const MOST_ROWS = 4

/**
 * New errors: the place, the linter's name for it, the message. Where there are many, each has one line. On a narrow
 * screen the message has its own line.
 */
export function errorList(errors: readonly LintError[], style: Style): readonly string[] {
  const { sign, columns } = style
  const shown = errors.slice(0, MOST)
  const places = shown.map(error => cutPath(visibleOutputLine(placeOf(error)), Math.floor(columns / 2), sign.cut))
  const codes = shown.map(({ code }) => cutLine(visibleOutputLine(code), 24, sign.cut))
  const placeWidth = Math.max(0, ...places.map(columnsOf))
  const codeWidth = Math.max(0, ...codes.map(columnsOf))
  const room = columns - 4 - placeWidth - 2 - (codeWidth > 0 ? codeWidth + 2 : 0)
  const lines = shown.flatMap((error, index) => {
    const { file, line } = error
    const message = visibleOutputLine(messageOf(error))
    const link = style.link(style.paint.path(places[index] ?? ''), { path: file, line })
    const code = codeWidth > 0 ? `${padLine(codes[index] ?? '', codeWidth)}  ` : ''
    const left = `    ${padLine(link, placeWidth)}  ${code}`
    const rows = (width: number) => wrapLine(message, width, sign.cut, shown.length <= FEW ? MOST_ROWS : 1)
    if (room < LEAST_ROOM) return [left.trimEnd(), ...rows(columns - 6).map(row => `      ${row}`)]
    const [first = '', ...others] = rows(room)
    return [`${left}${first}`.trimEnd(), ...others.map(row => `${' '.repeat(columns - room)}${row}`)]
  })
  return [...lines, ...moreLine(errors.length - shown.length, 'new error', style)]
}

/** One error on one line, for a log. */
export function errorWords(error: LintError): string {
  const [place = '', ...words] = [placeOf(error), error.code, messageOf(error)].map(visibleOutputLine)
  return cutLine([place, ...words.filter(word => word !== '')].join(' '), 200)
}

/** For a test, the message and why it failed. */
function messageOf({ message, why = '' }: LintError): string {
  return [message, why.replace(/\s+/g, ' ')].filter(part => part !== '').join(': ')
}

/** `src/a.ts:41:7`, as far as it is known. */
export function placeOf({ file, line, column }: LintError): string {
  return [file, line, line === undefined ? undefined : column].filter(part => part !== undefined).join(':')
}
