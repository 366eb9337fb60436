import { errorAt, nothing } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** RuboCop: every offense is an error, whatever its letter, but none that it has corrected; that is how it sets its exit code. */
export const rubocop: Tool = {
  start: () => line => readOffense(line) ?? readSummary(line.text),
}

/** `a.rb:5:8: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings …` */
function readOffense({ place }: Line): Finding | undefined {
  if (place?.mark !== ':') return undefined
  const found = /^[IRCWEF]: (?:\[(Corrected|Correctable|Todo)\] )?([A-Z]\w{0,60}(?:\/[A-Z]\w{0,60})+): (.*)$/.exec(
    place.rest,
  )
  if (found === null) return undefined
  const [, mark, code = '', message = ''] = found
  return mark === 'Corrected' ? nothing : errorAt(place, code, message)
}

function readSummary(text: string): Finding | undefined {
  const found = /^\d+ files? inspected, (no|\d+) offenses? detected(?:, (\d+) offenses? corrected)?/.exec(text)
  return found === null ? undefined : { summary: found[1] === 'no' ? 0 : Number(found[1]) - Number(found[2] ?? 0) }
}
