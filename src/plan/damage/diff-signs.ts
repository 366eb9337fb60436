import { hasWord } from '../../ground/bare-text.ts'
import { isDocument } from '../../ground/is-document.ts'
import type { Flag } from '../../model.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files with the signs of a diff in them: a new line that is a `-` and then a line of the old file, or new lines that
 * begin with a `+`, which none did. A model that thinks in changes writes them, and the old line stays beside the new one.
 *
 * Where a sign in front of a line means something, mostly a list, only both signs together count, and the `-` only before
 * exactly what the old file has, blanks and all.
 */
export function diffSigns(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (before === '' || !/^[+-]/m.test(after) || diffs.test(path)) return []
    const isList = isDocument(path) || lists.test(path)
    const form = (line: string) => (isList ? line.trimEnd() : line.trim())
    const old = new Set(before.split('\n').map(form))
    const lines = after.split('\n')
    const isNew = (line: string) => hasWord(line) && !old.has(form(line))
    const minus = lines.findIndex(line => line.startsWith('-') && isNew(line) && old.has(form(line.slice(1))))
    const isAddition = (line: string) => addition.test(line) && !(hasMethods.test(path) && line.startsWith('+ ('))
    const plus = before.split('\n').some(isAddition) ? -1 : lines.findIndex(line => isAddition(line) && isNew(line))
    const signs = [minus, plus].filter(at => at >= 0).length
    if (signs < (isList ? 2 : 1)) return []
    const what =
      minus < 0 ? `line ${plus + 1} of it begins with +` : `line ${minus + 1} of it is one of the file's behind a -`
    return [{ flag: 'chat-artifact', path, reason: `${what}, as in a diff: the signs may be no part of the file` }]
  })
}

/** A `+` before a word, however far that one is indented. */
const addition = /^\+[ \t]*[\p{L}_$@#<({[/]/u

/** Objective-C declares the methods of a class behind a `+`. */
const hasMethods = /\.(?:h|mm?)$/i

const diffs = /\.(?:diff|patch|rej|snap)$/i

/** What has no ending is a list of patterns, or a Makefile, in which a `-` lets a line fail. */
const lists =
  /\.(?:ya?ml|toml|mk|mak|pug|jade|haml|slim|feature|http|in|list|conf|cfg|ini)$|(?:^|\/)[^/.]+$|(?:^|\/)\.[^/.]+$/i
