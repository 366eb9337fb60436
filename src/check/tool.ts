import type { LintError } from '../model/check.ts'
import type { Place } from './read-place.ts'

/** One tool whose output relay understands: a linter, a compiler, a type checker, a test runner. */
export interface Tool {
  /** Starts reading one output. What it answers may remember earlier lines of that output. */
  start(): Reader
  /** How it says itself how many errors there are, on a line that its reader does not know: the first group is the number. */
  readonly sum?: RegExp
  /**
   * Its own sum is right also when it is smaller than the number of errors that were read: tests print what they like,
   * also lines that look like failures. For a linter the lines are right: nothing else prints such, so another run of it
   * gave no sum. (A larger sum is always right, and the list is dropped.)
   */
  readonly trustsSum?: true
  /** It tells failures one by one and sums them up at its end, always: where the sum is missing, it broke off. */
  readonly alwaysSums?: true
  /** The same error at the same place counts once: the tool visits a file more than once. */
  readonly repeats?: true
  /** Its lines do not say that they are errors; only a failed exit tells. */
  readonly needsFailure?: true
  /** Another tool's errors in other words: counts only when no other tool reported any. */
  readonly echoes?: true
  /** Whether its warnings are the reason for this exit code, or for what more it says than that there are errors. */
  explains?(code: number, warnings: readonly string[], errors: number): boolean
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
