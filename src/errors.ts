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
  /** The machine lacks something: no clipboard, no permission, or a busy lock. */
  | 'environment'
  /** An agent failed. */
  | 'agent'

/** A failure that we foresaw: it says what happened, and what to do next. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly kind: ErrorKind
  /** One command to run, or one thing to change. */
  readonly hint: string | undefined
  /** The user has already been told: the error only ends the command, with its exit code. */
  readonly isSaid: boolean

  constructor(
    kind: ErrorKind,
    message: string,
    options: { hint?: string | undefined; cause?: unknown; isSaid?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.hint = options.hint
    this.isSaid = options.isSaid === true
  }
}

/** The system's error code, such as `EACCES`, which a failed file operation has in its `cause`. */
export function causeCode(error: unknown): string | undefined {
  return (error as { readonly cause?: { readonly code?: string } } | undefined)?.cause?.code
}

/** Turns a thrown value into an error. When a module of relay could not be loaded, the error says so in plain words. */
export function asError(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (!('code' in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)))) return error
  const message = 'A part of relay is gone: it was updated or removed while it ran'
  return new RelayError('failed', message, { hint: 'Start it again.', cause: error })
}
