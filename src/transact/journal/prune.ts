import { join } from 'node:path'
import type { HistoryLine } from '../../model/entry.ts'
import type { Files } from '../../ports.ts'
import { type Layout, stateNames } from '../layout/layout.ts'
import { chooseRedo, chooseUndo } from './choose-back.ts'
import type { Journal } from './journal.ts'

/** An entry stays only if it meets every given rule. */
export interface PruneRules {
  /** The number of newest entries. */
  readonly keep?: number
  /** Milliseconds. */
  readonly olderThanMs?: number
  /** Bytes for all entries together. */
  readonly maxBytes?: number
}

export interface Prunable {
  readonly uuid: string
  readonly number: number
  readonly at: Date
  readonly bytes: number
}

/** All applied entries, newest first; sizes include what their commands printed. */
export async function listEntries(journal: Journal, layout: Layout): Promise<readonly Prunable[]> {
  const transactions = new Map<string, HistoryLine>()
  for (const transaction of journal.newestFirst()) {
    if (transaction.outcome === 'rolled-back') continue
    // An undone transaction is as old as its undo.
    if (!transactions.has(transaction.uuid))
      transactions.set(transaction.uuid, { ...transaction, at: transaction.undoneAt ?? transaction.at })
  }
  const entries: Prunable[] = []
  for (const { kind, uuid } of await stateNames(layout)) {
    if (kind !== 'applied') continue
    const line = transactions.get(uuid) ?? (await journal.lookUp(uuid))
    const stat = await layout.files.stat(layout.applied(uuid))
    if (line === undefined || stat === null) continue
    const bytes = stat.size + (await sizeOfOutput(layout.output(uuid), layout.files))
    entries.push({ uuid, number: line.number, at: new Date(line.at), bytes })
  }
  return entries.sort((a, b) => b.number - a.number)
}

/** The uuids that pruning never removes: the transactions that the next `undo` and the next `redo` would take back. */
export function nextBack(journal: Journal): ReadonlySet<string> {
  const next = [chooseUndo, chooseRedo].flatMap(choose => choose(journal.newestFirst()) ?? [])
  return new Set(next.map(({ uuid }) => uuid))
}

/** Which entries the rules let go, oldest last; never the newest, nor one of `needed`. */
export function choosePrunable(
  entries: readonly Prunable[],
  rules: PruneRules,
  now: Date,
  needed: ReadonlySet<string>,
): readonly Prunable[] {
  let total = 0
  return entries.filter((entry, index) => {
    total += entry.bytes
    if (index === 0 || needed.has(entry.uuid)) return false
    const tooMany = rules.keep !== undefined && index >= rules.keep
    const tooOld = rules.olderThanMs !== undefined && now.getTime() - entry.at.getTime() > rules.olderThanMs
    const tooLarge = rules.maxBytes !== undefined && total > rules.maxBytes
    return tooMany || tooOld || tooLarge
  })
}

/**
 * Removes entries for good. The history still knows their uuids, so none of them is applied a second time. An entry goes
 * last, for what its commands printed is found by it alone.
 */
export async function prune(entries: readonly Prunable[], layout: Layout): Promise<void> {
  const { files } = layout
  for (const { uuid } of entries) {
    await removeOutput(layout.output(uuid), files)
    await files.remove(layout.applied(uuid))
  }
  await files.sync(layout.folder)
}

async function removeOutput(folder: string, files: Files): Promise<void> {
  const kind = (await files.stat(folder))?.kind
  // relay made no link here: the link is removed, and not followed.
  if (kind !== undefined && kind !== 'folder') await files.remove(folder)
  if (kind !== 'folder') return
  for (const name of (await files.list(folder)) ?? []) await files.remove(join(folder, name))
  await files.removeFolder(folder)
}

async function sizeOfOutput(folder: string, files: Files): Promise<number> {
  let bytes = 0
  if ((await files.stat(folder))?.kind !== 'folder') return bytes
  for (const name of (await files.list(folder)) ?? []) bytes += (await files.stat(join(folder, name)))?.size ?? 0
  return bytes
}
