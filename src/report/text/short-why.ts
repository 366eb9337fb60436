import { visibleOutputLine } from './visible.ts'

/** A reason on one line: a heading goes with the first point below it. */
export function shortWhy(why: string): string {
  const [first = '', next = ''] = why.split('\n')
  return visibleOutputLine(first.endsWith(':') ? `${first} ${next.replace(/^- /, '')}` : first)
}
