import { type At, lintError } from './lint-error.ts'
import type { Finding, Line, Reader } from './tool.ts'

/** A line of the tool's that counts for nothing. */
export const nothing: Finding = {}

export function errorAt(at: At, code: string, message: string, why = ''): Finding {
  return { errors: [{ ...lintError(at, code, message), ...(why === '' ? {} : { why }) }] }
}

/** The first lines of why a test failed. Those of a small object that differs from another reach its difference. */
export function firstLines(lines: readonly string[]): string {
  const said = lines.map(line => line.trim()).filter(line => line !== '')
  return said.slice(0, MOST_LINES).join('\n')
}

const MOST_LINES = 10

/** An error, or a warning, of which only the code is kept. */
export function finding(isError: boolean, at: At, code: string, message: string): Finding {
  return isError ? errorAt(at, code, message) : { warnings: [code] }
}

/** The first group of the pattern is the number of errors. */
export function summary(found: RegExpExecArray | null | undefined): Finding | undefined {
  return found == null ? undefined : { summary: Number(found[1]) }
}

/** The number in the pattern's first group. */
export function numberIn(found: RegExpExecArray | null): number | undefined {
  return found === null ? undefined : Number(found[1])
}

/** `1 failed, 5 passed, 2 skipped`: the sum of the numbers before these words. */
export function sumOf(words: RegExp, text: string): number {
  return [...text.matchAll(/\b(\d{1,9}) ([a-z]+)/g)]
    .filter(([, , word = '']) => words.test(word))
    .reduce((sum, [, number]) => sum + Number(number), 0)
}

/** For a sum that other tools print too: it counts only after errors that have no sum yet. */
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
