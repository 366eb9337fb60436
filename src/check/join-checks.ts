import type { Check, Ran } from '../model/check.ts'

/** One command of a linter, and what it found. */
export interface PartCheck {
  readonly command: string
  readonly check: Check
}

/**
 * The check of several commands as one: their errors are counted together, and the worst exit code counts. Each that failed
 * is a failed part, so that one with errors before does not hide another that fails now. If one cannot be counted, none can.
 */
export function joinChecks(parts: readonly PartCheck[]): Check {
  const [first, ...more] = parts
  if (first === undefined) return { kind: 'unchecked' }
  if (more.length === 0) return first.check
  const output = parts.map(({ check }) => ('output' in check ? check.output : '')).join('')
  const tests = ranIn(parts.map(({ check }) => ('tests' in check ? check.tests : undefined)))
  const why = parts.flatMap(({ command, check }) =>
    check.kind === 'uncounted' ? [{ command, why: check.why }] : [],
  )[0]
  if (why !== undefined) {
    // What did not run at all names its program itself.
    const isNamed = why.why.startsWith('exit 127: "')
    return { kind: 'uncounted', why: isNamed ? why.why : `${why.why} (${why.command})`, ...tests, output }
  }
  const counted = parts.flatMap(({ command, check }) => (check.kind === 'counted' ? [{ command, ...check }] : []))
  const isListed = counted.every(({ list }) => list !== undefined)
  return {
    kind: 'counted',
    errors: counted.reduce((sum, { errors }) => sum + errors, 0),
    list: isListed ? counted.flatMap(({ list }) => list ?? []) : undefined,
    code: Math.max(...counted.map(({ code }) => code)),
    failed: counted.flatMap(({ command, code, failed }) => (code === 0 ? [] : [{ name: command, code }, ...failed])),
    ...tests,
    output,
  }
}

/** One command that ran tests is enough. */
function ranIn(each: readonly (Ran | undefined)[]): { readonly tests?: Ran } {
  const tests = each.find(ran => ran === 'some') ?? each.find(ran => ran === 'none')
  return tests === undefined ? {} : { tests }
}
