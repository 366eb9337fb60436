import type { Attempt, LintError, Response } from '../../model.ts'
import type { Back, Work } from '../work.ts'
import type { Journal } from './journal.ts'
import { type LastDeclined, readLastDeclined } from './last-declined.ts'
import { isSameWork, noteAttempt } from './note-attempt.ts'

type Did = Pick<Attempt, 'operations' | 'flags'>

/** What a response came to, for another try; it is a convenience, and no reason to fail. */
export async function turnOf(end: Back, did: Did, work: Work): Promise<LastDeclined | undefined> {
  const { job, journal, layout, files, system } = work
  const { uuid, response } = job
  if (response === undefined) return undefined
  const at = system.clock.now().toISOString()
  try {
    const last = await readLastDeclined(layout, files)
    const errors = end.checks?.comparison?.newErrors ?? []
    const attempt = await noteAttempt(end, did, lastTry(last, response, did, errors, journal), work)
    return { uuid, at, response, attempt }
  } catch {
    return { uuid, at, response, attempt: undefined }
  }
}

/** The try before this one; the same response once more is no new try. */
function lastTry(
  last: LastDeclined | undefined,
  { text }: Response,
  { operations }: Did,
  errors: readonly LintError[],
  journal: Journal,
): Attempt | undefined {
  const { attempt } = last ?? {}
  const paths = [...operations.map(({ path }) => path), ...errors.map(({ file }) => file)]
  if (attempt === undefined || !isSameWork(attempt, paths, journal.lastCommitted()?.number)) return undefined
  if (last?.response.text !== text) return attempt
  return { ...attempt, attempt: attempt.attempt - 1, errorSets: attempt.errorSets.slice(0, -1) }
}
