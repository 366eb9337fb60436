import { finding, nothing, readerWithSum, summary } from '../finding.ts'
import { readPlace } from '../read-place.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * javac. It shows a hundred errors at most, but says how many there are. Below `What went wrong` Gradle prints all of it
 * again, indented.
 */
export const javac: Tool = {
  start() {
    const read = readerWithSum(readProblem, (line, behindErrors) => (behindErrors ? readSummary(line) : undefined))
    const known = new Set<string>()
    return line => {
      const isIndented = /^ {2}\S/.test(line.text)
      if (isIndented && known.has(line.text.slice(2))) return nothing
      const found = read(isIndented ? outdented(line) : line)
      if (found !== undefined && !isIndented) known.add(line.text)
      return found
    }
  },
}

function outdented({ text, after }: Line): Line {
  const inner = text.slice(2)
  return { text: inner, place: readPlace(inner), after: count => after(count).replace(/^ {2}/, '') }
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
