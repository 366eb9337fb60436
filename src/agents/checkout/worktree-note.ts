import type { Outcome } from '../../model/talk.ts'
import { readNote, writeNote } from '../../state-files.ts'
import type { Doors } from './program.ts'

/** How far relay is with a work tree, so that a later relay run can continue. Trees and commits are hashes. */
export interface WorktreeNote {
  /**
   * - `making`: relay is adding the work tree.
   * - `lent`: `.git` is the agent's repository.
   * - `landing`: relay judges and commits the work.
   * - `left`: relay no longer works there, and left the tree that the field `left` names.
   */
  readonly is: 'making' | 'lent' | 'landing' | 'left'
  /** The commit that the work starts from. */
  readonly start: string
  /** Changes are counted from this tree: the state when the work tree was last brought up to date. */
  readonly base?: string
  readonly left?: string
  /** The last landing that was begun. It is valid as long as the agent has changed nothing since. */
  readonly landing?: Landing
  /** The last finished landing. */
  readonly landed?: Landed
}

export interface Landing {
  readonly uuid: string
  /** The tree of the agent's work. */
  readonly work: string
  /** The tree to commit, once it was agreed to. */
  readonly agreed?: { readonly tree: string; readonly outcome: Outcome }
}

export interface Landed {
  readonly uuid: string
  readonly commit: string
  readonly outcome: Outcome
}

const name = 'worktree.json'

export async function noteWorktree(folder: string, note: WorktreeNote, system: Doors): Promise<void> {
  await writeNote(`${folder}/${name}`, note, system)
}

export async function readWorktreeNote(folder: string, system: Doors): Promise<WorktreeNote | undefined> {
  const found = await readNote(`${folder}/${name}`, system)
  return typeof found?.['start'] === 'string' ? (found as unknown as WorktreeNote) : undefined
}

export async function forgetWorktree(folder: string, { files }: Doors): Promise<void> {
  await files.remove(`${folder}/${name}`)
}
