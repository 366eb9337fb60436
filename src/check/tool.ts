import type { LintError } from '../model/check.ts'
import type { Place } from './read-place.ts'

/** One tool whose output relay understands: a linter, a compiler, a type checker, a test runner. */
export interface Tool {
  /** Starts reading one output. The reader may remember earlier lines of that output. */
  start(): Reader
  /**
   * Matches the tool's own count of its errors, on a line that its reader does not know: the first group is the number.
   */
  readonly sum?: RegExp
  /**
   * The tool's sum is right even if it is smaller than the number of errors that were read: tests can print lines that
   * look like failures. For a linter the lines are right: nothing else prints such lines, so another run of it gave no
   * sum. (A larger sum is always right, and the list is dropped.)
   */
  readonly trustsSum?: true
  /** The tool always ends with a sum of its failures: without a sum it broke off. */
  readonly alwaysSums?: true
  /** The same error at the same place counts once: the tool visits a file more than once. */
  readonly repeats?: true
  /** Its lines do not say that they are errors; only a failed exit does. */
  readonly needsFailure?: true
  /** Another tool's errors in other words: counts only when no other tool reported any. */
  readonly echoes?: true
  /**
   * The number of tests that a line says were run, skipped ones aside; 0 also for the tool's own word that there were none.
   * All such lines of an output add up.
   */
  ran?(line: Line): number | undefined
  /** Its warnings explain this exit code, or the part of it that errors do not explain. */
  explains?(code: number, warnings: readonly string[], errors: number): boolean
}

/** Reads one line, with a look at those that follow; `undefined`: it is not this tool's. */
export type Reader = (line: Line) => Finding | undefined

/** One line of an output, without colours. */
export interface Line {
  readonly text: string
  /** The place, if the line starts with `file:line:` or the like. */
  readonly place: Place | undefined
  /** 1 is the next line and -1 the one before; empty beyond the ends. */
  after(count: number): string
}

export interface Finding {
  readonly errors?: readonly LintError[]
  /** Codes of the warnings; they never count as errors. */
  readonly warnings?: readonly string[]
  /** The tool's own count of errors; several counts add up. */
  readonly summary?: number
  /** The number of following lines that belong to this one and are not read again. */
  readonly also?: number
  /** Why this output allows no exact count. */
  readonly incomplete?: string
}
