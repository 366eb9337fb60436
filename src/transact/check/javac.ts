import { finding, readerWithSum, summary } from './finding.ts'
import type { Finding, Line, Tool } from './tool.ts'

/** javac. It shows a hundred errors at most, but says how many there are. */
export const javac: Tool = {
  start: () => readerWithSum(readProblem, (line, behindErrors) => (behindErrors ? readSummary(line) : undefined)),
}

/** `A.java:3: error: cannot find symbol` */
function readProblem({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !place.file.endsWith('.java')) return undefined
  const found = /^(error|warning): (?:\[([\w-]{1,60})\] )?(.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, severity, code = '', message = ''] = found
  return finding(severity === 'error', place, code, message)
}

function readSummary({ text, after }: Line): Finding | undefined {
  const found = /^(\d+) errors?$/.exec(text)
  const more = [1, 2].map(next => /^only showing the first \d+ errors, of (\d+) total;/.exec(after(next)))
  return found === null ? undefined : summary(more.find(total => total !== null) ?? found)
}
