import { beginsComment } from './comment.ts'
import type { Fence } from './fence.ts'
import { afterLine, type Line, nextFilledLine, previousFilledLine, trimmed } from './lines.ts'
import { isMarker } from './marker.ts'
import {
  cleanPath,
  headingLevel,
  looksLikePath,
  pathFromComment,
  pathFromHeading,
  pathGuessFromInfo,
  pathWithinLine,
  withoutRemark,
} from './path.ts'

/** A path at a weaker place than the opening line. */
export interface Guess {
  readonly path: string
  /** The words that it was read from: behind the path they may say that the block is only a part of the file. */
  readonly said: string
  /** Where the content begins if this is the path: a path line inside the block is no content. */
  readonly contentFrom: number | undefined
  /** Where the line above the block begins, if the path stands there: it may be the last one of the control block. */
  readonly above?: number
  /** It stands among words, and above the block's reasoning: they may be about another file. */
  readonly isLoose?: true
}

/** The block above: some put the path into one of its own. */
export interface Quoted {
  readonly body: { readonly from: number; readonly to: number }
  readonly after: number
}

interface Unnamed {
  readonly text: string
  readonly fence: Fence
  readonly body: { readonly from: number; readonly to: number }
  /** It begins with START, or is a delete: surely a file. */
  readonly isFile: boolean
  readonly above: Quoted
}

/** No line that is nothing but a path is longer. */
const longest = 400

/**
 * The paths that may be meant for a block whose opening line has none, the likeliest first.
 *
 * They only count where the change summary names them, so they may be generous; but a line of words with a path in it
 * announces a file only where the block surely is one.
 */
export function guessPaths({ text, fence, body, isFile, above }: Unnamed): readonly Guess[] {
  const guesses: Guess[] = []
  const add = (said: string, path: string | undefined, contentFrom?: number, above?: number) => {
    if (path === undefined || path.length > 4096) return
    guesses.push({ path, said, contentFrom, ...(above === undefined ? {} : { above }) })
  }
  const inside = nextFilledLine(text, body.from, body.to)
  if (inside !== undefined && inside.end - inside.start <= 4096) {
    const words = trimmed(text, inside.start, inside.end)
    add(words, pathFromComment(words), isFile ? undefined : belowPath(text, inside, words))
    // A bare path could as well be the first line of a list of files.
    if (isFile && looksLikePath(words)) add(words, cleanPath(words))
  }
  const line = previousFilledLine(text, fence.start, above.after)
  if (line === undefined) {
    const inBlock = pathInBlock(text, above)
    add(inBlock?.said ?? '', inBlock?.path)
  } else if (line.end - line.start <= longest) {
    const words = trimmed(text, line.start, line.end)
    add(words, pathFromHeading(words), undefined, line.start)
    // What a sentence says behind the path is no remark, except in brackets.
    if (isFile) add(/\([^()]*\)\W*$/.test(words) ? words : '', pathWithinLine(words), undefined, line.start)
  }
  if (isFile && line !== undefined) guesses.push(...guessesIn(titleAbove(text, line.start, above.after)))
  if (fence.info !== '') add(fence.info, pathGuessFromInfo(fence.info))
  if (inside !== undefined && isMarker(text, inside, 'START')) {
    const below = nextFilledLine(text, inside.end + 1, body.to)
    const words = below === undefined ? '' : trimmed(text, below.start, below.end)
    if (below !== undefined && words.length <= longest) {
      add(words, pathFromComment(words), belowPath(text, below, words))
    }
  }
  return guesses
}

/** Where the content begins below a line that gives its path; `undefined`: with the line, whose comment goes on. */
function belowPath(text: string, line: Line, words: string): number | undefined {
  return beginsComment(words) ? undefined : afterLine(text, line.end)
}

function guessesIn(title: Title | undefined): readonly Guess[] {
  if (title === undefined) return []
  const { said, paths, line, isPath } = title
  const loose = isPath ? {} : ({ isLoose: true } as const)
  return paths.map(path => ({ path, said, contentFrom: undefined, above: line.start, ...loose }))
}

interface Title {
  readonly said: string
  /** The ways to read it. */
  readonly paths: readonly string[]
  readonly line: Line
  /** How many signs make it a heading; 0: it is none. */
  readonly level: number
  /** It is a path and no words with one in them, or what looks like one: `Why Next.js`. */
  readonly isPath: boolean
}

/**
 * The path above the reasoning that stands above a block: the one of the nearest heading that has any, unless that is a path
 * only among other words and stands below a heading that is one; or else the only one that a line holds and nothing else,
 * but no item of a list.
 */
function titleAbove(text: string, before: number, from: number): Title | undefined {
  let heading: Title | undefined
  const titles: Title[] = []
  let line = previousFilledLine(text, before, from)
  for (let lines = 0; line !== undefined && heading?.isPath !== true && lines < farthest; lines++) {
    const title = titleIn(text, line)
    // What is listed is one of several things that the reasoning speaks of: `Depends on:`, and the other file.
    if (title?.level === 0 && !isListed(title.said)) titles.push(title)
    if (title !== undefined && title.level > 0 && isTitleOf(title, heading)) heading = title
    line = previousFilledLine(text, line.start, from)
  }
  if (heading !== undefined) return heading
  return new Set(titles.map(({ paths }) => paths[0])).size === 1 ? titles[0] : undefined
}

/** Whether a heading tells what the text below the one that was found under it is about. */
function isTitleOf(heading: Title, found: Title | undefined): boolean {
  return found === undefined || (heading.isPath && heading.level < found.level)
}

function isListed(line: string): boolean {
  return /^[-*+][ \t]/.test(line)
}

/** More lines are no reasoning for one block. */
const farthest = 200

function titleIn(text: string, line: Line): Title | undefined {
  if (line.end - line.start > longest) return undefined
  const said = trimmed(text, line.start, line.end)
  const level = headingLevel(said)
  const whole = pathFromHeading(said) ?? ''
  const paths = [whole, level > 0 ? (pathWithinLine(said) ?? '') : ''].filter(path =>
    readings(path).some(looksLikePath),
  )
  if (paths.length === 0) return undefined
  return { said, paths, line, level, isPath: readings(whole).some(path => looksLikePath(path) && !path.includes(' ')) }
}

function readings(path: string): readonly string[] {
  return [path, ...withoutRemark(path)]
}

/** The path that a block right above holds, and nothing else. */
function pathInBlock(text: string, { body }: Quoted): { readonly said: string; readonly path: string } | undefined {
  const line: Line | undefined = nextFilledLine(text, body.from, body.to)
  if (line === undefined || line.end - line.start > longest) return undefined
  if (nextFilledLine(text, line.end + 1, body.to) !== undefined) return undefined
  const words = trimmed(text, line.start, line.end)
  const path = pathFromComment(words) ?? cleanPath(words)
  return looksLikePath(path) ? { said: words, path } : undefined
}
