import { finding, summary } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** `astro check`. The further lines of a message are not part of it, as with TypeScript's. */
export const astroCheck: Tool = { start: () => line => readProblem(line) ?? readSummary(line) }

/** `src/pages/index.astro:3:7 - error ts(2322): Type 'number' is not assignable to type 'string'.` */
function readProblem({ place }: Line): Finding | undefined {
  const found = place?.mark === '-' ? /^(error|warning|\w{4,10}) (\w{1,20}\(\w{1,20}\)): (.*)$/.exec(place.rest) : null
  if (place === undefined || found === null) return undefined
  return finding(found[1] === 'error', place, found[2] ?? '', found[3] ?? '')
}

/** `Result (3 files): `, and below it `- 1 error`. */
function readSummary({ text, after }: Line): Finding | undefined {
  return /^Result \(\d{1,9} files?\): ?$/.test(text) ? summary(/^- (\d{1,9}) errors?$/.exec(after(1))) : undefined
}
