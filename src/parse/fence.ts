import { commentAt } from './comment.ts'
import { isBlank, lineEnd, lineStart, seeker, trimmed } from './lines.ts'
import { startMarker } from './marker.ts'

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

  return from => {
    for (let at = Math.min(backticks(from), tildes(from)); at < text.length; ) {
      const after = endOfRun(text, at)
      const fence = fenceAt(text, at, after)
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

function fenceAt(text: string, at: number, after: number): Fence | undefined {
  const sign = text[at] === '`' ? '`' : '~'
  const start = lineStart(text, at, deepest)
  const prefix = start === undefined ? undefined : text.slice(start, at)
  const end = lineEnd(text, after)
  const info = trimmed(text, after, end)
  const fence = { at, end, sign, length: after - at, info } as const

  if (start !== undefined && prefix !== undefined && isBlankText(prefix)) {
    if (info === '') return { ...fence, start, kind: 'bare' }
    if (isTail(text, after, info)) return { ...fence, start, kind: 'tail' }
    return sign === '`' && info.includes('`') ? undefined : { ...fence, start, kind: 'open' }
  }
  if (start !== undefined && prefix !== undefined && isListMarker(prefix)) {
    return info.includes('`') ? undefined : { ...fence, start, kind: 'open' }
  }
  return insideLine(text, fence)
}

/** A fence behind text on its line: glued to the last line of a block, or opening one behind a list's words. */
function insideLine(text: string, fence: Omit<Fence, 'start' | 'kind'>): Fence | undefined {
  if (fence.sign === '~') return undefined
  const start = lineStart(text, fence.at, longestGluedLine)
  if (start === undefined || text.slice(start, fence.at).includes('```')) return undefined
  if (fence.info === '') return { ...fence, start, kind: 'glued' }
  if (fence.info.includes('`') || commentAt(fence.info) < 0) return undefined
  return startMarker(text, fence.end + 1) === undefined ? undefined : { ...fence, start, kind: 'open' }
}

function endOfRun(text: string, at: number): number {
  const code = text.charCodeAt(at)
  let after = at
  while (text.charCodeAt(after) === code) after++
  return after
}

function isBlankText(words: string): boolean {
  for (let at = 0; at < words.length; at++) if (!isBlank(words.charCodeAt(at))) return false
  return true
}

function isListMarker(prefix: string): boolean {
  const parts = prefix.trim().split(/[ \t]+/)
  return /[ \t]$/.test(prefix) && parts.every(part => /^(?:[-*+]|\d{1,9}[.)])$/.test(part))
}

/** Code that goes on right behind the signs, as in a text that a program holds: no language begins like this. */
function isTail(text: string, after: number, info: string): boolean {
  if (isBlank(text.charCodeAt(after))) return false
  return /^(?:["'`)\]},;\\|*]|<\/)/.test(info) && !/^[;'"] ?[\w./]/.test(info)
}
