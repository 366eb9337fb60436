import { readNote, writeNote } from '../../state-files.ts'
import type { FolderTree } from './folder-tree.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'

/** What a later relay run needs to continue in a checkout. */
export interface CheckoutNote {
  readonly top: string
  readonly prefix: string
  readonly format: string
  readonly start: string
  readonly leftOut: FolderTree['leftOut']
}

const name = 'checkout.json'

/** Records that a checkout is complete. Written last, in one step. */
export async function noteCheckout(
  { top, prefix, format, at }: PrivateRepository,
  { tree: start, leftOut }: FolderTree,
  system: Doors,
): Promise<void> {
  const note: CheckoutNote = { top, prefix, format, start, leftOut }
  await writeNote(at(name), note, system, { sync: false })
}

/** Gives `undefined` where there is no complete checkout. */
export async function readCheckoutNote(folder: string, system: Doors): Promise<CheckoutNote | undefined> {
  const found = await readNote(`${folder}/${name}`, system)
  return typeof found?.['start'] === 'string' ? (found as unknown as CheckoutNote) : undefined
}
