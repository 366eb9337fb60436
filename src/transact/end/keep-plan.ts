import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { shellWord } from '../../ground/words.ts'
import type { Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import { makeFolders } from '../../state-files.ts'
import { isGone, isTaken } from '../disk/is-gone.ts'
import { retryOnce } from '../disk/retry-once.ts'
import { sha256 } from '../entry/hash.ts'
import { movesOf } from '../entry/moves.ts'
import { writeEntry } from '../entry/write-entry.ts'
import { ensureRelayFolder } from '../layout/relay-folder.ts'
import { setBeside } from '../restore/rescue.ts'
import { notRestored } from '../restore/restore.ts'
import type { Running } from '../work/work.ts'

/**
 * Moves a link or file that has taken the place of relay's own folder aside, and names it: relay follows no link, and
 * needs the folder for the rollback.
 */
export async function clearOwnPlace({ layout }: Running): Promise<readonly Rescue[]> {
  if (!(await isTaken(layout.folder, layout.files))) return []
  const path = basename(layout.folder)
  const place = await setBeside(layout.folder, { target: path }, layout)
  return [{ path, rescue: basename(place) }]
}

/**
 * If somebody has removed the entry and the stage meanwhile (`git clean -X`), the rollback can only use what is in
 * memory: that goes to the disk again first, so that it outlives a crash.
 */
export async function keepPlan(entry: Entry, work: Running): Promise<void> {
  await retryOnce(() => rewritePlan(entry, work)).catch(error => keepPlanOutside(entry, error, work))
}

async function rewritePlan(entry: Entry, { layout, stage, reached }: Running): Promise<void> {
  const { files } = layout
  const sign = reached.written ? stage.staged : stage.folder
  if (!(await isGone(sign, files)) || !(await isGone(layout.pending(entry.uuid), files))) return
  if ((await files.stat(layout.root)) === null) {
    // It may have been moved with everything in it, so no new one takes its place.
    throw notRestored(entry, `${layout.root} is gone`, 'If the project was moved, run `relay recover` where it is now.')
  }
  await ensureRelayFolder(layout)
  const plan = writeEntry(entry)
  await files.replace(layout.pending(entry.uuid), plan, layout.spare, { mode: 0o600 })
}

/**
 * The last of the originals is in memory, and the project's disk is too full for it: it goes to the user's own folder,
 * which is often on another disk. If that fails as well, the originals are lost, and are named.
 */
async function keepPlanOutside(entry: Entry, error: Error, { layout, system }: Running): Promise<never> {
  const { files } = layout
  const pending = layout.pending(entry.uuid)
  const isOpen = error instanceof RelayError && error.kind === 'unfinished'
  if (isOpen || !(await isGone(pending, files))) throw error
  let saved: string
  try {
    if (system.stateFolder === undefined) throw error
    // Models invent uuids: another project may have the same one there.
    const project = sha256(layout.root).slice(0, 8)
    saved = join(await makeFolders(system.stateFolder, files), `${project}.${basename(pending)}`)
    await files.replace(saved, writeEntry(entry), `${saved}.new`, { mode: 0o600 })
  } catch {
    const paths = movesOf(entry).flatMap(({ path, before }) => (before.kind === 'absent' ? [] : [`  ${path}`]))
    const why = [error.message, '.relaycode/ is gone, and with it the originals of', ...paths].join('\n')
    const hint = 'Look for them in git, in a backup, or in an editor that still has them open.'
    throw notRestored(entry, why, hint, error)
  }
  const hint = `The originals are safe in ${saved}. Free some space, then run: \`mkdir -p .relaycode && mv ${shellWord(saved)} .relaycode/${basename(pending)} && relay recover\``
  throw notRestored(entry, error.message, hint, error)
}
