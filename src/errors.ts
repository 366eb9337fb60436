/** Why relay could not go on; each kind has one exit code. */
export type ErrorKind =
  /** Something unexpected. */
  | 'failed'
  /** Wrong command line, or a configuration that cannot be used. */
  | 'usage'
  /** A no, or a question that nobody could answer. */
  | 'declined'
  /** Files that the user changed are in the way. */
  | 'conflict'
  /** An unfinished transaction, or a rollback that could not be completed. */
  | 'unfinished'
  /** The machine lacks something: no clipboard, no permission, the lock is busy. */
  | 'environment'

/** A failure that we foresaw: it says what happened, and what to do next. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly kind: ErrorKind
  /** One command to run, or one thing to change. */
  readonly hint: string | undefined

  constructor(kind: ErrorKind, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.hint = options.hint
  }
}
