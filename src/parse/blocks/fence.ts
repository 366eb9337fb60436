import { commentAt } from '../lines/comment.ts'
import { isBlank, lineStart, nextFilledLine, seeker, trimmed } from '../lines/lines.ts'
import { isDeleteDirective, isMarker, startMarker } from '../lines/marker.ts'

/** A line with three or more backticks or tildes that may open or close a block. */
export interface Fence {
  /** Where its line begins. */
  readonly start: number
  /** Where its first sign stands. */
  readonly at: number
  /** Where its line ends. */
  readonly end: number
  readonly sign: '`' | '~'
  readonly length: number
  /** What stands behind the signs. */
  readonly info: string
  /**
   * `open` can only open a block, `bare` may open or close one, `tail` is a bare one with the rest of a line of code
   * behind it (`` ```""" ``) and can only close an inner one; `glued` stands at the end of a line of text.
   */
  readonly kind: 'open' | 'bare' | 'tail' | 'glued'
}

/** How far from its line's beginning a fence may stand: the depth of nested lists. */
const deepest = 40

/** How much of a line is looked at to see whether a fence at its end is glued to it. */
const longestGluedLine = 2000

/** Answers the first fence from an offset on. */
export type NextFence = (from: number) => Fence | undefined

/** Reads a text's fences one by one; asking again for an earlier place is cheap. */
export function fencesOf(text: string): NextFence {
  const backticks = seeker(text, '```')
  const tildes = seeker(text, '~~~')
  const lineEnds = seeker(text, '\n')

  return from => {
    for (let at = Math.min(backticks(from), tildes(from)); at < text.length; ) {
      const after = endOfRun(text, at)
      const fence = fenceAt(text, at, after, Math.min(lineEnds(after), text.length))
      if (fence !== undefined) return fence
      at = Math.min(backticks(after), tildes(after))
    }
    return undefined
  }
}

/** The second of two fences that were run together on one line: ` `````` ` closes one block and opens the next. */
export function secondHalf(text: string, fence: Fence, length: number): Fence {
  const at = fence.at + length
  return {
    ...fence,
    at,
    length: fence.length - length,
    kind: fence.info === '' ? 'bare' : 'open',
    info: trimmed(text, fence.at + fence.length, fence.end),
  }
}

function fenceAt(text: string, at: number, after: number, end: number): Fence | undefined {
  const sign = text[at] === '`' ? '`' : '~'
  const start = lineStart(text, at, deepest)
  if (start === undefined) return insideLine(text, at, after, end)
  if (!isBlankText(text, start, at)) {
    const opens =
      isListMarker(text.slice(start, at)) && !hasBacktick(text, after, end) && !isDocComment(text, start, end)
    return opens
      ? { start, at, end, sign, length: after - at, info: trimmed(text, after, end), kind: 'open' }
      : insideLine(text, at, after, end)
  }
  const info = after === end ? '' : trimmed(text, after, end)
  const kind = info === '' ? 'bare' : isTail(text, after, info) ? 'tail' : 'open'
  if (kind === 'open' && sign === '`' && hasBacktick(text, after, end) && !isPathAsCode(text, info, end))
    return undefined
  return { start, at, end, sign, length: after - at, info, kind }
}

/** A fence behind text on its line: glued to the last line of a block, or opening one behind a list's words. */
function insideLine(text: string, at: number, after: number, end: number): Fence | undefined {
  if (text[at] === '~' || hasBacktick(text, after, end)) return undefined
  const start = lineStart(text, at, longestGluedLine)
  if (start === undefined || text.slice(start, at).includes('```')) return undefined
  const info = trimmed(text, after, end)
  const fence = { start, at, end, sign: '`', length: after - at, info } as const
  if (info === '') return { ...fence, kind: 'glued' }
  if (commentAt(info) < 0 || startMarker(text, end + 1) === undefined) return undefined
  return { ...fence, kind: 'open' }
}

/** An info holds no backtick: a line with one is code within prose. */
function hasBacktick(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 96) return true
  return false
}

/** With a label in front or a remark in brackets behind, but no words: those speak of the path. */
const pathAsCode =
  /^[\w+#.-]{0,40}[ \t]*(?:\/\/|#|--|;|%|\/\*|<!--)[ \t]*(?:[\p{L} ]{1,20}:[ \t]*)?`[^`]{1,1024}`[ \t]*(?:\([^`()]{1,60}\)[ \t]*)?(?:\*\/|-->)?$/u

/** ``` ```ts // `src/a.ts` ```: Markdown knows no such fence, models write it; what stands right below tells it from prose. */
function isPathAsCode(text: string, info: string, end: number): boolean {
  if (!pathAsCode.test(info)) return false
  const below = nextFilledLine(text, end + 1)
  return below !== undefined && (isMarker(text, below, 'START') || isDeleteDirective(text, below.start, below.end))
}

function endOfRun(text: string, at: number): number {
  const code = text.charCodeAt(at)
  let after = at
  while (text.charCodeAt(after) === code) after++
  return after
}

function isBlankText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isBlank(text.charCodeAt(at))) return false
  return true
}

function isListMarker(prefix: string): boolean {
  const parts = prefix.trim().split(/[ \t]+/)
  return /[ \t]$/.test(prefix) && parts.every(part => /^(?:[-*+]|\d{1,9}[.)])$/.test(part))
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** ` * ```ts` in a comment of a program is no list: the line below begins with the same sign. */
function isDocComment(text: string, start: number, end: number): boolean {
  return firstSign(text, start) === 42 && firstSign(text, end + 1) === 42
}

function firstSign(text: string, start: number): number {
  let at = start
  while (at < start + deepest && isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at)
}

/** Code that goes on right behind the signs, as in a text that a program holds: no language begins like this. */
function isTail(text: string, after: number, info: string): boolean {
  const code = text.charCodeAt(after)
  if (isBlank(code) || isLetter(code)) return false
  return /^(?:["'`)\]},;\\|*]|<\/)/.test(info) && !/^[;'"] ?[\w./]/.test(info)
}
