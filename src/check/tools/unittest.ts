import { errorAt, firstLines, numberIn } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Python's `unittest`, also by way of Django's `manage.py test`, from the list at the end: each failed test or subtest,
 * each test, class or file that could not be run, and each success that was not expected is an error.
 */
export const unittest: Tool = {
  trustsSum: true,
  alwaysSums: true,
  start: () => line => readFailure(line) ?? readSummary(line),
  // Skipped ones are among them or not, which depends on the version of Python.
  ran: ({ text }) => numberIn(/^Ran (\d{1,9}) tests? in \d/.exec(text)),
}

/** `FAIL: test_adds (test_a.Sums.test_adds) (i=2)`, below a line of `=`. Unexpected successes stand below one together. */
function readFailure({ text, after }: Line): Finding | undefined {
  const found = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (?=\S)/.exec(text)
  if (found === null) return undefined
  const [head, code = ''] = found
  if (!/^={70}$|^UNEXPECTED SUCCESS: /.test(after(-1))) return undefined
  const why = code === 'UNEXPECTED SUCCESS' ? '' : reasonBelow(after)
  return errorAt({ file: '' }, code, text.slice(head.length), why)
}

/** Below a line of `-`, behind the last stack; what the test printed comes after it. */
function reasonBelow(after: Line['after']): string {
  let next = 1
  while (next <= 20 && !ruler.test(after(next))) next += 1
  const lines: string[] = []
  let isStack = false
  for (next += 1; next <= 300 && !ruler.test(after(next)) && !/^Std(?:out|err):$/.test(after(next)); next += 1) {
    const line = after(next)
    if (line.startsWith('Traceback (')) lines.length = 0
    isStack = line.startsWith('Traceback (') || (isStack && /^ {2}/.test(line))
    if (!isStack) lines.push(line)
  }
  return firstLines(lines)
}

const ruler = /^[-=]{70}$/

/** `Ran 12 tests in 0.001s`, and below it `OK`, or `FAILED (failures=4, errors=1, skipped=1, unexpected successes=2)`. */
function readSummary({ text, after }: Line): Finding | undefined {
  if (!/^Ran \d{1,9} tests? in \d/.test(text)) return undefined
  const sum = /^(?:OK|FAILED)\b(.*)$/.exec(after(2))?.[1]
  if (sum === undefined) return undefined
  const numbers = sum.matchAll(/[(,] ?(?:failures|errors|unexpected successes)=(\d{1,9})/g)
  return { summary: [...numbers].reduce((sum, [, number]) => sum + Number(number), 0) }
}
