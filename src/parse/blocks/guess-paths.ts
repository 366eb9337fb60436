import { beginsComment } from '../lines/comment.ts'
import { afterLine, type Line, nextFilledLine, previousFilledLine, type Span, trimmed } from '../lines/lines.ts'
import { isMarker } from '../lines/marker.ts'
import {
  cleanPath,
  hasOwnLabel,
  headingLevel,
  looksLikePath,
  pathAmongWords,
  pathFromComment,
  pathFromHeading,
  pathGuessFromInfo,
  withoutRemark,
} from '../lines/path.ts'
import type { Fence } from './fence.ts'

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
  readonly body: Span
  readonly after: number
}

interface Unnamed {
  readonly text: string
  readonly fence: Fence
  readonly body: Span
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
export function guessPaths(block: Unnamed): readonly Guess[] {
  const { text, fence, body, isFile } = block
  const first = nextFilledLine(text, body.from, body.to)
  return [
    ...(first === undefined ? [] : guessesOnFirstLine(text, first, isFile)),
    ...guessesAbove(block),
    ...guess(fence.info, pathGuessFromInfo(fence.info)),
    ...(first !== undefined && isMarker(text, first, 'START') ? guessesBelowStart(text, first, body.to) : []),
  ]
}

/** The guess that some words are a path, where they hold any. */
function guess(said: string, path: string | undefined, more: Partial<Guess> = {}): readonly Guess[] {
  return path === undefined || path.length > 4096 ? [] : [{ path, said, contentFrom: undefined, ...more }]
}

function guessesOnFirstLine(text: string, line: Line, isFile: boolean): readonly Guess[] {
  if (line.end - line.start > 4096) return []
  const words = trimmed(text, line.start, line.end)
  const contentFrom = isFile ? undefined : belowPath(text, line, words)
  return [
    ...guess(words, pathFromComment(words), { contentFrom }),
    // A bare path could as well be the first line of a list of files.
    ...(isFile && looksLikePath(words) ? guess(words, cleanPath(words)) : []),
  ]
}

function guessesBelowStart(text: string, start: Line, to: number): readonly Guess[] {
  const line = nextFilledLine(text, start.end + 1, to)
  const words = line === undefined ? '' : trimmed(text, line.start, line.end)
  if (line === undefined || words.length > longest) return []
  return guess(words, pathFromComment(words), { contentFrom: belowPath(text, line, words) })
}

function guessesAbove({ text, fence, isFile, above }: Unnamed): readonly Guess[] {
  const line = previousFilledLine(text, fence.start, above.after)
  if (line === undefined) return guessInBlock(text, above)
  const title = isFile ? titleAbove(text, line.start, above.after) : undefined
  return [...guessesOnLineAbove(text, line, isFile), ...(title === undefined ? [] : guessesIn(title))]
}

function guessesOnLineAbove(text: string, line: Line, isFile: boolean): readonly Guess[] {
  if (line.end - line.start > longest) return []
  const words = trimmed(text, line.start, line.end)
  const above = line.start
  return [
    ...guess(words, pathFromHeading(words), { above }),
    ...(isFile ? guess(words, pathAmongWords(words), { above }) : []),
  ]
}

/** Where the content begins below a line that gives its path; `undefined`: with the line, which is or may be its own. */
function belowPath(text: string, line: Line, words: string): number | undefined {
  return beginsComment(words) || hasOwnLabel(words) ? undefined : afterLine(text, line.end)
}

function guessesIn({ said, paths, line, isPath }: Title): readonly Guess[] {
  const more = { above: line.start, ...(isPath ? {} : { isLoose: true as const }) }
  return paths.flatMap(path => guess(said, path, more))
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
  const paths = [whole, level > 0 ? (pathAmongWords(said) ?? '') : ''].filter(path =>
    readings(path).some(looksLikePath),
  )
  if (paths.length === 0) return undefined
  return { said, paths, line, level, isPath: readings(whole).some(path => looksLikePath(path) && !path.includes(' ')) }
}

function readings(path: string): readonly string[] {
  return [path, ...withoutRemark(path)]
}

/** The path that a block right above holds, and nothing else. */
function guessInBlock(text: string, { body }: Quoted): readonly Guess[] {
  const line = nextFilledLine(text, body.from, body.to)
  if (line === undefined || line.end - line.start > longest) return []
  if (nextFilledLine(text, line.end + 1, body.to) !== undefined) return []
  const words = trimmed(text, line.start, line.end)
  const path = pathFromComment(words) ?? cleanPath(words)
  return looksLikePath(path) ? guess(words, path) : []
}
