import { hasWord } from '../../lines/bare-text.ts'
import { onlyOnes } from '../../lines/only-ones.ts'
import type { Flag } from '../../model/response.ts'
import { lineBag } from './line-bag.ts'
import type { TextChange } from './text-changes.ts'

/** Flags files of which nearly every line that was there once is there twice: small models give a file, and then again. */
export function doubledFiles(texts: readonly TextChange[]): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    if (after.length < before.length + before.length / 2) return []
    const once = [...onlyOnes(before.split('\n').map(line => line.trim())).keys()].filter(hasWord)
    const now = lineBag(after)
    const count = (line: string) => now.get(line) ?? 0
    const twice = once.filter(line => count(line) > 1).length
    // Where the file begins only once, a part of it is repeated: a second job, another language.
    const begins = count(once.find(line => count(line) > 0) ?? '')
    if (once.length < FEWEST || twice * 5 < once.length * 4 || begins < 2) return []
    const reason = `${twice} of its lines now occur twice: it may hold the file two times`
    return [{ flag: 'duplicate-path', path, reason }]
  })
}

const FEWEST = 8
