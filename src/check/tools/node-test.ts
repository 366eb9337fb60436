import { errorAt, firstLines, nothing, numberIn } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** Node's test runner in its `spec` format, from the list of failures at the end: above it each stands once more. */
export const nodeTest: Tool = {
  trustsSum: true,
  start: () => readFailure,
  /** Tests that were cancelled are listed as failures, but have a sum of their own. */
  sum: /^ℹ (?:fail|cancelled) (\d+)$/,
  ran: ({ text }) => numberIn(/^ℹ (?:pass|fail|cancelled) (\d{1,9})$/.exec(text)),
}

/** `test at a.test.mjs:4:3`, and below it `✖ adds (1.2ms)` */
function readFailure({ text, after }: Line): Finding | undefined {
  const at = /^test at (.+?):(\d{1,9}):(\d{1,9})$/.exec(text)
  const test = after(1)
  if (at === null || !test.startsWith('✖ ')) return undefined
  if (/ # (?:TODO|SKIP)/.test(test)) return nothing
  return errorAt(placeIn(at), '', test.slice(2).replace(/ \(\d[\d.]{0,20}ms\)$/, ''), reasonBelow(after))
}

/** The first lines of the assertion, up to where it was thrown. */
function reasonBelow(after: Line['after']): string {
  const lines: string[] = []
  for (let next = 2; next <= 12 && /^ {2}(?! +at )|^$/.test(after(next)); next += 1) lines.push(after(next))
  return firstLines(lines)
}
