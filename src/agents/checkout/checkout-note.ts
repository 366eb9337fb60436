import { join } from 'node:path'
import type { Outcome } from '../../model/talk.ts'
import { readNote, writeNote } from '../../state-files.ts'
import type { LeftOut } from './folder-tree.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'

/** What a checkout starts from. */
export interface Start {
  /** The hash of the git tree. */
  readonly tree: string
  /** The commit of that tree, where the checkout is one of a branch. */
  readonly commit?: string | undefined
  readonly leftOut: readonly LeftOut[]
}

/** What a later relay run needs to continue in a checkout. Trees and commits are hashes. */
export interface CheckoutNote {
  /** A new one whenever the checkout is made or renewed: a turn counts only with the checkout in which it was made. */
  readonly id: string
  readonly top: string
  readonly prefix: string
  readonly format: string
  readonly start: Start
  /** Changes are counted from this tree: the start when the checkout was made or last renewed. */
  readonly base: string
  /** The tree that the checkout is about to hold: a relay run that is stopped meanwhile has it put back. */
  readonly coming?: string
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

const name = 'checkout.json'

/** Records that a checkout is complete, or how far a landing is. Written last, in one step. */
export async function noteCheckout(own: PrivateRepository, note: CheckoutNote, system: Doors): Promise<void> {
  await writeNote(own.at(name), note, system)
}

/** Gives `undefined` where there is no complete checkout. */
export async function readCheckoutNote(folder: string, system: Doors): Promise<CheckoutNote | undefined> {
  const found = await readNote(`${folder}/${name}`, system)
  if (found === undefined) return undefined
  // An older relay noted the tree alone.
  const { start, leftOut } = found as { readonly start?: unknown; readonly leftOut?: unknown }
  if (typeof start !== 'string') return typeof start === 'object' ? (found as unknown as CheckoutNote) : undefined
  return {
    ...(found as unknown as CheckoutNote),
    id: firstId,
    start: { tree: start, leftOut: (leftOut ?? []) as readonly LeftOut[] },
    base: start,
  }
}

/** Whether a checkout was ever complete: its folder may hold work. */
export async function isNoted(folder: string, { files }: Doors): Promise<boolean> {
  return (await files.stat(join(folder, name))) !== null
}

/** The id of a checkout whose relay gave none. */
export const firstId = 'first'

export async function forgetCheckout({ at }: PrivateRepository, { files }: Doors): Promise<void> {
  await files.remove(at(name))
}
