import { errorAt } from '../finding.ts'
import { readPlace } from '../read-place.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Luacheck, in its usual format and as `--formatter plain`: what it calls warnings are errors as well; that is how it
 * sets its exit code, and the lines do not tell them apart.
 */
export const luacheck: Tool = {
  needsFailure: true,
  start: () => line => readProblem(line) ?? readSummary(line.text),
}

/** `    a.lua:1:7: unused variable 'x'`; with `--codes` it is `(W211) unused …`. */
function readProblem({ text }: Line): Finding | undefined {
  const place = text.includes('.lua:') ? readPlace(text.replace(/^ {4}(?=\S)/, '')) : undefined
  if (place?.mark !== ':' || place.column === undefined || !place.file.endsWith('.lua')) return undefined
  const [, code = '', message = ''] = /^(?:\(([EW]\d{3})\) )?(.*)$/.exec(place.rest) ?? []
  return errorAt(place, code, message)
}

function readSummary(text: string): Finding | undefined {
  const found = /^Total: (\d+) warnings? \/ (\d+) errors? in \d+ files?(, couldn't check \d+ files?)?$/.exec(text)
  if (found === null) return undefined
  if (found[3] !== undefined) return { incomplete: 'Luacheck could not read every file' }
  return { summary: Number(found[1]) + Number(found[2]) }
}
