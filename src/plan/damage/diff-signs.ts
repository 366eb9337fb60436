import { hasWord } from '../../ground/bare-text.ts'
import { isDocument } from '../../ground/is-document.ts'
import type { Flag } from '../../model.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files with the signs of a diff in them: a new line that is a `-` and then a line of the old file, or new lines that
 * begin with a `+`, which none did. A model that thinks in changes writes them, and the old line stays beside the new one.
 *
 * Where a sign in front of a line means something, in a list and behind the indentation, only both signs together count; in
 * a list that may have both, the `-` only before exactly what the old file has, blanks and all.
 */
export function diffSigns(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(text => {
    const { path, before, after } = text
    if (before === '' || !/^[ \t]*[+-]/m.test(after) || diffs.test(path)) return []
    const what = signsIn(text)
    if (what === undefined) return []
    return [{ flag: 'chat-artifact', path, reason: `${what}, as in a diff: the signs may be no part of the file` }]
  })
}

function signsIn({ path, before, after }: TextChange): string | undefined {
  const isList = isDocument(path) || lists.test(path)
  const isExact = isList && !neverPlus.test(path)
  const form = (line: string) => (isExact ? line.trimEnd() : line.trim())
  // An operator at a line's end may have come to the front of the next one.
  const old = new Set(before.split('\n').flatMap(line => [form(line), form(form(line).replace(/[+-]$/, ''))]))
  const lines = after.split('\n')
  const isNew = (line: string) => hasWord(line) && !old.has(form(line))
  const isOld = (line: string) => old.has(form(form(line).slice(1)))
  const isRemoval = (line: string) => form(line).startsWith('-') && isNew(line) && isOld(line)
  const minus = lines.findIndex(isRemoval)
  const isAddition = (line: string) => addition.test(line) && !(hasMethods.test(path) && line.startsWith('+ ('))
  const plus = before.split('\n').some(isAddition) ? -1 : lines.findIndex(line => isAddition(line) && isNew(line))
  const isPair = minus >= 0 && lines.some(line => form(line).startsWith('+') && isNew(line) && !isOld(line))
  const alone = isList ? -1 : lines.findIndex(line => line.startsWith('-') && isRemoval(line))
  if (isPair || alone >= 0) return `line ${(isPair ? minus : alone) + 1} of it is one of the file's behind a -`
  return plus >= 0 && !isExact ? `line ${plus + 1} of it begins with +` : undefined
}

/** A `+` before a word, however far that one is indented. */
const addition = /^\+[ \t]*[\p{L}_$@#<({[/"']/u

/** Objective-C declares the methods of a class behind a `+`. */
const hasMethods = /\.(?:h|mm?)$/i

const diffs = /\.(?:diff|patch|rej|snap)$/i

/** What has no ending is a list of patterns, or a Makefile, in which a `-` lets a line fail. */
const lists =
  /\.(?:ya?ml|toml|mk|mak|pug|jade|haml|slim|feature|http|in|list|conf|cfg|ini)$|(?:^|\/)[^/.]+$|(?:^|\/)\.[^/.]+$/i

/** Items begin with a `-`, but nothing with a `+`. */
const neverPlus = /\.(?:ya?ml|toml)$/i
