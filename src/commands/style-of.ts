import type { Terminal } from '../ports.ts'
import { createStyle, type Style } from '../report/style.ts'

/** How the talk on stderr looks on this terminal. */
export function styleOf({ colour, unicode, columns }: Pick<Terminal, 'colour' | 'unicode' | 'columns'>): Style {
  return createStyle({ colour: colour.err, unicode, columns })
}
