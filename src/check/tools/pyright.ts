import { finding } from '../finding.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** Pyright and basedpyright. */
export const pyright: Tool = {
  start: () => readProblem,
  sum: /^(\d+) errors?, \d+ warnings?, \d+ (?:informations?|infos?|notes?) ?$/,
}

/** `  /app/a.py:5:12 - error: Type "str" is not …`, more of it in deeper lines, and the rule at the end of all. */
function readProblem({ place, after }: Line): Finding | undefined {
  if (place?.mark !== '-') return undefined
  const found = /^(error|warning|information): (.*)$/.exec(place.rest)
  if (found === null) return undefined
  const own = splitRule(found[2] ?? '')
  const code = own.code === '' ? ruleBelow(after) : own.code
  return finding(found[1] === 'error', place, code, own.message)
}

function ruleBelow(after: Line['after']): string {
  let code = ''
  for (let next = 1; next <= 30 && /^\s{4}/.test(after(next)); next += 1) code = splitRule(after(next)).code
  return code
}

function splitRule(text: string) {
  return splitCode(text, '()', /^report\w{1,80}$/)
}
