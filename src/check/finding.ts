import { type At, lintError } from './lint-error.ts'
import type { Finding, Line, Reader } from './tool.ts'

/** A line that is the tool's, but tells nothing that counts. */
export const nothing: Finding = {}

/** One error. */
export function errorAt(at: At, code: string, message: string, why = ''): Finding {
  return { errors: [{ ...lintError(at, code, message), ...(why === '' ? {} : { why }) }] }
}

/** One error, or one warning, of which the code is enough. */
export function finding(isError: boolean, at: At, code: string, message: string): Finding {
  return isError ? errorAt(at, code, message) : { warnings: [code] }
}

/** The number of errors that a pattern's first group caught. */
export function summary(found: RegExpExecArray | null | undefined): Finding | undefined {
  return found == null ? undefined : { summary: Number(found[1]) }
}

/** Reads problems, and a sum that other tools print, too: it may count only behind errors that have none yet. */
export function readerWithSum(
  readProblem: Reader,
  readSum: (line: Line, behindErrors: boolean) => Finding | undefined,
): Reader {
  let behindErrors = false
  return line => {
    const problem = readProblem(line)
    if (problem?.errors !== undefined) behindErrors = true
    if (problem !== undefined) return problem
    const sum = readSum(line, behindErrors)
    if (sum !== undefined) behindErrors = false
    return sum
  }
}
