import { hasWord } from '../../lines/bare-text.ts'
import { isDocument } from '../../lines/is-document.ts'
import { isSource } from '../../lines/is-source.ts'
import type { Flag } from '../../model/response.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files with the signs of a diff in them: a new line that begins a hunk, or is a `-` and then a line of the old file,
 * beside a new line behind a `+`. A model that thinks in changes writes them, and the old line stays beside the new one.
 *
 * Lists and data may have either sign at the beginning of a line; in code, one of the two is enough.
 */
export function diffSigns(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(text => {
    const { path, before, after } = text
    if (before === '' || !/^(?:[+-]|@@ -|<{5,9} ?SEARCH)/m.test(after) || diffs.test(path)) return []
    const what = signIn(text)
    const reason = `${what}, as in a diff: the signs may not belong to the file`
    return what === undefined ? [] : [{ flag: 'chat-artifact', path, reason }]
  })
}

function signIn({ path, before, after }: TextChange): string | undefined {
  const was = before.split('\n').map(line => line.trimEnd())
  const old = new Set(isSource(path) ? was.map(line => line.trim()) : was)
  const lines = after.split('\n').map(line => line.trimEnd())
  const hunk = isDocument(path) ? -1 : lines.findIndex(line => beginsEdit.test(line) && !old.has(line))
  if (hunk >= 0) return `line ${hunk + 1} of it begins a hunk`
  const isNew = (line: string) => hasWord(line) && !old.has(line)
  const rest = (line: string) => (isSource(path) ? line.slice(1).trim() : line.slice(1))
  const minus = lines.findIndex(line => line.startsWith('-') && isNew(line) && old.has(rest(line)))
  const plus = lines.findIndex(line => addition.test(line) && isNew(line) && !old.has(rest(line)))
  const isAlone = isSource(path) && !was.some(line => addition.test(line))
  if (minus < 0) return plus < 0 || !isAlone ? undefined : `line ${plus + 1} of it begins with +`
  return plus < 0 && !isSource(path) ? undefined : `line ${minus + 1} of it is a line of the file with a - before it`
}

const beginsEdit = /^(?:@@ -\d+(?:,\d+)? \+\d|<{5,9} ?SEARCH\b)/

/** A `+` before a word, however far that one is indented; Objective-C declares methods with `+ (`. */
const addition = /^\+[ \t]*[\p{L}\p{N}_$@#<{["'/]/u

const diffs = /\.(?:diff|patch|rej|snap)$/i
