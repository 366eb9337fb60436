import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { stateFolderFor } from '../run/run-folder.ts'
import { replaceUsersFile } from '../work/replace-users-file.ts'
import { textAt } from '../work/user-files.ts'

type Doors = Pick<System, 'files' | 'clock' | 'interruption'>

/** The text of a note. Throws `usage` where there is no file, or it is not UTF-8. */
export async function readNoteFile(path: string, doors: Pick<Doors, 'files'>): Promise<string> {
  const text = await textAt(path, doors)
  if (text === undefined) throw noNote(path)
  return text
}

/** The folder in which a relay run records that it follows this note. */
export async function ownersOfNote(path: string, doors: Pick<System, 'files' | 'stateFolder'>): Promise<string> {
  const above = await makeFolders(join(stateFolderFor(doors), 'notes'), doors.files)
  return join(above, digest('sha256', path).slice(0, 32))
}

/**
 * Changes a note in one step, although the user may have it open in an editor: see `replaceUsersFile`. Gives whether the note
 * was changed.
 *
 * @param change gives the new text, or `undefined` where there is nothing left to change
 */
export async function editNote(
  path: string,
  change: (text: string) => string | undefined,
  doors: Doors,
): Promise<boolean> {
  const { interruption } = doors
  return replaceUsersFile(
    path,
    text => {
      if (interruption.aborted) return undefined
      if (text === undefined) throw noNote(path)
      return change(text)
    },
    doors,
  )
}

function noNote(path: string): RelayError {
  return new RelayError('usage', `There is no note ${path}`)
}
