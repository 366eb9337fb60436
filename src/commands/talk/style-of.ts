import type { Terminal } from '../../ports.ts'
import { createStyle, type Style } from '../../report/text/style.ts'

type Look = Pick<Terminal, 'colour' | 'unicode' | 'columns' | 'rows' | 'links'>

/** How the talk on stderr looks on this terminal; with a project's root, its files can be links. */
export function styleOf({ colour, unicode, columns, rows, links }: Look, root?: string): Style {
  const linked = root === undefined || links === 'none' ? undefined : { root, lines: links === 'lines' }
  return createStyle({ colour: colour.err, unicode, columns, rows, links: linked })
}

/** How the answer on stdout looks, in the pager as well. */
export function outStyle({ colour, unicode, columns }: Pick<Look, 'colour' | 'unicode' | 'columns'>): Style {
  return createStyle({ colour: colour.out, unicode, columns })
}

/** Somebody looks at it; else it is a log. */
export function isScreen({ live, canAsk }: Pick<Terminal, 'live' | 'canAsk'>): boolean {
  return live || canAsk
}
