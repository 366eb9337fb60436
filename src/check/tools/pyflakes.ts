import { errorAt } from '../finding.ts'
import type { Tool } from '../tool.ts'

/**
 * Pyflakes alone. Its lines do not say that they are errors, so they count only when the command failed, and those that
 * do are another tool's.
 */
export const pyflakes: Tool = {
  needsFailure: true,
  start:
    () =>
    ({ place }) => {
      if (place?.mark !== ':' || place.column === undefined || !/\.pyw?$/.test(place.file)) return undefined
      if (place.rest === '' || /^(?:error|warning|note|info|information|help)\b/i.test(place.rest)) return undefined
      return errorAt(place, '', place.rest)
    },
}
