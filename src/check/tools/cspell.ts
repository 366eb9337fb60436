import { errorAt } from '../finding.ts'
import type { Tool } from '../tool.ts'

/** CSpell: `a.md:3:1 - Unknown word (wrrong) fix: (wrong)`. */
export const cspell: Tool = {
  sum: /^CSpell: Files checked: \d+, Issues found: (\d+) in \d+ files?/,
  start:
    () =>
    ({ place }) => {
      if (place?.mark !== '-') return undefined
      const issue = /^((?:Unknown|Misspelled|Forbidden) word) \((.*?)\)(?: |$)/.exec(place.rest)
      return issue === null ? undefined : errorAt(place, issue[1] ?? '', issue[2] ?? '')
    },
}
