import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type {
  Check,
  CheckRecord,
  Checks,
  CommandEnd,
  Comparison,
  Ended,
  Entry,
  Outcome,
  Plan,
  Planned,
  Project,
  Response,
  Restoration,
  RollbackReason,
  SignalName,
  SnapshotState,
} from '../model.ts'
import type { Files, System, Talk } from '../ports.ts'
import { compareChecks } from './check/compare-checks.ts'
import { readCheck } from './check/read-check.ts'
import { discard } from './discard.ts'
import { type Ending, readEntry, writeEnding, writeEntry } from './entry-yaml.ts'
import { execute } from './execute.ts'
import { judge } from './gate.ts'
import { hashOperations, sha256 } from './hash.ts'
import { inFlight } from './in-flight.ts'
import type { Journal } from './journal.ts'
import { writeLastDeclined } from './last-declined.ts'
import type { Layout } from './layout.ts'
import { type Move, movesOf } from './moves.ts'
import { noticeChanges } from './notice-changes.ts'
import { restore } from './restore.ts'
import { endOf, runCommand } from './run-command.ts'
import { noteWritten, removeStage, type Stage, stageOf, type Written } from './stage.ts'

/** A patch that may run, and all that was decided about it before. */
export interface Job {
  readonly project: Project
  readonly response: Response
  readonly number: number
  readonly uuid: string
  /** The model's uuid, when relay gave this transaction one of its own. */
  readonly modelUuid: string | undefined
  readonly title: string
  readonly plan: Plan
  /** The earlier turn of the same uuid, with other operations. */
  readonly reused: { readonly number: number; readonly state: Ended } | undefined
  /** Plans once more: what the pre command changes is part of "before". */
  replan(): Promise<Planned>
}

/**
 * Carries a plan from "nothing has changed" to one of two ends: it stays, or it never happened.
 *
 * The order is the safety: what is needed for going back is on the disk before the first file changes, and nothing is
 * said to be kept before the rename that keeps it is on the disk. The caller holds the lock and has recovered.
 */
export async function transact(
  job: Job,
  layout: Layout,
  journal: Journal,
  files: Files,
  system: System,
  talk: Talk,
): Promise<Outcome> {
  const stage = stageOf(layout, job.uuid)
  const work: Work = { job, layout, stage, journal, files, system, talk, began: system.clock.monotonic() }
  talk.report({
    kind: 'begun',
    number: job.number,
    uuid: job.uuid,
    title: job.title,
    changes: job.plan.changes,
    at: system.clock.now(),
  })

  let prepared: { readonly entry: Entry; readonly plan: Plan; readonly before: Check }
  try {
    await files.makeFolder(stage.folder, 0o700)
    const cleared = await askAboutSensitive(work)
    if (cleared.kind === 'back') return await endUntouched(cleared.reason, work)
    const before = await prepare(work)
    if (before.kind === 'back') return await endUntouched(before.reason, work)
    const planned = await job.replan()
    if (planned.kind === 'refused') {
      await removeStage(stage, files)
      return planned
    }
    const plan = withoutFlags(planned.plan, cleared.paths)
    prepared = { entry: entryOf(plan, work), plan, before: before.check }
  } catch (error) {
    await removeStage(stage, files).catch(() => undefined)
    throw error
  }

  const { entry } = prepared
  const end = await carryOut(prepared, work).catch(asFailure)
  if (end.kind === 'back') return rollBack(entry, end.reason, end.checks, work)
  await clearUp(entry, work)
  return {
    kind: 'committed',
    number: entry.number,
    uuid: entry.uuid,
    by: end.by,
    files: movesOf(entry).length,
    checked: end.checks.after.kind === 'counted',
    ms: system.clock.monotonic() - work.began,
  }
}

interface Work {
  readonly job: Job
  readonly layout: Layout
  readonly stage: Stage
  readonly journal: Journal
  readonly files: Files
  readonly system: System
  readonly talk: Talk
  readonly began: number
}

type Back = { readonly kind: 'back'; readonly reason: RollbackReason; readonly checks?: Checks }

function back(reason: RollbackReason, checks?: Checks): Back {
  return { kind: 'back', reason, ...(checks === undefined ? {} : { checks }) }
}

function asFailure(error: unknown): Back {
  return back({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
}

function interrupted({ system }: Work): Back | undefined {
  if (!system.interruption.aborted) return undefined
  return back({ kind: 'interrupted', signal: system.interruption.reason as SignalName })
}

// ── Before anything changes ────────────────────────────────────────────────────────────────────

/** Files that could make commands run are asked about before any command runs; answers the paths that are let through. */
async function askAboutSensitive(
  work: Work,
): Promise<Back | { readonly kind: 'cleared'; readonly paths: ReadonlySet<string> }> {
  const { title, plan } = work.job
  const sensitive = plan.flags.filter(({ flag }) => flag === 'sensitive-path')
  const paths = new Set(sensitive.flatMap(({ path }) => path ?? []))
  if (sensitive.length === 0) return { kind: 'cleared', paths }
  const changes = plan.changes.filter(({ path }) => paths.has(path))
  const answer = await work.talk.ask({ kind: 'sensitive', title, changes, flags: plan.flags })
  if (answer === 'yes') return { kind: 'cleared', paths }
  const reasons = sensitive.map(flag => ({ kind: 'flag', flag }) as const)
  return interrupted(work) ?? back(answer === 'no' ? { kind: 'declined' } : { kind: 'unasked', reasons })
}

function withoutFlags(plan: Plan, cleared: ReadonlySet<string>): Plan {
  const flags = plan.flags.filter(({ flag, path }) => flag !== 'sensitive-path' || !cleared.has(path ?? ''))
  return { ...plan, flags }
}

async function prepare(work: Work): Promise<Back | { readonly kind: 'ready'; readonly check: Check }> {
  const pre = await command('pre', work)
  if (pre !== undefined && !pre.ok) return interrupted(work) ?? back({ kind: 'command', step: 'pre', end: pre })
  const check = await runLinter('base', undefined, work)
  return interrupted(work) ?? { kind: 'ready', check }
}

function entryOf({ patch, changes, newFolders, flags }: Plan, { job, system }: Work): Entry {
  const { control } = patch
  return {
    version: 1,
    number: job.number,
    uuid: job.uuid,
    ...(job.modelUuid === undefined ? {} : { modelUuid: job.modelUuid }),
    projectId: control.projectId,
    createdAt: system.clock.now().toISOString(),
    source: job.response.source,
    changeSummary: control.changeSummary,
    ...(control.promptSummary === undefined ? {} : { promptSummary: control.promptSummary }),
    ...(control.gitCommitMsg === undefined ? {} : { gitCommitMsg: control.gitCommitMsg }),
    reasoning: patch.reasoning,
    flags,
    operations: changes.map(({ path, after }) =>
      after === null
        ? { op: 'delete', path }
        : // The decoder is told to leave a byte order mark alone: it is content here.
          { op: 'write', path, content: Buffer.from(after.bytes).toString('utf8') },
    ),
    snapshot: new Map(
      changes.map(({ path, target, before }): [string, SnapshotState] => {
        const led = target === path ? {} : { target }
        if (before === null) return [path, { kind: 'absent', ...led }]
        if (before.kind === 'link') return [path, { ...before, ...led }]
        return [path, { ...before, sha256: sha256(before.bytes), ...led }]
      }),
    ),
    createdFolders: newFolders,
  }
}

// ── Forward ────────────────────────────────────────────────────────────────────────────────────

interface Kept {
  readonly kind: 'kept'
  readonly by: 'auto' | 'user'
  readonly checks: Checks
}

/** From the plan on disk to the commit; every way out but that one is rolled back by the caller. */
async function carryOut(
  { entry, plan, before }: { readonly entry: Entry; readonly plan: Plan; readonly before: Check },
  work: Work,
): Promise<Back | Kept> {
  const { job, layout, stage, files, system, talk } = work
  const pending = await commitPlan(entry, work)

  talk.report({ kind: 'step-started', step: 'write', command: '' })
  const began = system.clock.monotonic()
  const moves = movesOf(pending.entry)
  const conflicts = await execute(moves, pending.entry.createdFolders, stage, layout.root, files)
  if (conflicts.length > 0) return back({ kind: 'conflict', paths: conflicts })
  talk.report({ kind: 'written', files: moves.length, ms: system.clock.monotonic() - began })

  const post = interrupted(work) === undefined ? await command('post', work, moves) : undefined
  if (interrupted(work) === undefined && post !== undefined && !post.ok && !talk.present) {
    return back({ kind: 'command', step: 'post', end: post })
  }
  const after = interrupted(work) === undefined ? await runLinter('lint', before, work) : before
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  const written = await hashPlaces(moves, work)

  const checks: Checks = { before, after, comparison: compareChecks(before, after) }
  const verdict = judge({ config: job.project.config, checks, flags: plan.flags, post, reused: job.reused })
  if (verdict.kind === 'ask') {
    const { reasons } = verdict
    const answer = await talk.ask({ kind: 'gate', number: job.number, reasons, changes: plan.changes, checks })
    if (answer !== 'yes') {
      const why: RollbackReason = answer === 'no' ? { kind: 'declined' } : { kind: 'unasked', reasons }
      return { ...(interrupted(work) ?? back(why)), checks }
    }
  }
  const by = verdict.kind === 'ask' ? 'user' : 'auto'
  await commit(pending.text, entry.uuid, endingOf(checks, written, by, work), work)
  return { kind: 'kept', by, checks }
}

/** Puts the whole plan on the disk, and answers it as it is read back from there. */
async function commitPlan(entry: Entry, { layout, stage, files }: Work): Promise<{ entry: Entry; text: string }> {
  await files.create(stage.draft, Buffer.from(writeEntry(entry)), { mode: 0o600 })
  await files.sync(stage.folder)
  await files.rename(stage.draft, layout.pending(entry.uuid))
  await files.sync(layout.folder)
  const bytes = await files.read(layout.pending(entry.uuid))
  const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8')
  const readBack = readEntry(text)
  if (readBack === undefined || hashOperations(readBack.operations) !== hashOperations(entry.operations)) {
    throw new RelayError('failed', `The entry ${entry.uuid}.pending.yml could not be read back as it was written`, {
      hint: 'Check the disk, then try again.',
    })
  }
  return { entry: readBack, text }
}

async function command(step: 'pre' | 'post', work: Work, moves: readonly Move[] = []): Promise<CommandEnd | undefined> {
  const { job, system, talk, stage, files } = work
  const { config, root } = job.project
  const line = step === 'pre' ? config.preCommand : config.postCommand
  if (line.trim() === '') return undefined
  talk.report({ kind: 'step-started', step, command: line })
  const began = system.clock.monotonic()
  const result = await runCommand(step, line, { root, timeLimit: config.commandTimeout, uuid: job.uuid }, stage, system)
  const end = endOf(result, config.commandTimeout)
  const ms = system.clock.monotonic() - began
  talk.report({
    kind: 'command-ended',
    step,
    command: line,
    end,
    ms,
    alsoChanged: await alsoChanged(step, moves, { root, stage, files }),
  })
  return end
}

/** What the post command changed outside the patch; the moment it was noted to start is the file system's own. */
async function alsoChanged(
  step: 'pre' | 'post',
  moves: readonly Move[],
  { root, stage, files }: { root: string; stage: Stage; files: Files },
): Promise<readonly string[]> {
  const noted = step === 'post' ? await files.stat(stage.command) : null
  if (noted === null) return []
  return noticeChanges(root, noted.changedMs, new Set(moves.map(({ target }) => target)), files)
}

async function runLinter(step: 'base' | 'lint', before: Check | undefined, work: Work): Promise<Check> {
  const { job, system, talk, stage } = work
  const { config, root } = job.project
  const began = system.clock.monotonic()
  let check: Check = { kind: 'unchecked' }
  if (config.linter.trim() !== '') {
    talk.report({ kind: 'step-started', step, command: config.linter })
    const settings = { root, timeLimit: config.commandTimeout, uuid: job.uuid }
    check = readCheck(await runCommand(step, config.linter, settings, stage, system), root)
  }
  if (system.interruption.aborted) return check
  const comparison: Comparison | undefined = before === undefined ? undefined : compareChecks(before, check)
  talk.report({ kind: 'checked', step, check, comparison, ms: system.clock.monotonic() - began })
  return check
}

/** What the patch's files are now that the commands have run: from here on, any other content is a user's edit. */
async function hashPlaces(moves: readonly Move[], { job, layout, stage, files }: Work): Promise<Written> {
  const hashes = await inFlight(moves, async ({ path, target }): Promise<[string, string | null]> => {
    const found = await files.stat(join(layout.root, target))
    const bytes = found?.kind === 'file' ? await files.read(join(layout.root, target)) : null
    return [path, bytes === null ? null : sha256(bytes)]
  })
  const written = new Map(hashes)
  const { linter, postCommand } = job.project.config
  if (`${linter}${postCommand}`.trim() !== '') await noteWritten(stage, written, files)
  return written
}

function endingOf(checks: Checks, written: Written, by: 'auto' | 'user', { system }: Work): Ending {
  return {
    checks: { before: recordOf(checks.before), after: { ...recordOf(checks.after), ...counts(checks.comparison) } },
    written: new Map([...written].flatMap(([path, hash]) => (hash === null ? [] : [[path, hash]]))),
    outcome: { kind: 'committed', by, at: system.clock.now().toISOString() },
  }
}

function recordOf(check: Check): CheckRecord {
  switch (check.kind) {
    case 'unchecked':
      return { errors: null }
    case 'counted':
      return { errors: check.errors }
    case 'uncounted':
      return { errors: null, uncounted: check.why }
  }
}

function counts(comparison: Comparison | undefined): { new: number; fixed: number } | undefined {
  return comparison === undefined ? undefined : { new: comparison.new, fixed: comparison.fixed }
}

// ── The two ends ───────────────────────────────────────────────────────────────────────────────

/** The rename is the commit. If it cannot be brought to the disk it is taken back, and the rollback follows. */
async function commit(pendingText: string, uuid: string, ending: Ending, work: Work): Promise<void> {
  const { layout, stage, files } = work
  await files.create(stage.draft, Buffer.from(pendingText + writeEnding(ending)), { mode: 0o600 })
  await files.sync(stage.folder)
  await files.rename(stage.draft, layout.pending(uuid))
  await files.rename(layout.pending(uuid), layout.applied(uuid))
  try {
    await files.sync(layout.folder)
  } catch (error) {
    await files.rename(layout.applied(uuid), layout.pending(uuid))
    throw error
  }
}

/** After the commit: what fails here is made good by the next recovery, and changes nothing about the end. */
async function clearUp(entry: Entry, work: Work): Promise<void> {
  try {
    await remember(entry, 'committed', work)
    await removeStage(work.stage, work.files)
  } catch {
    // The stage still stands, so the next relay finds that this is left to do.
  }
}

async function rollBack(
  entry: Entry,
  reason: RollbackReason,
  checks: Checks | undefined,
  work: Work,
): Promise<Outcome> {
  const { layout, stage, files, talk } = work
  const policy = reason.kind === 'conflict' || !talk.present ? 'keep' : 'rescue'
  const restoration = await restore(entry, layout, files, policy)
  await rememberBack(reason, checks, work, hashOperations(entry.operations))
  await discard(entry.uuid, layout, stage, files)
  return rolledBack(reason, restoration, work)
}

/** The end of a transaction that had not come to touch anything. */
async function endUntouched(reason: RollbackReason, work: Work): Promise<Outcome> {
  await rememberBack(reason, undefined, work, hashOperations(work.job.plan.patch.operations))
  await removeStage(work.stage, work.files)
  return rolledBack(reason, { restored: [], rescued: [], kept: [] }, work)
}

function rolledBack(reason: RollbackReason, restoration: Restoration, { job, system, began }: Work): Outcome {
  return { kind: 'rolled-back', number: job.number, reason, restoration, ms: system.clock.monotonic() - began }
}

async function remember({ uuid, number, operations }: Entry, outcome: Ended, { job, journal, system }: Work) {
  await journal.remember({
    number,
    uuid,
    ...(job.modelUuid === undefined ? {} : { modelUuid: job.modelUuid }),
    at: system.clock.now().toISOString(),
    outcome,
    operations: hashOperations(operations),
  })
}

/** The history is a cache, and the last declined response a convenience: a full disk must not keep a rollback open. */
async function rememberBack(
  reason: RollbackReason,
  checks: Checks | undefined,
  work: Work,
  operations: string,
): Promise<void> {
  const { job, journal, layout, stage, files, system } = work
  const at = system.clock.now().toISOString()
  const { number, uuid, response } = job
  const modelUuid = job.modelUuid === undefined ? {} : { modelUuid: job.modelUuid }
  try {
    await writeLastDeclined({ number, uuid, at, reason: reason.kind, checks, response }, layout, stage, files)
    const outcome = reason.kind === 'declined' ? 'declined' : 'rolled-back'
    await journal.remember({ number, uuid, ...modelUuid, at, outcome, operations })
  } catch {
    // See above.
  }
}
