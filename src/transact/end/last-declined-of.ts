import { join } from 'node:path'
import { remembered } from '../../ground/collections.ts'
import { insideOf } from '../../ground/paths.ts'
import type { Attempt, ErrorInPlace } from '../../model/back.ts'
import type { Checks, LintError } from '../../model/check.ts'
import { linterLine } from '../../model/linters-of.ts'
import type { Config } from '../../model/project.ts'
import type { Response } from '../../model/response.ts'
import { sha256 } from '../entry/hash.ts'
import type { Journal } from '../journal/journal.ts'
import { type LastDeclined, readLastDeclined } from '../journal/last-declined.ts'
import type { Layout } from '../layout/layout.ts'
import type { RollBack } from '../work/decision.ts'
import type { Running } from '../work/work.ts'

type Did = Pick<Attempt, 'operations' | 'flags'>

/**
 * The outcome of a response, for another try; a convenience that never fails. Call it before the files are restored:
 * the lines around an error come from the patched text.
 */
export async function lastDeclinedOf(end: RollBack, did: Did, work: Running): Promise<LastDeclined | undefined> {
  const { job, journal, layout, system } = work
  const { uuid, response } = job
  if (response === undefined) return undefined
  const at = system.clock.now().toISOString()
  try {
    const last = await readLastDeclined(layout)
    const errors = end.checks?.comparison?.newErrors ?? []
    const attempt = await attemptOf(end, did, lastTry(last, response, did, errors, journal), work)
    return { uuid, at, response, attempt }
  } catch {
    return { uuid, at, response, attempt: undefined }
  }
}

/** The previous try. The same response once more is no new try. */
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

/** Nobody corrects more errors than this at a time. */
const mostErrors = 40
const linesAround = 3
const longestLine = 300
const largestFile = 4_000_000
const longestOutput = 4000

/**
 * For a follow-up to the model.
 *
 * @param last the previous try, if it was rolled back and was at the same work
 */
async function attemptOf(
  end: RollBack,
  did: Did,
  last: Attempt | undefined,
  { job, layout, reached }: Running,
): Promise<Attempt> {
  const { reason, checks, leftOut = new Set() } = end
  const comparison = checks?.comparison
  const errors = comparison?.newErrors ?? []
  const failed = failureOf(end)
  // Errors that were only counted, and the reasons why a test failed, are somewhere in the linter's output.
  const isToldMore = errors.length < (comparison?.new ?? 0) || errors.some(({ line }) => line === undefined)
  const said = isToldMore && checks?.after.kind === 'counted'
  return {
    number: job.number,
    title: job.title,
    why: reason.kind,
    ...wordsOf(reason),
    operations: did.operations.map(({ op, path }) => ({ op, path })),
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut] }),
    ...(reached.written ? {} : { unwritten: true }),
    ...(reason.kind === 'conflict' ? { conflicts: reason.paths } : {}),
    flags: did.flags.filter(({ path }) => path === undefined || !leftOut.has(path)),
    newErrors: await inPlace(errors.slice(0, mostErrors), layout),
    newErrorCount: comparison?.new ?? 0,
    ...(failed === undefined ? {} : { failed: failed.what }),
    ...commandOf(end, failed, job.project.config),
    output: (failed?.output ?? (said ? checks.after.output : '')).slice(-longestOutput),
    attempt: (last?.attempt ?? 0) + 1,
    errorSets: [...(last?.errorSets ?? []), setOf(errors)].slice(-5),
  }
}

/** What the user says is wrong with it. */
function wordsOf(reason: RollBack['reason']): Pick<Attempt, 'reason'> {
  return reason.kind === 'declined' && reason.followUp ? { reason: reason.followUp } : {}
}

function commandOf({ checks }: RollBack, failed: Failed | undefined, config: Config): Pick<Attempt, 'command'> {
  const linter = linterLine(config)
  if (failed !== undefined) return { command: failed.by === 'linter' ? linter : config[failed.by] }
  return (checks?.comparison?.new ?? 0) > 0 ? { command: linter } : {}
}

interface Failed {
  readonly what: string
  readonly by: 'linter' | 'preCommand' | 'postCommand'
  readonly output: string
}

function failureOf({ reason, post, checks }: RollBack): Failed | undefined {
  if (reason.kind === 'command') return failedCommand(reason.step, reason.end)
  return post?.ok === false ? failedCommand('post', post) : failedCheck(checks)
}

function failedCommand(
  step: 'pre' | 'post',
  { why, output }: { readonly why: string; readonly output: string },
): Failed {
  return { what: `${step} command: ${why}`, by: `${step}Command`, output }
}

/** If the check before could not be counted either, it may be no fault of the patch: the model is told that. */
function failedCheck(checks: Checks | undefined): Failed | undefined {
  if (checks === undefined) return undefined
  const { before, after } = checks
  if (after.kind === 'uncounted') {
    const also = before.kind === 'uncounted' ? ' (nor could the errors before your change be counted)' : ''
    return { what: `linter: ${after.why}${also}`, by: 'linter', output: after.output }
  }
  if (after.kind === 'unchecked' || before.kind !== 'uncounted' || after.errors === 0) return undefined
  const errors = `${after.errors} error${after.errors === 1 ? '' : 's'}`
  return { what: `linter: ${errors}; the number before your change is not known`, by: 'linter', output: after.output }
}

/** The same work is tried again if nothing was kept since and the two tries share a file. */
function isSameWork(last: Attempt, paths: readonly string[], lastCommitted: number | undefined): boolean {
  if (lastCommitted !== undefined && lastCommitted > last.number) return false
  const known = new Set([...last.operations.map(({ path }) => path), ...last.newErrors.map(({ file }) => file)])
  return paths.some(path => known.has(path))
}

/** One hash for a set of errors, wherever they stand in their files; empty for no errors. */
function setOf(errors: readonly LintError[]): string {
  const lines = errors.map(({ file, code, message }) => JSON.stringify([file, code, message]))
  return lines.length === 0 ? '' : sha256(lines.sort().join('\n'))
}

async function inPlace(errors: readonly LintError[], layout: Layout): Promise<readonly ErrorInPlace[]> {
  const lines = remembered((file: string) => linesOf(file, layout).catch(() => undefined))
  const found: ErrorInPlace[] = []
  for (const error of errors) found.push({ ...error, ...around(error, await lines(error.file)) })
  return found
}

function around({ line }: LintError, lines: readonly string[] | undefined): Pick<ErrorInPlace, 'around'> {
  if (line === undefined || lines === undefined || line < 1 || line > lines.length) return {}
  const first = Math.max(1, line - linesAround)
  const shown = lines.slice(first - 1, line + linesAround)
  return { around: { first, lines: shown.map(text => text.slice(0, longestLine)) } }
}

/** A linter may name any file: relay reads only those in the project. */
async function linesOf(file: string, { root, files }: Layout): Promise<readonly string[] | undefined> {
  const real = await files.realPath(join(root, file))
  if (real === null || insideOf(root, real) === undefined) return undefined
  const stat = await files.stat(real)
  if (stat?.kind !== 'file' || stat.size > largestFile) return undefined
  const bytes = await files.read(real)
  return bytes === null ? undefined : Buffer.from(bytes).toString('utf8').split(/\r?\n/)
}
