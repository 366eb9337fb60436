import { RelayError } from '../../src/errors.ts'

/** The error as the user meets it. */
export async function failure(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof RelayError)) throw new Error(`no RelayError: ${String(error)}`)
  return { kind: error.kind, message: error.message, hint: error.hint }
}
