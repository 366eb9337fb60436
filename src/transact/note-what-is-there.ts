import { join } from 'node:path'
import type { WrittenState } from '../model.ts'
import { syncTouched } from './execute.ts'
import { sha256 } from './hash.ts'
import { inFlight } from './in-flight.ts'
import { hashAfter, type Move } from './moves.ts'
import { noteWritten } from './stage.ts'
import type { Work } from './work.ts'

/** What each of the patch's paths holds after the commands; `null` where no file is. */
export type WrittenFiles = ReadonlyMap<string, WrittenState | null>

/**
 * Notes what the patch's files are now that the commands have run: from here on, any other content is a user's edit.
 *
 * What a formatter made of a file is kept with its bytes: whoever takes the patch back later has to know them to tell
 * the user's lines from it.
 */
export async function noteWhatIsThere(moves: readonly Move[], work: Work): Promise<WrittenFiles> {
  const { job, layout, stage, files } = work
  const written = new Map(
    await inFlight(moves, async (move): Promise<[string, WrittenState | null]> => {
      return [move.path, await lookAt(move, work)]
    }),
  )
  const { linter, postCommand } = job.project.config
  if (`${linter}${postCommand}`.trim() === '') return written
  await noteWritten(stage, new Map([...written].map(([path, state]) => [path, state?.sha256 ?? null])), files)
  // Formatters do not sync what they write; a post command may also have written the same content anew.
  const rewritten =
    postCommand.trim() === ''
      ? moves.filter(move => (written.get(move.path)?.sha256 ?? null) !== hashAfter(move))
      : moves
  await inFlight(rewritten, async ({ path, target }) => {
    if ((written.get(path) ?? null) !== null) await files.sync(join(layout.root, target))
  })
  if (rewritten.length > 0) await syncTouched(rewritten, { createdFolders: [] }, stage, layout.root, files)
  return written
}

async function lookAt(move: Move, { layout, files }: Work): Promise<WrittenState | null> {
  const place = join(layout.root, move.target)
  const found = await files.stat(place)
  const bytes = found?.kind === 'file' ? await files.read(place) : null
  if (found === null || bytes === null) return null
  const hash = sha256(bytes)
  if (move.after?.kind !== 'file' || move.after.sha256 !== hash) return { sha256: hash, mode: found.mode, bytes }
  const isOtherMode = move.after.mode !== undefined && move.after.mode !== found.mode
  return { sha256: hash, ...(isOtherMode ? { mode: found.mode } : {}) }
}
