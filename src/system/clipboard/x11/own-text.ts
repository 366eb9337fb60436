import { Buffer } from 'node:buffer'
import { RelayError } from '../../../errors.ts'
import type { Owner, Session } from './session.ts'
import * as wire from './wire.ts'

interface Transfer {
  readonly type: number
  readonly bytes: Buffer
  sent: number
}

/** A text that we have put on the clipboard. It is there as long as we answer requests for it. */
export class OwnText implements Owner {
  readonly text: string
  readonly #session: Session
  readonly #bytes: Buffer
  /** When it became ours, by the server's clock. */
  #since = wire.currentTime
  /** Texts that are sent in pieces now, by window and property. */
  readonly #transfers = new Map<string, Transfer>()

  private constructor(session: Session, text: string) {
    this.#session = session
    this.text = text
    this.#bytes = Buffer.from(text)
  }

  /** Throws when another program has taken the clipboard meanwhile. */
  static async put(session: Session, text: string): Promise<void> {
    const own = new OwnText(session, text)
    const forget = session.onNewOwner(({ owner, since }) => {
      if (owner === session.window) own.#since = since
    })
    const isOurs = await session.take(own)
    forget()
    if (isOurs) return
    if (session.own === own) session.own = undefined
    throw new RelayError('environment', 'Cannot write the clipboard: another program took it in the same moment')
  }

  onRequest(request: wire.SelectionRequest): void {
    const { atoms, connection } = this.#session
    // A client older than the protocol's second edition names no property.
    const property = request.property === 0 ? request.target : request.property
    if (request.target === atoms.multiple) {
      // The asking program may be gone by now, and its window with it.
      this.#answerSeveral(request, property).catch(() => connection.send(wire.notifySelection(request, 0)))
      return
    }
    const isThere = this.#deliver(request.requestor, property, request.target)
    connection.send(wire.notifySelection(request, isThere ? property : 0))
  }

  onProperty({ window, property, deleted }: wire.XEvent & { kind: 'property' }): void {
    const key = `${window}:${property}`
    const transfer = this.#transfers.get(key)
    if (transfer === undefined || !deleted) return
    const { connection } = this.#session
    const piece = transfer.bytes.subarray(transfer.sent, transfer.sent + this.#pieceSize)
    transfer.sent += piece.length
    connection.send(wire.changeProperty(window, property, transfer.type, 8, piece))
    if (piece.length > 0) return
    this.#transfers.delete(key)
    connection.send(wire.hearPropertyChanges(window, false))
  }

  /** Puts what a target asks for into the asking program's property. `false`: we do not have it. */
  #deliver(window: number, property: number, target: number): boolean {
    const { atoms, connection } = this.#session
    switch (target) {
      case atoms.targets: {
        const offered = [atoms.targets, atoms.timestamp, atoms.multiple, atoms.utf8, atoms.plainUtf8, atoms.plain]
        connection.send(wire.changeProperty(window, property, wire.atomOf.atom, 32, wire.words(offered)))
        return true
      }
      case atoms.timestamp:
        connection.send(wire.changeProperty(window, property, wire.atomOf.integer, 32, wire.words([this.#since])))
        return true
      case atoms.utf8:
      case atoms.plainUtf8:
      case atoms.plain:
        this.#deliverText(window, property, target)
        return true
      default:
        return false
    }
  }

  /** A text that is larger than one request goes in pieces, each after the one before was taken away. */
  #deliverText(window: number, property: number, type: number): void {
    const { atoms, connection } = this.#session
    if (this.#bytes.length <= this.#pieceSize) {
      connection.send(wire.changeProperty(window, property, type, 8, this.#bytes))
      return
    }
    this.#transfers.set(`${window}:${property}`, { type, bytes: this.#bytes, sent: 0 })
    connection.send(
      wire.hearPropertyChanges(window, true),
      wire.changeProperty(window, property, atoms.incremental, 32, wire.words([this.#bytes.length])),
    )
  }

  /** Targets and places stand in pairs in the property. A target that we do not have loses its place. */
  async #answerSeveral(request: wire.SelectionRequest, property: number): Promise<void> {
    const { atoms, connection } = this.#session
    const reply = await connection.ask(wire.getProperty(request.requestor, property, this.#pieceSize))
    const pairs = Buffer.from(wire.readProperty(reply).bytes)
    for (let at = 0; at + 8 <= pairs.length; at += 8) {
      const [target, place] = [pairs.readUInt32LE(at), pairs.readUInt32LE(at + 4)]
      if (place === 0 || !this.#deliver(request.requestor, place, target)) pairs.writeUInt32LE(0, at + 4)
    }
    connection.send(
      wire.changeProperty(request.requestor, property, atoms.pair, 32, pairs),
      wire.notifySelection(request, property),
    )
  }

  get #pieceSize(): number {
    return this.#session.connection.longestRequest - 64
  }
}
