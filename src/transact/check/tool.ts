import type { LintError } from '../../model.ts'
import type { Place } from './read-place.ts'

/** One tool whose output relay understands: a linter, a compiler, a type checker, a test runner. */
export interface Tool {
  /** Starts reading one output. What it answers may remember earlier lines of that output. */
  start(): Reader
  /**
   * Which count is right when the errors that were read are more than the tool's own summary says. (When they are
   * fewer, the summary is always right, and the list is dropped.)
   *
   * `lines`, for linters: nothing else prints such lines, so another run had no summary. `summary`, for test runners:
   * tests print what they like, also lines that look like failures.
   */
  readonly trusts: 'lines' | 'summary'
  /** The same error at the same place counts once: the tool visits a file more than once. */
  readonly repeats?: true
  /** Its lines do not say that they are errors; only a failed exit tells. */
  readonly needsFailure?: true
  /** Another tool's errors in other words: counts only when no other tool reported any. */
  readonly echoes?: true
  /** Whether its warnings alone are the reason for this exit code. */
  explains?(code: number, warnings: readonly string[]): boolean
}

/** Reads one line, with a look at those that follow; `undefined`: it is not this tool's. */
export type Reader = (line: Line) => Finding | undefined

/** One line of an output, without colours. */
export interface Line {
  readonly text: string
  /** Where it points, when it starts with `file:line:` or the like. */
  readonly place: Place | undefined
  /** A line after this one, 1 being the next and -1 the one before; empty beyond the ends. */
  after(count: number): string
}

/** What a line tells. */
export interface Finding {
  readonly errors?: readonly LintError[]
  /** Codes of the warnings; they never count as errors. */
  readonly warnings?: readonly string[]
  /** What the tool says itself about the number of errors; several such parts add up. */
  readonly summary?: number
  /** How many of the following lines belong to this one and are not read again. */
  readonly also?: number
  /** Why no exact count can be had from this output. */
  readonly incomplete?: string
}
