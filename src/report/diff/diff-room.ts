import type { Style } from '../text/style.ts'

/** One of more lines is for the pager. */
const MOST = 40

/** How many lines of a diff the screen has room for beside so many `others`; fewer than `least` say nothing. */
export function diffRoom({ rows }: Style, others: number, least: number): number {
  return Math.min(MOST, Math.max(least, rows - others))
}
