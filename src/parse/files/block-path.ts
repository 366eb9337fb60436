import type { Block } from '../blocks/find-blocks.ts'
import type { Guess } from '../blocks/guess-paths.ts'
import type { Summary } from '../control/read-summary.ts'
import type { Span } from '../lines/lines.ts'
import { beforeRemark, firstWord, looksLikePath, pathsAmong, withoutRemark, withoutUsualRemark } from '../lines/path.ts'

/** The path that the opening line gives; of a block that surely is a file, also the only one among its words, if the summary names it. */
export function pathOf({ path, hasStart, isDelete }: Block, summary: Summary): string | undefined {
  if (path === undefined) return undefined
  const isClear = summary.names(path) || !(hasStart || isDelete) || path.length > 4096
  return (isClear ? undefined : namedIn(path, summary)) ?? fullPath(path, summary)
}

/** `src/a.ts` of `Update src/a.ts`, `-> src/a.ts`, `[src/a.ts]`. */
function namedIn(words: string, summary: Summary): string | undefined {
  const [path, ...more] = new Set(pathsAmong(words))
  return path !== undefined && more.length === 0 && summary.names(path) ? path : undefined
}

/** The path as the block gives it, or the part of it that the summary names: remarks behind a path are common. */
function fullPath(path: string, summary: Summary): string {
  if (looksLikePath(path) || summary.names(path)) return path
  const shorter = firstNamed([...withoutRemark(path), firstWord(path)], summary)
  return shorter ?? beforeRemark(path) ?? withoutUsualRemark(path)
}

function firstNamed(paths: readonly string[], summary: Summary): string | undefined {
  return paths.find(each => summary.names(each) && looksLikePath(each))
}

/**
 * The first path near a block without one that the summary names, and that no marked block has, unless this one edits it;
 * none out of the control block. What a line above says behind the path is a remark only where a sign sets it off.
 */
export function bestGuess(
  block: Block,
  summary: Summary,
  control: Span,
  marked: ReadonlyMap<string, Block>,
  isEdit: (path: string) => boolean,
): Guess | undefined {
  for (const guess of block.guesses) {
    const { above } = guess
    if (above !== undefined && above >= control.from && above < control.to) continue
    const shorter = firstNamed(withoutRemark(guess.path), summary)
    const path = above === undefined ? fullPath(guess.path, summary) : (shorter ?? guess.path)
    if (!summary.names(path)) continue
    if (!block.hasStart && !block.isDelete && marked.has(path) && !isEdit(path)) continue
    return { ...guess, path }
  }
  return undefined
}
