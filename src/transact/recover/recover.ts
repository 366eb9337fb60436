import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Ended, Entry } from '../../model/entry.ts'
import type { Recovery, Rescue } from '../../model/talk.ts'
import { titleOfEntry } from '../../model/title.ts'
import type { System, Talk } from '../../ports.ts'
import { readOwn } from '../disk/read-own.ts'
import { clearUpKept, clearUpRestored, removeEntry } from '../end/clear-up.ts'
import { movesOf } from '../entry/moves.ts'
import { isLaterEntry } from '../entry/read-entry.ts'
import { historyLine } from '../journal/history-line.ts'
import { Journal } from '../journal/journal.ts'
import type { HistoryOptions } from '../journal/mend-history.ts'
import { readEnded, readPending } from '../journal/read-pending.ts'
import { findUnfinished, type LookOptions } from '../journal/unfinished.ts'
import type { Layout } from '../layout/layout.ts'
import { removeStage, type Stage, stageOf } from '../layout/stage.ts'
import { forgetBegun, wasStartedHere } from '../lock/begun-here.ts'
import { forgetDeadOwners } from '../lock/owner-marks.ts'
import { findForeign } from '../restore/evidence.ts'
import { rescuedBefore } from '../restore/rescue.ts'
import { orUnfinished, restore, untouched } from '../restore/restore.ts'
import type { EditPolicy } from '../restore/restore-move.ts'
import { endOutlived } from '../run/run-command.ts'
import { type JudgeRecovery, recoverForeign } from './recover-foreign.ts'

/**
 * Takes back what an earlier relay left unfinished, and reports each. The caller holds the lock, so whoever began it
 * is dead. What was not begun on this machine, in this folder, is asked about first.
 *
 * Killed anywhere inside, it does the rest when it runs again. Throws `unfinished` when something has to wait for the
 * user (an entry that cannot be read, was not begun here, or was left open on purpose), and `conflict` when edits were
 * kept that nobody could be asked about.
 */
export async function recover(
  layout: Layout,
  system: System,
  talk: Talk,
  { judge = refuseAll, ...options }: RecoverOptions = {},
): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = []
  const unasked: string[] = []
  for (const { uuid, pending } of await findUnfinished(layout, options)) {
    const recovery = pending
      ? await recoverPending(uuid, layout, system, talk, judge, unasked)
      : await recoverStage(uuid, layout, system, talk)
    recoveries.push(recovery)
    talk.report({ kind: 'recovered', recovery })
    // Only after the report, which names the files that were put aside.
    if (recovery.action === 'rolled-back') await clearUpRestored(stageOf(layout, uuid))
    if (!waits(recovery)) await forgetBegun(uuid, layout, system)
  }
  await layout.files.remove(layout.spare)
  if (options.thorough === true) await removeProbes(layout)
  await forgetDeadOwners(layout.watchers, layout.files, system.shell)
  // A relay that was killed while it asked leaves a mark, and usually something unfinished.
  if (recoveries.length > 0) await forgetDeadOwners(layout.askers, layout.files, system.shell)

  const waiting = recoveries.find(waits)
  if (waiting !== undefined) throw mustWait(waiting, await keepsOriginals(stageOf(layout, waiting.uuid)))
  if (unasked.length > 0) {
    throw new RelayError(
      'conflict',
      `You edited these files after an unfinished change, so relay kept them: ${unasked.join(', ')}`,
      {
        hint: 'The originals are in .relaycode/rescue/. Nothing else is left to recover.',
      },
    )
  }
  return recoveries
}

interface RecoverOptions extends LookOptions {
  /** Judges entries that were not begun here; without it they count as unreadable. */
  readonly judge?: JudgeRecovery
}

const refuseAll: JudgeRecovery = () => undefined

/** Nothing was done, because the user has to act first. */
function waits({ action }: Recovery): boolean {
  return action === 'unreadable' || action === 'held' || action === 'foreign'
}

/** The test files of `relay init` and `relay doctor`, left when these were killed. */
async function removeProbes({ folder, files }: Layout): Promise<void> {
  const names = (await files.list(folder)) ?? []
  const probes = names.filter(name => /^(?:init|doctor)-[\da-f-]{36}\.tmp$/.test(name))
  // A file that cannot be removed does no harm.
  for (const name of probes) await files.remove(join(folder, name)).catch(() => undefined)
}

/** Tells what `recover` would do; changes nothing. */
export async function previewRecovery(
  layout: Layout,
  system: Pick<System, 'files' | 'stateFolder' | 'uid'>,
  options: LookOptions = {},
): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = []
  for (const { uuid, pending } of await findUnfinished(layout, options)) {
    if (!pending) {
      const { entry, action } = await judgeStage(uuid, layout)
      recoveries.push(action === 'unreadable' ? await unreadable(uuid, layout) : recoveryOf(uuid, entry, action))
      continue
    }
    const entry = await readPending(uuid, layout)
    if (entry === undefined) {
      recoveries.push(await unreadable(uuid, layout))
    } else if (!(await wasStartedHere(uuid, layout, system))) {
      recoveries.push(recoveryOf(uuid, entry, 'foreign'))
    } else if (entry.held === true) {
      recoveries.push(recoveryOf(uuid, entry, 'held'))
    } else {
      const foreign = await findForeign(entry, layout)
      const edited = new Set(foreign.edited)
      const paths = movesOf(entry).map(({ path }) => path)
      const kept = paths.filter(path => edited.has(path)).map(path => ({ path, rescue: '' }))
      const restored = paths.filter(path => !edited.has(path))
      const rescued = foreign.aside.map(path => ({ path, rescue: '' }))
      recoveries.push({
        ...recoveryOf(uuid, entry, 'would-roll-back'),
        restoration: { restored, rescued, kept, merged: [] },
      })
    }
  }
  return recoveries
}

async function recoverPending(
  uuid: string,
  layout: Layout,
  system: System,
  talk: Talk,
  judge: JudgeRecovery,
  unasked: string[],
): Promise<Recovery> {
  const entry = await readPending(uuid, layout)
  if (entry === undefined) return unreadable(uuid, layout)
  if (!(await wasStartedHere(uuid, layout, system))) {
    const end = await recoverForeign(entry, layout, talk, judge)
    if (end.action === 'unreadable') return unreadable(uuid, layout)
    if (end.action === 'rolled-back') await rememberRecovered(entry, layout, system, talk)
    return { ...recoveryOf(uuid, entry, end.action), ...end, isForeign: true }
  }
  if (entry.held === true) return recoveryOf(uuid, entry, 'held')
  const stage = stageOf(layout, uuid)
  const endedCommand = await endOutlived(stage, system.shell)
  const { edited: edits } = await orUnfinished(entry, () => findForeign(entry, layout))
  let policy: EditPolicy = 'keep'
  if (edits.length > 0) {
    const answer = await talk.ask({ kind: 'edited', number: entry.number, paths: edits })
    if (answer === 'yes') policy = 'rescue'
    if (answer === 'unasked' || answer === 'closed') unasked.push(...edits)
  }
  const restoration = await orUnfinished(entry, async () => {
    const aside = await rescuedBefore(entry, layout)
    const { rescued, ...rest } = await restore(entry, layout, { policy })
    return { ...rest, rescued: [...aside, ...rescued] }
  })
  await rememberRecovered(entry, layout, system, talk)
  await removeEntry(entry, stage)
  return { ...recoveryOf(uuid, entry, 'rolled-back'), restoration, endedCommand }
}

/** Without a pending entry, either no file was touched, or only clearing up was left to do. */
async function recoverStage(uuid: string, layout: Layout, system: System, talk: Talk): Promise<Recovery> {
  const stage = stageOf(layout, uuid)
  const { entry, action } = await judgeStage(uuid, layout)
  if (action === 'unreadable') return unreadable(uuid, layout)
  const endedCommand = await endOutlived(stage, system.shell)
  let rescued: readonly Rescue[] = []
  if (entry !== undefined) {
    await rememberOnce(entry, 'committed', entry.outcome?.at ?? entry.createdAt, layout, { system, talk })
    rescued = await clearUpKept(entry, stage)
  } else {
    await removeStage(stage)
  }
  return { ...recoveryOf(uuid, entry, action), restoration: { ...untouched, rescued }, endedCommand }
}

async function judgeStage(
  uuid: string,
  layout: Layout,
): Promise<{ readonly entry: Entry | undefined; readonly action: 'unbegun' | 'finished' | 'unreadable' }> {
  const stage = stageOf(layout, uuid)
  // relay makes no link here, so this is not relay's, and relay does not remove it.
  if ((await layout.files.stat(stage.folder))?.kind !== 'folder') return { entry: undefined, action: 'unreadable' }
  const entry = await readEnded(uuid, layout)
  if (entry !== undefined) return { entry, action: 'finished' }
  // Somebody removed the entry by hand, and these originals may be the only copies of their files.
  if (await keepsOriginals(stage)) return { entry, action: 'unreadable' }
  return { entry, action: (await layout.files.stat(stage.staged)) === null ? 'unbegun' : 'finished' }
}

/** Files that were taken out of their places are still in the stage. */
async function keepsOriginals({ folder, layout }: Stage): Promise<boolean> {
  if ((await layout.files.stat(folder))?.kind !== 'folder') return false
  return (await layout.files.list(folder))?.some(name => name.startsWith('old.')) === true
}

async function rememberRecovered(entry: Entry, layout: Layout, system: System, talk: Talk): Promise<void> {
  try {
    await rememberOnce(entry, 'rolled-back', system.clock.now().toISOString(), layout, { system, talk })
  } catch {
    // The history is a cache: a full disk must not keep a recovery from ending.
  }
}

/** A relay that was killed after it wrote the line has recorded the end already. */
async function rememberOnce(
  entry: Entry,
  outcome: Ended,
  at: string,
  layout: Layout,
  options: HistoryOptions,
): Promise<void> {
  const journal = await Journal.open(layout, options)
  if (!journal.holds(entry.uuid, entry.number)) await journal.remember(historyLine(entry, outcome, at))
}

/** A transaction that cannot be read, and is left alone. */
async function unreadable(uuid: string, layout: Layout): Promise<Recovery> {
  const left: string[] = []
  for (const path of [layout.pending(uuid), layout.stage(uuid)]) {
    if ((await layout.files.stat(path)) !== null) left.push(`.relaycode/${basename(path)}`)
  }
  const text =
    (await readOwn(layout.pending(uuid), layout.files)) ?? (await readOwn(layout.applied(uuid), layout.files))
  const isLater = text !== undefined && isLaterEntry(text)
  return { ...recoveryOf(uuid, undefined, 'unreadable'), left, isLater }
}

function recoveryOf(uuid: string, entry: Entry | undefined, action: Recovery['action']): Recovery {
  return {
    uuid,
    number: entry?.number,
    startedAt: entry?.createdAt,
    title: entry === undefined ? '' : titleOfEntry(entry),
    action,
    restoration: untouched,
    endedCommand: false,
  }
}

function mustWait({ uuid, number, action, left = [], isLater }: Recovery, hasOriginals: boolean): RelayError {
  if (action === 'foreign') {
    return new RelayError('unfinished', `#${number} is unfinished, but was not begun in this folder on this machine`, {
      hint: `Nothing was changed. Run \`relay recover\` in a terminal: it shows what a rollback would change, and asks. Or move .relaycode/${uuid}.pending.yml away.`,
    })
  }
  if (action === 'held') {
    return new RelayError('unfinished', `#${number} was left open and still waits for your answer`, {
      hint: 'Run `relay recover` in a terminal to keep it or roll it back.',
    })
  }
  const message = `relay cannot read the unfinished change ${uuid}`
  if (isLater === true) {
    return new RelayError('unfinished', message, {
      hint: 'A newer relay began it. Nothing was changed: run `relay recover` with that one, or update this one.',
    })
  }
  const originals = hasOriginals ? ` Its files named old.* are the originals.` : ''
  return new RelayError('unfinished', message, {
    hint: `Nothing was changed. Move ${left.join(' and ')} away once your files are as you want them.${originals}`,
  })
}
