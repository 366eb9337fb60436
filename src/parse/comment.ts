import { trimmed } from './lines.ts'

/** Comments that close: the longer opening comes first. */
const closing: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['{/*', '*/}'],
  ['/**', '*/'],
  ['/*', '*/'],
  ['<%--', '--%>'],
  ['{#', '#}'],
  ['(*', '*)'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['<#', '#>'],
  ['"""', '"""'],
  ["'''", "'''"],
]

/** Comments that run to the end of the line. Those of one sign need not be followed by a blank. */
const opening = ['//', '#', '--', ';', '%', '::']

/** Comments that only count with a blank behind them: alone they are quotes, words or signs. */
const spaced = ["'", '"', 'REM', 'rem', '@REM', 'dnl', '!', '///', '//!', '##', '---', ';;', '%%']

/**
 * What a line says if it is a comment and nothing else, in the comment style of any language.
 *
 * A closing sign may be missing: it is often lost on a fence's line.
 */
export function uncomment(line: string): string | undefined {
  for (const [open, close] of closing) {
    if (!line.startsWith(open)) continue
    const end =
      line.endsWith(close) && line.length >= open.length + close.length ? line.length - close.length : line.length
    return trimmed(line, open.length, end)
  }
  for (const open of spaced) {
    if (line.startsWith(open) && (line[open.length] === ' ' || line[open.length] === '\t')) {
      return trimmed(line, open.length, line.length)
    }
  }
  for (const open of opening) {
    if (line.startsWith(open)) return trimmed(line, open.length, line.length)
  }
  return undefined
}

/** How far into a fence's info a comment may begin. */
const farthest = 1024

/** Where the first comment in a fence's info begins: at its start or behind a blank. */
export function commentAt(info: string): number {
  for (let at = 0; at < info.length && at < farthest; at++) {
    if (at > 0 && info[at - 1] !== ' ' && info[at - 1] !== '\t') continue
    const rest = info.slice(at, at + 6)
    if (closing.some(([open]) => rest.startsWith(open)) || opening.some(open => rest.startsWith(open))) return at
    if (spaced.some(open => rest.startsWith(`${open} `))) return at
  }
  // `typescript// src/a.ts`: a slash that no `http:` stands before.
  const glued = info.indexOf('//')
  return glued > 0 && info[glued - 1] !== ':' ? glued : -1
}
