import { errorAt, firstLines } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Mocha and Playwright, which list the failed tests below their number: `  2 failing`, `  2 failed`. Above it the same
 * tests stand once more, in the report's own form.
 */
export const listedTests: Tool = {
  trustsSum: true,
  ran: ({ text }) => {
    const [, number, word] = /^ {2}(\d{1,9}) (passing|failing|passed|failed|flaky|skipped)\b/.exec(text) ?? []
    if (number !== undefined) return word === 'skipped' ? 0 : Number(number)
    return /^Error: No test(?:s found$| files found: )/.test(text) ? 0 : undefined
  },
  start() {
    let left = 0
    return line => {
      const number = readNumber(line)
      if (number !== undefined) {
        left = number
        return { summary: number }
      }
      const test = left > 0 ? (readPlaywright(line.text) ?? readMocha(line)) : undefined
      if (test !== undefined) left -= 1
      return test
    }
  },
}

/** What a test prints may look like it, but has no list below. */
function readNumber({ text, after }: Line): number | undefined {
  const sum = /^ {2}(\d{1,9}) (failing|failed)$/.exec(text)
  if (sum === null) return undefined
  const isListed = sum[2] === 'failed' ? readPlaywright(after(1)) !== undefined : /^ {2}1\) /.test(after(2))
  return isListed ? Number(sum[1]) : undefined
}

/** `    [chromium] › a.spec.js:3:1 › sums › adds ─────` */
function readPlaywright(text: string): Finding | undefined {
  const found = /^ {4}(?:(\[[^\]]{1,100}\]) › )?(\S.{0,400}?):(\d{1,9}):(\d{1,9}) › (.*?)(?: ─*)?$/.exec(text)
  if (found === null) return undefined
  const [, project = '', file = '', line, column, title = ''] = found
  return errorAt({ file, line: Number(line), column: Number(column) }, project, title)
}

/** `  1) sums`, and below it, deeper, `       adds:`; a test outside of any group is `  1) adds:`. */
function readMocha({ text, after }: Line): Finding | undefined {
  const found = /^ {2}\d{1,9}\) (\S.*)$/.exec(text)
  if (found === null) return undefined
  const names = [found[1] ?? '']
  while (names.length <= 20 && /^ {7}/.test(after(names.length))) names.push(after(names.length).trim())
  const title = names.join(' › ').replace(/:$/, '')
  return { ...errorAt({ file: '' }, 'FAIL', title, reasonBelow(after, names.length)), also: names.length - 1 }
}

/** Up to the stack. The text of an assertion is not indented. */
function reasonBelow(after: Line['after'], from: number): string {
  const lines: string[] = []
  for (let next = from; next < from + 20 && !/^ {6}at | {2}\d+\) \S/.test(after(next)); next += 1)
    lines.push(after(next))
  return firstLines(lines)
}
