import type { LintError } from '../model.ts'
import { columnsOf } from './columns-of.ts'
import { count } from './count.ts'
import { cutLine, cutPath, padLine } from './cut-line.ts'
import type { Style } from './style.ts'
import { visibleLine, visibleOutput } from './visible.ts'

const MOST = 10

/** New errors, one line each: where, the linter's name for it, what it says. */
export function errorList(errors: readonly LintError[], style: Style): readonly string[] {
  const shown = errors.slice(0, MOST)
  const widest = Math.floor(style.columns / 2)
  const places = shown.map(error => cutPath(placeOf(error), widest, style.sign.cut))
  const codes = shown.map(({ code }) => cutLine(clean(code), 24, style.sign.cut))
  const placeWidth = Math.max(0, ...places.map(columnsOf))
  const codeWidth = Math.max(0, ...codes.map(columnsOf))
  const room = style.columns - 4 - placeWidth - 2 - (codeWidth > 0 ? codeWidth + 2 : 0)
  const lines = shown.map(({ message }, index) => {
    const place = style.paint.path(padLine(places[index] ?? '', placeWidth))
    const code = codeWidth > 0 ? `${padLine(codes[index] ?? '', codeWidth)}  ` : ''
    return `    ${place}  ${code}${cutLine(clean(message), room, style.sign.cut)}`.trimEnd()
  })
  const more = errors.length - shown.length
  return more > 0 ? [...lines, style.paint.meta(`    ${style.sign.cut} and ${count(more, 'more new error')}`)] : lines
}

function placeOf({ file, line, column }: LintError): string {
  return [clean(file), line, line === undefined ? undefined : column].filter(part => part !== undefined).join(':')
}

function clean(text: string): string {
  return visibleLine(visibleOutput(text))
}
