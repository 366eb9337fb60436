import { groupBy } from '../../ground/collections.ts'
import { trimmed } from './lines.ts'

interface Style {
  readonly open: string
  /** How it closes, where it does; the sign may be missing, since a fence's line often loses it. */
  readonly close?: string
  /** It only counts with a blank behind it: alone it is a quote, a word or another sign. */
  readonly spaced?: boolean
}

/** Of those that begin alike the first that fits counts. */
const styles: readonly Style[] = [
  { open: '<!---', close: '--->' },
  { open: '<!--', close: '-->' },
  { open: '{/*', close: '*/}' },
  { open: '/**', close: '*/' },
  { open: '/*', close: '*/' },
  { open: '<%--', close: '--%>' },
  { open: '<%#', close: '%>' },
  { open: '<%!--', close: '--%>' },
  { open: '<#--', close: '-->' },
  { open: '{{!--', close: '--}}' },
  { open: '{{- /*', close: '*/ -}}' },
  { open: '{{/*', close: '*/}}' },
  { open: '{{--', close: '--}}' },
  { open: '{{!', close: '}}' },
  { open: '@*', close: '*@' },
  { open: '{#', close: '#}' },
  { open: '(*', close: '*)' },
  { open: '{-', close: '-}' },
  { open: '--[[', close: ']]' },
  { open: '<#', close: '#>' },
  { open: '#=', close: '=#' },
  { open: '#|', close: '|#' },
  { open: '"""', close: '"""' },
  { open: "'''", close: "'''" },
  ...`' " REM rem @REM @rem dnl .. -# //- ! /// //! ## --- ;; %% *>`.split(' ').map(open => ({ open, spaced: true })),
  ...['//', '#', '--', ';', '%', '::'].map(open => ({ open })),
]

const byFirstSign = groupBy(styles, ({ open }) => open[0] ?? '')

/** What a line says if it is a comment and nothing else, in the comment style of any language. */
export function uncomment(line: string): string | undefined {
  const style = styleAt(line, 0)
  if (style === undefined) return undefined
  const { open, close } = style
  const closed = close !== undefined && line.endsWith(close) && line.length >= open.length + close.length
  return trimmed(line, open.length, closed ? line.length - close.length : line.length)
}

/** Tells whether a line begins a comment that goes on below it: without the line, the rest would be none. */
export function beginsComment(line: string): boolean {
  const { open = '', close } = styleAt(line, 0) ?? {}
  return close !== undefined && !line.includes(close, open.length)
}

function styleAt(line: string, at: number): Style | undefined {
  const candidates = byFirstSign.get(line[at] ?? '')
  return candidates?.find(({ open, spaced }) => {
    const sign = line[at + open.length]
    return line.startsWith(open, at) && (spaced !== true || sign === ' ' || sign === '\t')
  })
}

/** How far into a fence's info a comment may begin. */
const farthest = 1024

/** Where the first comment in a fence's info begins: at its start or behind a blank. */
export function commentAt(info: string): number {
  for (let at = 0; at < info.length && at < farthest; at++) {
    if (at > 0 && info[at - 1] !== ' ' && info[at - 1] !== '\t') continue
    if (styleAt(info, at) !== undefined) return at
  }
  // `typescript// src/a.ts`: a slash that no `http:` stands before.
  const glued = info.indexOf('//')
  return glued > 0 && info[glued - 1] !== ':' ? glued : -1
}
