import { errorAt, sumOf } from '../finding.ts'
import type { Finding, Tool } from '../tool.ts'

/**
 * pytest: each failed test, and each test or file that could not be run, is an error.
 *
 * Its message is the test's name alone, and what follows is why it failed.
 */
export const pytest: Tool = {
  trustsSum: true,
  start: () => line => readTest(line.text) ?? readSummary(line.text),
  ran: ({ text }) => {
    if (/^(?:=+ )?no tests ran in \d/.test(text)) return 0
    const counts = countsIn(text)
    return counts === undefined ? undefined : sumOf(/^x?(?:passed|failed)$/, counts)
  },
}

/** `FAILED tests/test_a.py::TestC::test_raises - ValueError: no` */
function readTest(text: string): Finding | undefined {
  // What follows looks like an error in a file of Python's, but nothing was tested.
  if (text.startsWith('ERROR: usage: ')) return { incomplete: 'pytest did not run: it does not know an option' }
  const found = /^(FAILED|ERROR) (?=\S)/.exec(text)
  if (found === null) return undefined
  const [head, code = ''] = found
  const id = testId(text.slice(head.length))
  const [file = '', ...names] = id.split('::')
  if (names.length === 0 && !/\.py$/.test(file)) return undefined
  return errorAt({ file }, code, names.join('::'), text.slice(head.length + id.length + 3).trim())
}

/** The reason stands behind ` - `, which may also be part of a test's parameters in square brackets. */
function testId(text: string): string {
  const dash = text.indexOf(' - ')
  if (dash === -1) return text
  const open = text.indexOf('[')
  const close = text.indexOf('] - ')
  if (open === -1 || open > dash) return text.slice(0, dash)
  return close === -1 ? (text.endsWith(']') ? text : text.slice(0, dash)) : text.slice(0, close + 1)
}

function readSummary(text: string): Finding | undefined {
  const counts = countsIn(text)
  return counts === undefined ? undefined : { summary: sumOf(/^(?:failed|errors?)$/, counts) }
}

/** `==== 3 failed, 3 passed, 1 error in 0.02s ====`, with `-q` without its frame. */
function countsIn(text: string): string | undefined {
  const counts = /^(?:=+ )?(\d+ [a-z]+(?:, \d+ [a-z]+){0,9}) in [\d.]+s\b/.exec(text)?.[1]
  return counts?.split(', ').every(part => words.has(part.split(' ')[1] ?? '')) ? counts : undefined
}

const words = new Set(
  'passed failed error errors skipped deselected xfailed xpassed warning warnings rerun reruns subtests'.split(' '),
)
