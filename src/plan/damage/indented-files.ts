import { hasWord } from '../../ground/bare-text.ts'
import { isDocument } from '../../ground/is-document.ts'
import type { Flag } from '../../model.ts'
import { lineBag } from './line-bag.ts'
import type { TextChange } from './text-changes.ts'

/** Flags files of code of which every line is indented now, as in a list or in a diff. One or two lines tell nothing. */
export function indentedFiles(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    // Nearly every file of code has lines at the margin, and is not looked at any further.
    if (before === '' || isDocument(path) || hasMargin(after) || !hasMargin(before)) return []
    const was = lineBag(before)
    const kept = [...lineBag(after).keys()].filter(line => hasWord(line) && was.has(line))
    const reason = 'every line of it is indented, as it was not'
    return kept.length < FEWEST ? [] : [{ flag: 'chat-artifact', path, reason }]
  })
}

const FEWEST = 3

function hasMargin(text: string): boolean {
  return text.split('\n').some(line => /^\S/.test(line) && hasWord(line))
}
