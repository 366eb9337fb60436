import { lintError } from './lint-error.ts'
import type { Finding, Line, Tool } from './tool.ts'

/** javac. It shows a hundred errors at most, but says how many there are. */
export const javac: Tool = {
  name: 'javac',
  trusts: 'lines',
  start() {
    let unsummed = 0
    return line => {
      const error = readProblem(line)
      unsummed += error?.errors?.length ?? 0
      if (error !== undefined || unsummed === 0) return error
      const summary = readSummary(line)
      if (summary !== undefined) unsummed = 0
      return summary
    }
  },
}

/** `A.java:3: error: cannot find symbol` */
function readProblem({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !place.file.endsWith('.java')) return undefined
  const found = /^(error|warning): (?:\[([\w-]{1,60})\] )?(.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, severity, code = '', message = ''] = found
  return severity === 'error' ? { errors: [lintError(place, code, message)] } : { warnings: [code] }
}

function readSummary({ text, after }: Line): Finding | undefined {
  const found = /^(\d+) errors?$/.exec(text)
  if (found === null) return undefined
  const more = [1, 2].map(next => /^only showing the first \d+ errors, of (\d+) total;/.exec(after(next))?.[1])
  return { summary: Number(more.find(total => total !== undefined) ?? found[1]) }
}
