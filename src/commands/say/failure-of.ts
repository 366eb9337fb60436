import { RelayError } from '../../errors.ts'

/** What went wrong and what to do next, in words. What we did not foresee is a defect, and called that. */
export function failureOf(error: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (error instanceof RelayError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { message: `Unexpected: ${message}`, hint: 'This is a defect of relay. Please report it with what you did.' }
}
