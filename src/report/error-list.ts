import type { LintError } from '../model.ts'
import { columnsOf } from './text/columns-of.ts'
import { cutLine, cutPath, padLine } from './text/cut-line.ts'
import { moreLine } from './text/more-line.ts'
import type { Style } from './text/style.ts'
import { visibleOutputLine } from './text/visible.ts'

const MOST = 10

/** A message in less room says nothing. Columns. */
const LEAST_ROOM = 24

/** New errors, one line each: where, the linter's name for it, what it says. On a narrow screen that has its own line. */
export function errorList(errors: readonly LintError[], style: Style): readonly string[] {
  const { sign, columns } = style
  const shown = errors.slice(0, MOST)
  const places = shown.map(error => cutPath(visibleOutputLine(placeOf(error)), Math.floor(columns / 2), sign.cut))
  const codes = shown.map(({ code }) => cutLine(visibleOutputLine(code), 24, sign.cut))
  const placeWidth = Math.max(0, ...places.map(columnsOf))
  const codeWidth = Math.max(0, ...codes.map(columnsOf))
  const room = columns - 4 - placeWidth - 2 - (codeWidth > 0 ? codeWidth + 2 : 0)
  const lines = shown.flatMap(({ file, line, message }, index) => {
    const link = style.link(style.paint.path(places[index] ?? ''), { path: file, line })
    const code = codeWidth > 0 ? `${padLine(codes[index] ?? '', codeWidth)}  ` : ''
    const left = `    ${padLine(link, placeWidth)}  ${code}`
    if (room < LEAST_ROOM)
      return [left.trimEnd(), `      ${cutLine(visibleOutputLine(message), columns - 6, sign.cut)}`]
    return [`${left}${cutLine(visibleOutputLine(message), room, sign.cut)}`.trimEnd()]
  })
  return [...lines, ...moreLine(errors.length - shown.length, 'new error', style)]
}

/** The same of one, for a log. */
export function errorWords(error: LintError): string {
  const [place = '', ...words] = [placeOf(error), error.code, error.message].map(visibleOutputLine)
  return cutLine([place, ...words.filter(word => word !== '')].join(' '), 200)
}

/** `src/a.ts:41:7`, as far as it is known. */
export function placeOf({ file, line, column }: LintError): string {
  return [file, line, line === undefined ? undefined : column].filter(part => part !== undefined).join(':')
}
