import { RelayError } from '../../../errors.ts'
import { type Atoms, atomNames } from './atoms.ts'
import { type Connection, openDisplay, Refusal } from './connection.ts'
import { type Pace, RequestWindow } from './request-window.ts'
import * as wire from './wire.ts'

/** Serves the clipboard while it is ours. */
export interface Owner {
  readonly text: string
  onRequest(request: wire.SelectionRequest): void
  /** A property changed in the window of a program that asked us. */
  onProperty(event: wire.XEvent & { kind: 'property' }): void
}

/** A connection that knows the clipboard's names, hears of new owners, and passes on each event to its receiver. */
export class Session {
  readonly connection: Connection
  readonly atoms: Atoms
  /** The server tells about each new owner. */
  readonly hears: boolean
  /** A window of our own for all that lasts. */
  readonly window: number
  /** What we have put on the clipboard, as long as it is there. */
  own: Owner | undefined
  /** What we had there until another program copied: a program that takes it in pieces still gets the rest. */
  #former: Owner | undefined
  /** The number of our request that takes the clipboard, until the server answers it. */
  #takenBy: number | undefined
  readonly #requests = new Map<number, RequestWindow>()
  /** Nobody waits for an answer in these windows any more, but one may still come. */
  readonly #late = new Set<number>()
  readonly #listeners = new Set<(event: wire.XEvent & { kind: 'new-owner' }) => void>()

  private constructor(connection: Connection, atoms: Atoms, window: number, xfixes: wire.Extension | undefined) {
    this.connection = connection
    this.atoms = atoms
    this.window = window
    this.hears = xfixes !== undefined
    connection.onEvent(bytes => this.#onEvent(wire.readEvent(bytes, xfixes?.firstEvent)))
  }

  /** Throws when the display cannot be reached, or does not answer within four seconds. */
  static async open(env: NodeJS.ProcessEnv): Promise<Session> {
    const connection = await openDisplay(env)
    const timer = setTimeout(() => connection.close(noServer()), patienceMs)
    try {
      // By this extension a server tells about new owners; not every server has it.
      const asked = connection.ask(wire.queryExtension('XFIXES'))
      const [atoms, xfixes] = await Promise.all([askAtoms(connection), asked.then(wire.readExtension)])
      const window = connection.newId()
      const session = new Session(connection, atoms, window, xfixes)
      connection.send(wire.createWindow(window, connection.root))
      if (xfixes !== undefined) await hearOwners(session, xfixes)
      return session
    } catch (error) {
      const isTheirs = connection.closed !== undefined || error instanceof Refusal
      connection.close()
      throw isTheirs ? lost(error as Error) : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Takes the clipboard for an owner. `false`: another program has taken it since. */
  async take(owner: Owner): Promise<boolean> {
    const { connection, atoms, window } = this
    this.own = owner
    connection.send(wire.setSelectionOwner(window, atoms.clipboard))
    this.#takenBy = connection.sequence
    const now = wire.readNumber(await connection.ask(wire.getSelectionOwner(atoms.clipboard)))
    // Nothing older can follow the reply. After many requests the numbers begin again.
    this.#takenBy = undefined
    return now === window
  }

  /** Asks for a selection in a window of its own, so that a late answer reaches nobody. */
  openRequest(pace?: Pace): RequestWindow {
    const forget = () => {
      this.#requests.delete(request.window)
      if (request.awaited) this.#late.add(request.window)
    }
    const request = new RequestWindow(this.connection, this.atoms, forget, pace)
    this.#requests.set(request.window, request)
    return request
  }

  /** Calls `listen` for each new owner of the clipboard; answers how to stop that. */
  onNewOwner(listen: (event: wire.XEvent & { kind: 'new-owner' }) => void): () => void {
    this.#listeners.add(listen)
    return () => this.#listeners.delete(listen)
  }

  #onEvent(event: wire.XEvent): void {
    switch (event.kind) {
      case 'destroyed':
        // Each client may end any window, and no event comes to a window that is gone.
        if (event.window === this.window || this.#requests.has(event.window)) {
          this.connection.close(new Error('another program ended the window of relay'))
        }
        return
      case 'property':
        this.#tellOfProperty(event)
        return
      case 'selection-ready':
        this.#requests.get(event.window)?.deliver(event)
        if (this.#late.delete(event.window)) this.connection.send(wire.destroyWindow(event.window))
        return
      case 'selection-request':
        if (this.own === undefined) this.connection.send(wire.notifySelection(event, 0))
        else this.own.onRequest(event)
        return
      case 'selection-cleared':
        this.#lose(event.sequence)
        return
      case 'new-owner':
        for (const listen of [...this.#listeners]) listen(event)
        return
      case 'other':
    }
  }

  /** In a window of ours it is an answer. In any other window it tells about a program that takes a text from us. */
  #tellOfProperty(event: wire.XEvent & { kind: 'property' }): void {
    const request = this.#requests.get(event.window)
    if (request !== undefined) request.deliver(event)
    else for (const owner of [this.own, this.#former]) owner?.onProperty(event)
  }

  /** Another program has taken the clipboard. */
  #lose(sequence: number): void {
    // This event was still on its way when the clipboard became ours again: it is about the text before that.
    if (this.#takenBy !== undefined && isBefore(sequence, this.#takenBy)) return
    this.#former = this.own
    this.own = undefined
  }
}

async function askAtoms(connection: Connection): Promise<Atoms> {
  const named = Object.entries(atomNames).map(async ([key, name]) => {
    return [key, wire.readNumber(await connection.ask(wire.internAtom(name)))] as const
  })
  return Object.fromEntries(await Promise.all(named)) as Atoms
}

/** A server takes a request of the extension only after the version was agreed. */
async function hearOwners({ connection, window, atoms }: Session, { opcode }: wire.Extension): Promise<void> {
  const version = connection.ask(wire.xfixesQueryVersion(opcode))
  connection.send(wire.hearSelection(opcode, window, atoms.clipboard))
  await version
}

/** For numbers that begin again at 0 after 16 bits. */
function isBefore(one: number, other: number): boolean {
  return ((one - other) & 0xffff) >= 0x8000
}

const patienceMs = 2000

export function noServer(): RelayError {
  return new RelayError('environment', 'Cannot read the clipboard: the display does not answer', {
    hint: 'Its machine may be asleep, or the way to it cut.',
  })
}

/** A connection that broke gives its reason in its own words, or in the system's. */
export function lost(reason: Error): RelayError {
  if (reason instanceof RelayError) return reason
  return new RelayError('environment', `Lost the clipboard: ${reason.message}`, {
    hint: 'relay connects again as soon as the display is back.',
    cause: reason,
  })
}
