import type { Terminal } from '../ports.ts'
import { createStyle, type Style } from '../report/style.ts'

type Look = Pick<Terminal, 'colour' | 'unicode' | 'columns' | 'rows'>

/** How the talk on stderr looks on this terminal. */
export function styleOf({ colour, unicode, columns, rows }: Look): Style {
  return createStyle({ colour: colour.err, unicode, columns, rows })
}
