import { hasWord } from '../../lines/bare-text.ts'
import { isDocument } from '../../lines/is-document.ts'
import type { Flag } from '../../model/response.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files of code that are no longer indented, as a page copied for its words is.
 *
 * Lines of one depth may have been taken out of what they stood in; those of several have not.
 */
export function lostIndentation(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (before === '' || isDocument(path) || /^[ \t]+\S/m.test(after)) return []
    const now = new Set(after.split('\n').map(line => line.trim()))
    const moved = before.split('\n').filter(line => /^[ \t]/.test(line) && hasWord(line) && now.has(line.trim()))
    const depths = new Set(moved.map(line => line.length - line.trimStart().length))
    if (moved.length < FEWEST || depths.size < 2) return []
    return [{ flag: 'chat-artifact', path, reason: 'none of its lines is indented any more' }]
  })
}

const FEWEST = 3
