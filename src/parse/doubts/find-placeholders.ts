import { isDocument } from '../../lines/is-document.ts'
import { isComment, remarkIn } from '../../lines/remark.ts'
import { lineEnd, linesBefore } from '../lines/lines.ts'

/** A line of a file that stands for code which was left out, or tells where in the file the code below it goes. */
export interface Placeholder {
  /** 0-based line within the content. */
  readonly line: number
  readonly text: string
  readonly reason: string
}

/** So many different ones are told apart; from there on one more is enough to know. */
const most = 100

/** Languages in which a line of three dots is neither code nor part of a text that a program holds. */
const bareDotsMeanNothing = /\.(?:jsonc?|s?css|less)$/i

/** Where a line begins that is looked at, by its first sign, or a comment behind a brace: nearly none is a remark. */
const mayBeOne = /\n[^\S\n]*[/#\-<;%{(*."…['@]|\{ ?\/\*/g

/**
 * Finds the lines that say "rest of the code" instead of giving it, or where it goes, by their words alone: what is certain
 * of any file, new ones too. What the file on the disk shows to be one comes later.
 *
 * A comment without dots and with another one beside it explains something.
 */
export function findPlaceholders(content: string, path: string): readonly Placeholder[] {
  const text = `\n${content}`
  const found = new Map<string, Placeholder>()
  const isShown = isDocument(path) ? codeIn(text) : () => false
  let end = 0
  for (const { index } of text.matchAll(mayBeOne)) {
    if (index < end || found.size >= most) continue
    const start = text.lastIndexOf('\n', index) + 1
    end = lineEnd(text, start)
    const words = text.slice(start, end).trim()
    if (found.has(words)) continue
    const above = text.lastIndexOf('\n', start - 2) + 1
    const isBeside = () =>
      isComment(text.slice(above, start).trim(), path) ||
      isComment(text.slice(end, lineEnd(text, end + 1)).trim(), path)
    const reason = doubtOf(words, path, isBeside)
    if (reason !== undefined && !isShown(start))
      found.set(words, { line: linesBefore(text, start - 1), text: text.slice(start, end), reason })
  }
  return [...found.values()]
}

/** Tells of one place after the other whether it is in the code that a document shows. */
function codeIn(text: string): (at: number) => boolean {
  let isInside = false
  let from = 0
  return at => {
    for (const _ of text.slice(from, at).matchAll(/^[ \t]*(?:```|~~~)/gm)) isInside = !isInside
    from = at
    return isInside
  }
}

const leftOut = 'a comment stands in for code that was left out'
const place = 'a comment says where in the file its code goes: this may be only a part of the file'

function doubtOf(words: string, path: string, isBesideComment: () => boolean): string | undefined {
  // `render() { /* unchanged */ }`
  const inline = /\{\s?(\/\*[^*]{1,100}\*\/)\s?\}/.exec(words)?.[1]
  const line = inline ?? words
  const remark = remarkIn(line, path)
  if (remark === 'place') return isBesideComment() ? undefined : place
  if (remark === 'certain') return /\.{3}|…/.test(line) || !isBesideComment() ? leftOut : undefined
  // In a document they are a part of what it shows.
  if (remark !== 'dots' || isDocument(path)) return undefined
  return (isComment(line, path) || bareDotsMeanNothing.test(path)) && !isBesideComment() ? leftOut : undefined
}
