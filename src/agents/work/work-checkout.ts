import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { makeFolders } from '../../state-files.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { stateFolderFor } from '../run/run-folder.ts'
import { keepCheckout } from './kept-work.ts'
import type { WorkNote } from './work-note.ts'
import type { RunParts } from './work-parts.ts'

/** The checkout of a run: opened when it is first needed, and put aside where its work cannot be taken. */
export class WorkCheckout {
  readonly #parts: RunParts
  #open: Checkout | undefined
  /** It was made for the current task. */
  #isNew = false

  constructor(parts: RunParts) {
    this.#parts = parts
  }

  get isNew(): boolean {
    return this.#isNew
  }

  /** The open checkout with this id. */
  withId(id: string | undefined): Checkout | undefined {
    return this.#open?.id === id ? this.#open : undefined
  }

  async of(note: WorkNote): Promise<Checkout> {
    const { checkout: ready } = note
    const { folder, doors, step } = this.#parts
    if (this.#open !== undefined) return this.#open
    const below = join(folder, 'checkout')
    await doors.system.files.makeFolder(below, 0o700)
    this.#open = await step('open the checkout', () => this.#openAt(below, note))
    const { leftOut, isLeft, dependencies } = this.#open
    this.#isNew = !isLeft
    if (ready === undefined && leftOut.length > 0)
      doors.tell({ kind: 'left-out', paths: leftOut.map(({ path }) => path) })
    const { missing } = dependencies
    if (ready === undefined && missing.length > 0) doors.tell({ kind: 'lacks', missing })
    return this.#open
  }

  /** Opens the checkout. What is left of one that nobody can read goes aside, and a new one is made. */
  async #openAt(below: string, note: WorkNote): Promise<Checkout> {
    const { landing, doors } = this.#parts
    try {
      return await landing.openCheckout(below)
    } catch (error) {
      if (!(error instanceof RelayError) || error.kind !== 'agent') throw error
      await this.#putAside(below, note, error.message)
      await doors.system.files.makeFolder(below, 0o700)
      return landing.openCheckout(below)
    }
  }

  /** Brings the checkout up to date for the task. One that cannot be, for whatever reason, goes aside, and a new one is made. */
  async renew(note: WorkNote): Promise<Checkout> {
    const { step } = this.#parts
    const checkout = await this.of(note)
    try {
      if (!this.#isNew) await step('bring the checkout up to date', () => checkout.renew())
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      await this.leave(note, error.message)
    }
    this.#isNew = false
    return this.of(note)
  }

  /** Work that cannot be taken stays as it is, under another name, and is kept there. Gives where, in words. */
  async leave(note: WorkNote, why: string): Promise<string> {
    const { folder } = this.#parts
    this.#open = undefined
    return this.#putAside(join(folder, 'checkout'), note, why)
  }

  async #putAside(checkout: string, { book, task, agent, turn }: WorkNote, why: string): Promise<string> {
    const { landing, doors } = this.#parts
    const id = doors.system.randomUuid()
    const left = join(await makeFolders(join(stateFolderFor(doors.system), 'left'), doors.system.files), id)
    const about = { id, book, task: task.id, title: task.title, agent, why, reasoning: turn?.text ?? '' }
    // Noted first: a folder that nothing names would be lost.
    const number = await keepCheckout(landing.root, about, left, doors.system).catch(() => undefined)
    await doors.system.files.rename(checkout, left)
    return number === undefined
      ? `What it made lies in ${join(left, 'work')}.`
      : `What it made is kept in ${join(left, 'work')}: \`relay apply --kept ${number}\`.`
  }

  /** Removes the checkout, also one that an earlier relay run was about to remove. */
  async remove(): Promise<void> {
    const { folder, doors, landing, step } = this.#parts
    const below = join(folder, 'checkout')
    const isLeft = this.#open === undefined && ((await doors.system.files.list(below)) ?? []).length > 0
    const checkout = isLeft ? await landing.openCheckout(below) : this.#open
    await step('remove the checkout', async () => checkout?.remove())
  }
}
