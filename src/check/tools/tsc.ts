import { errorAt, readerWithSum, summary } from '../finding.ts'
import { type At, placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * TypeScript's compiler, plain and `--pretty`, and what prints like it: `tsc -b`, `vue-tsc`, `bun tsc`, `deno check`.
 *
 * The further lines of a message (why a type does not fit) are not part of it: the first one names both types.
 */
export const tsc: Tool = {
  start: () => readerWithSum(line => readError(line) ?? readDeno(line), readSummary),
}

function readError({ text, place }: Line): Finding | undefined {
  if (text.startsWith('tsc: The TypeScript Compiler - '))
    return { incomplete: 'tsc only printed its help: no tsconfig.json' }
  if (!text.includes('error TS')) return undefined
  if (place?.mark === '-' && /^error TS\d+: /.test(place.rest)) return errorOf(place, place.rest)
  const plain = /^(.+?)\((\d+),(\d+)\): (?=error TS)/.exec(text)
  if (plain !== null) return errorOf(placeIn(plain), text.slice(plain[0].length))
  // The configuration's own errors have no place.
  return text.startsWith('error TS') ? errorOf({ file: '' }, text) : undefined
}

/** `TS2322 [ERROR]: Type …`, in Deno 1 with `error: ` before the first one, and below its code `    at file:///app/a.ts:2:14`. */
function readDeno({ text, after }: Line): Finding | undefined {
  const found = /^(?:error: )?(TS\d{1,9}) \[ERROR\]: (.*)$/.exec(text)
  if (found === null) return undefined
  const [, code = '', message = ''] = found
  for (let next = 1; next <= 30 && after(next) !== ''; next += 1) {
    const at = /^ {4}at (\S.*):(\d{1,9}):(\d{1,9})$/.exec(after(next))
    if (at !== null) return errorAt(placeIn(at), code, message)
  }
  return errorAt({ file: '' }, code, message)
}

/** `error TS2322: Type …` */
function errorOf(at: At, said: string): Finding {
  const [code = '', ...message] = said.slice('error '.length).split(': ')
  return errorAt(at, code, message.join(': '))
}

/** The bare form is used by `tsc -b`, but by other tools too: it is tsc's only after errors of tsc's. */
function readSummary({ text }: Line, behindErrors: boolean): Finding | undefined {
  const found = /^Found (\d+) errors?(?: in (?!.* \((?:checked \d|errors prevented))|\.$)/.exec(text)
  return found?.[0].endsWith('.') && !behindErrors ? undefined : summary(found)
}
