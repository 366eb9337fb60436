import { afterLine, type Line, nextFilledLine, type Span } from '../lines/lines.ts'
import { isMarker } from '../lines/marker.ts'
import { pathAmongWords, pathFromComment, pathFromHeading, withoutRemark } from '../lines/path.ts'

/** Lines between the opening line and START, and where the text below START begins. */
export interface AboveStart {
  /** They are no marker and do not name the path: perhaps the first lines of the file, each with the blank ones below. */
  readonly lines: readonly Span[]
  readonly below: number
}

/** So far down a START is looked for. */
const mostLines = 5

/**
 * Finds what stands above a block's START, `#!/bin/sh` or `"use client"`; `undefined` where nothing does.
 *
 * Models put there what has to be the first line of the file, and it must not go lost; but it may be a mere remark.
 */
export function aboveStart(text: string, body: Span, path: string): AboveStart | undefined {
  const lines: Span[] = []
  let line = nextFilledLine(text, body.from, body.to)
  for (let seen = 0; line !== undefined && seen <= mostLines; seen++) {
    if (isMarker(text, line, 'START', lines.length === 0)) {
      return lines.length === 0 ? undefined : { lines, below: afterLine(text, line.end) }
    }
    const next: Line | undefined = nextFilledLine(text, line.end + 1, body.to)
    const said = text.slice(line.start, Math.min(line.end, line.start + 4096))
    if (!namesPath(said, path) && next !== undefined) lines.push({ from: line.start, to: next.start })
    line = next
  }
  return undefined
}

/** Tells whether a line is the path, or a comment with it or with the end of it, a remark aside. */
function namesPath(said: string, path: string): boolean {
  const words = said.trim()
  const comment = words.startsWith('#!') ? undefined : pathFromComment(words)
  if (comment === undefined) return pathFromHeading(words) === path
  return path.endsWith(`/${comment}`) || withoutRemark(comment).includes(path) || pathAmongWords(comment) === path
}
