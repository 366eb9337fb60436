import { lintError } from './lint-error.ts'
import type { Finding, Line, Tool } from './tool.ts'

/**
 * TypeScript's compiler, plain and `--pretty`, and what prints like it: `tsc -b`, `vue-tsc`, `bun tsc`.
 *
 * The further lines of a message (why a type does not fit) are not part of it: the first one names both types.
 */
export const tsc: Tool = {
  name: 'tsc',
  trusts: 'lines',
  start() {
    let unsummed = 0
    return line => {
      const error = readError(line)
      if (error !== undefined) {
        unsummed += 1
        return { errors: [error] }
      }
      const summary = readSummary(line.text, unsummed > 0)
      if (summary !== undefined) unsummed = 0
      return summary
    }
  },
}

function readError({ text, place }: Line) {
  if (!text.includes('error TS')) return undefined
  if (place?.mark === '-') {
    const pretty = /^error (TS\d+): (.*)$/.exec(place.rest)
    if (pretty !== null) return lintError(place, pretty[1] ?? '', pretty[2] ?? '')
  }
  const plain = /^(.+?)\((\d+),(\d+)\): error (?=TS)/.exec(text)
  const [code = '', message = ''] = split(text.slice(plain === null ? 6 : plain[0].length))
  if (plain !== null) {
    return lintError({ file: plain[1] ?? '', line: Number(plain[2]), column: Number(plain[3]) }, code, message)
  }
  // The configuration's own errors have no place.
  return text.startsWith('error TS') ? lintError({ file: '' }, code, message) : undefined
}

/** `TS2322: Type …` in two. */
function split(text: string): readonly string[] {
  const colon = text.indexOf(': ')
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 2)]
}

/** The bare form is used by `tsc -b`, but by other tools too: it is tsc's only after errors of tsc's. */
function readSummary(text: string, after: boolean): Finding | undefined {
  const found = /^Found (\d+) errors?(\.| in )(.*)$/.exec(text)
  if (found === null) return undefined
  const [, count, how, rest = ''] = found
  if (how === '.') return after && rest === '' ? { summary: Number(count) } : undefined
  const mypy = / \((?:checked \d|errors prevented)/.test(rest)
  return mypy ? undefined : { summary: Number(count) }
}
