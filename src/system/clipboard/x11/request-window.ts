import { Buffer } from 'node:buffer'
import { sizeLimit, tooLarge } from '../trouble.ts'
import type { Atoms } from './atoms.ts'
import type { Connection } from './connection.ts'
import * as wire from './wire.ts'

/** The answer for one target. */
export interface Converted {
  readonly type: number
  readonly bytes: Buffer
}

type Told = wire.XEvent & { kind: 'property' | 'selection-ready' }

/** Asked before more is taken, with the number of bytes so far. `undefined`: go on at once. */
export type Pace = (received: number) => Promise<void> | undefined

/** A window for one read: the answers of a selection's owner arrive here. */
export class RequestWindow {
  readonly window: number
  /** It grows with each sign of life of the owner. */
  progress = 0
  /** How many questions the server has not answered yet. */
  unanswered = 0
  /** The read waits for something else than the owner. */
  paused = false
  /** The owner was asked and has not answered. Most programs end when they write into a window that is gone. */
  awaited = false
  readonly #connection: Connection
  readonly #atoms: Atoms
  readonly #forget: () => void
  readonly #pace: Pace
  #received = 0
  readonly #ignoreEnd: () => void
  readonly #events: Told[] = []
  #wake: (() => void) | undefined
  #fail: (reason: Error) => void = () => {}
  readonly #failed: Promise<never>

  constructor(connection: Connection, atoms: Atoms, forget: () => void, pace: Pace = () => undefined) {
    this.#connection = connection
    this.#atoms = atoms
    this.#forget = forget
    this.#pace = pace
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {})
    this.window = connection.newId()
    connection.send(wire.createWindow(this.window, connection.root))
    this.#ignoreEnd = connection.onClose(this.#fail)
  }

  deliver(event: Told): void {
    this.progress += 1
    this.#events.push(event)
    this.#wake?.()
  }

  /** Ends each wait with this reason. */
  fail(reason: Error): void {
    this.#fail(reason)
  }

  close(): void {
    this.#forget()
    // A wait for the connection's end would keep all that was read in memory.
    this.#ignoreEnd()
    if (!this.awaited) this.#connection.send(wire.destroyWindow(this.window))
  }

  ask(request: Buffer): Promise<Buffer> {
    this.unanswered += 1
    const answered = this.#connection.ask(request).finally(() => {
      this.unanswered -= 1
    })
    return this.#orFailed(answered)
  }

  /** The selection's content as `target`, or `null` when there is none. */
  async convert(selection: number, target: number): Promise<Converted | null> {
    this.#connection.send(wire.convertSelection(this.window, selection, target, this.#atoms.transfer))
    this.awaited = true
    const ready = await this.#next(event => event.kind === 'selection-ready')
    this.awaited = false
    if (ready.property === 0) return null
    const first = await this.#take()
    if (first.type !== this.#atoms.incremental) return first
    // The content begins with its least length.
    if (first.bytes.length >= 4 && first.bytes.readUInt32LE(0) > sizeLimit) throw tooLarge()
    return await this.#takePieces()
  }

  /** Taking a piece away asks for the next one. An empty piece is the last. */
  async #takePieces(): Promise<Converted> {
    const pieces: Buffer[] = []
    let size = 0
    for (;;) {
      await this.#next(event => event.kind === 'property' && !event.deleted)
      const piece = await this.#take()
      if (piece.bytes.length === 0) return { type: piece.type, bytes: Buffer.concat(pieces, size) }
      pieces.push(piece.bytes)
      size += piece.bytes.length
      if (size > sizeLimit) throw tooLarge()
    }
  }

  async #take(): Promise<Converted> {
    await this.#turn()
    const { transfer } = this.#atoms
    const { type, bytes, more } = wire.readProperty(await this.ask(wire.takeProperty(this.window, transfer, sizeLimit)))
    this.progress += 1
    this.#received += bytes.length
    if (more > 0) throw tooLarge()
    return { type, bytes }
  }

  async #turn(): Promise<void> {
    const turn = this.#pace(this.#received)
    if (turn === undefined) return
    this.paused = true
    await this.#orFailed(turn)
    this.paused = false
  }

  /** The next wanted event; earlier ones are dropped. */
  async #next(isWanted: (event: Told) => boolean): Promise<Told> {
    for (;;) {
      const event = this.#events.shift()
      if (event === undefined) {
        await this.#orFailed(
          new Promise<void>(resolve => {
            this.#wake = resolve
          }),
        )
      } else if (isWanted(event)) return event
    }
  }

  #orFailed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failed])
  }
}
