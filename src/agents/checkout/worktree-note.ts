import { readNote, writeNote } from '../../kept-outside.ts'
import type { Outcome } from '../../model/talk.ts'
import type { Doors } from './program.ts'

/** How far relay is with a work tree: a later one goes on there. Trees and commits by their names. */
export interface WorktreeNote {
  /**
   * `making`: it is being added. `lent`: `.git` is the agent's. `landing`: it is judged and committed. `left`: relay
   * works there no more, and left it as `left` says.
   */
  readonly is: 'making' | 'lent' | 'landing' | 'left'
  /** The commit that the work starts from. */
  readonly start: string
  /** The tree since which changes are told: as it was when the work tree was last brought up to date. */
  readonly base?: string
  readonly left?: string
  /** The last landing that was begun; it stands as long as the agent has done nothing since. */
  readonly landing?: Landing
  /** The last landing that came to its end. */
  readonly landed?: Landed
}

export interface Landing {
  readonly uuid: string
  /** What the agent made. */
  readonly work: string
  /** What is to be committed, once it was agreed to. */
  readonly agreed?: { readonly tree: string; readonly outcome: Outcome }
}

export interface Landed {
  readonly uuid: string
  readonly commit: string
  readonly outcome: Outcome
}

const name = 'worktree.json'

/** In one step. */
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
