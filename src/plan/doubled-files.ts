import { hasWord } from '../bare-text.ts'
import type { Flag } from '../model.ts'
import { lineBag } from './line-bag.ts'
import { onlyOnes } from './merge-lines.ts'
import type { TextChange } from './text-changes.ts'

/** Flags files of which nearly every line that was there once is there twice: small models give a file, and then again. */
export function doubledFiles(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (after.length < before.length + before.length / 2) return []
    const once = [...onlyOnes(before.split('\n').map(line => line.trim())).keys()].filter(hasWord)
    const now = lineBag(after)
    const twice = once.filter(line => (now.get(line) ?? 0) > 1).length
    if (once.length < FEWEST || twice * 5 < once.length * 4) return []
    const reason = `${twice} lines that it had once are there twice: it may hold the file two times`
    return [{ flag: 'duplicate-path', path, reason }]
  })
}

const FEWEST = 8
