import { errorAt } from '../finding.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Pylint. Only what it calls errors (E) and fatal (F) are errors.
 *
 * Its exit code says which kinds of message it gave, one bit each. An exit of just the bits of its warnings,
 * conventions and suggestions is no failure; beside errors it says nothing more than these.
 */
export const pylint: Tool = {
  start: () => line => readMessage(line),
  explains(code, warnings, errors) {
    const bits = warnings.reduce((bits, warning) => bits | (bit[warning[0] ?? ''] ?? 0), 0)
    return bits === (errors > 0 ? code & ~FATAL_OR_ERROR : code)
  },
}

const bit: Readonly<Record<string, number>> = { W: 4, R: 8, C: 16 }
const FATAL_OR_ERROR = 1 | 2

/** `b.py:6:15: E0602: Undefined variable 'x' (undefined-variable)`; parseable: `b.py:6: [E0602(undefined-variable), f] Undefined …` */
function readMessage({ place }: Line): Finding | undefined {
  if (place?.mark !== ':') return undefined
  const found =
    /^([EFWRCI]\d{4}): (.*)$/.exec(place.rest) ?? /^\[([EFWRCI]\d{4})\([^\]]{1,200}\] (.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, code = '', text = ''] = found
  if (!/^[EF]/.test(code)) return { warnings: [code] }
  const name = text.lastIndexOf(' (')
  return errorAt(place, code, name !== -1 && text.endsWith(')') ? text.slice(0, name) : text)
}
