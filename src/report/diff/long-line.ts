import { count, grouped } from '../text/count.ts'
import type { CodeLine, Span } from './changed-words.ts'

/** Past so many signs a line is not shown whole above a question. */
export const LONG = 2000

/** So much of what is the same is shown on either side of what changed. */
const AROUND = 60

type Print = (part: string) => string

/**
 * A long line as far as it changed: long parts that are the same on both sides are only counted. Without `spans` it
 * stands alone, and all of it changed. Where even the changes are too much, the last words say how much is left out.
 */
export function excerptOf(text: string, spans: readonly Span[] | undefined, print: Print, mark: string): CodeLine {
  const wanted = spans ?? [[0, text.length] as const]
  const changed: Span[] = []
  let shown = ''
  let at = 0
  let room = LONG
  for (const [from, to] of wanted) {
    shown += sameIn(text, at, from, print, mark)
    at = wholeSign(text, Math.min(to, from + room))
    room -= at - from
    const printed = print(text.slice(from, at))
    if (spans !== undefined) changed.push([shown.length, shown.length + printed.length])
    shown += printed
    if (at < to) break
  }
  const unseen = wanted.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, at)), 0)
  shown +=
    unseen > 0 ? `${mark} ${count(text.length - at, 'more character')}` : sameIn(text, at, text.length, print, mark)
  return { text: shown, changed, unseen }
}

/** A part that is the same on both sides: its ends, and how much lies between them. */
function sameIn(text: string, from: number, to: number, print: Print, mark: string): string {
  const [left, right] = [wholeSign(text, from + AROUND), wholeSign(text, to - AROUND)]
  if (right - left <= AROUND) return print(text.slice(from, to))
  return `${print(text.slice(from, left))}${mark} ${grouped(right - left)} the same ${mark}${print(text.slice(right, to))}`
}

/** Not in the middle of a sign of two halves. */
export function wholeSign(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}
