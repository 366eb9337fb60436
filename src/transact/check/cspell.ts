import { errorAt, summary } from './finding.ts'
import type { Tool } from './tool.ts'

/** CSpell: `a.md:3:1 - Unknown word (wrrong) fix: (wrong)`. */
export const cspell: Tool = {
  start:
    () =>
    ({ text, place }) => {
      const issue =
        place?.mark === '-' ? /^((?:Unknown|Misspelled|Forbidden) word) \((.*?)\)(?: |$)/.exec(place.rest) : null
      if (place !== undefined && issue !== null) return errorAt(place, issue[1] ?? '', issue[2] ?? '')
      return summary(/^CSpell: Files checked: \d+, Issues found: (\d+) in \d+ files?/.exec(text))
    },
}
