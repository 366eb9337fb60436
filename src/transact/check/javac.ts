import { finding, readerWithSum, summary } from './finding.ts'
import type { Finding, Line, Tool } from './tool.ts'

/** javac. It shows a hundred errors at most, but says how many there are. */
export const javac: Tool = {
  start: () => readerWithSum(readProblem, (line, behindErrors) => (behindErrors ? readSummary(line) : undefined)),
}

/** `A.java:3: error: cannot find symbol`, and a few lines below it `  symbol:   variable x`: without it all these look the same. */
function readProblem({ place, after }: Line): Finding | undefined {
  if (place?.mark !== ':' || !place.file.endsWith('.java')) return undefined
  const found = /^(error|warning): (?:\[([\w-]{1,60})\] )?(.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, severity, code = '', message = ''] = found
  return finding(severity === 'error', place, code, [message, ...symbolBelow(after)].join(' '))
}

function symbolBelow(after: Line['after']): readonly string[] {
  for (let next = 1; next <= 4; next += 1) {
    const found = /^ {2}symbol: {1,9}(\S.*)$/.exec(after(next))
    if (found !== null) return [found[1] ?? '']
    if (!/^[ \t]/.test(after(next)) && next > 1) break
  }
  return []
}

function readSummary({ text, after }: Line): Finding | undefined {
  const found = /^(\d+) errors?$/.exec(text)
  const more = [1, 2].map(next => /^only showing the first \d+ errors, of (\d+) total;/.exec(after(next)))
  return found === null ? undefined : summary(more.find(total => total !== null) ?? found)
}
