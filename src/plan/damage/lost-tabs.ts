import { hasWord } from '../../lines/bare-text.ts'
import type { Flag } from '../../model/response.ts'
import type { TextChange } from './text-changes.ts'

/** Flags files in which every tab in front of a line became blanks, as a page shows them. */
export function lostTabs(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (!/^\t/m.test(before) || /^[ ]*\t/m.test(after)) return []
    const tabbed = new Set(before.split('\n').flatMap(line => (/^\t/.test(line) && hasWord(line) ? [line.trim()] : [])))
    const isBack = after.split('\n').some(line => line.startsWith(' ') && tabbed.has(line.trim()))
    return isBack ? [{ flag: 'chat-artifact', path, reason: 'all of its tabs became blanks' }] : []
  })
}
