import { RelayError } from '../../../errors.ts'
import { ByteQueue } from '../byte-queue.ts'
import { dial } from '../dial.ts'
import type { Door, Line } from '../line.ts'
import { otherWay, sizeLimit } from '../trouble.ts'
import { type Credential, credentialsFor } from './authority.ts'
import { readDisplay } from './display-address.ts'
import { readSetup, type SetupAnswer, setup, setupLength } from './wire.ts'

type Accepted = SetupAnswer & { kind: 'accepted' }

interface Asked {
  readonly sequence: number
  resolve(reply: Buffer): void
  reject(error: Error): void
}

/** The server refused one request, for instance because a window is gone. */
export class Refusal extends Error {}

/** How long a server may take until it lets us in. */
const patienceMs = 2000

/** The longest reply: the longest text that relay takes, and its header. */
const longestPacket = sizeLimit + 1024

/** A connection to an X server. Requests go out, replies and events come in, until one side closes it. */
export class Connection {
  readonly root: number
  /** In bytes. */
  readonly longestRequest: number
  /** Why it was closed; `undefined` while it is open. */
  closed: Error | undefined
  readonly #line: Line
  readonly #idBase: number
  readonly #idStep: number
  #ids = 0
  #sequence = 0
  readonly #asked: Asked[] = []
  readonly #received: ByteQueue
  #onEvent: (event: Buffer) => void = () => {}
  readonly #onClose = new Set<(reason: Error) => void>()

  constructor(line: Line, answer: Accepted, received: ByteQueue) {
    this.#line = line
    this.root = answer.root
    this.longestRequest = answer.longestRequest
    this.#idBase = answer.idBase
    this.#idStep = answer.idMask & -answer.idMask
    this.#received = received
    line.handTo({
      opened() {},
      received: piece => {
        this.#received.add(piece)
        this.#sort()
      },
      closed: reason => this.close(reason),
    })
  }

  /** The number of the last request that was sent, in the 16 bits that events and replies give. */
  get sequence(): number {
    return this.#sequence & 0xffff
  }

  newId(): number {
    return (this.#idBase | (this.#ids++ * this.#idStep)) >>> 0
  }

  /** The listener gets each event in the server's order, and before any later reply. */
  onEvent(listen: (event: Buffer) => void): void {
    this.#onEvent = listen
  }

  /** Calls `listen` once with the reason, at once if the connection is closed already; answers how to stop that. */
  onClose(listen: (reason: Error) => void): () => void {
    if (this.closed !== undefined) listen(this.closed)
    else this.#onClose.add(listen)
    return () => this.#onClose.delete(listen)
  }

  /** For requests without a reply. */
  send(...requests: readonly Buffer[]): void {
    if (this.closed !== undefined) return
    this.#sequence += requests.length
    this.#line.send(...requests)
  }

  ask(request: Buffer): Promise<Buffer> {
    if (this.closed !== undefined) return Promise.reject(this.closed)
    this.send(request)
    const { sequence } = this
    return new Promise((resolve, reject) => this.#asked.push({ sequence, resolve, reject }))
  }

  close(reason: Error = new Error('closed')): void {
    if (this.closed !== undefined) return
    this.closed = reason
    this.#line.hangUp()
    for (const asked of this.#asked.splice(0)) asked.reject(reason)
    for (const listen of [...this.#onClose]) listen(reason)
    this.#onClose.clear()
  }

  /** Passes on every packet that is complete. */
  #sort(): void {
    for (;;) {
      const head = this.#received.peek(32)
      if (head === undefined) return
      const length = packetLength(head)
      if (length > longestPacket) {
        this.close(new Error('the server sent more than was asked for'))
        return
      }
      const packet = this.#received.take(length)
      if (packet === undefined) return
      if (packet.readUInt8(0) > 1) this.#onEvent(packet)
      else this.#answer(packet)
    }
  }

  /** Replies come in the order of the requests. An error may also be about a request without a reply. */
  #answer(packet: Buffer): void {
    const [first] = this.#asked
    if (first?.sequence !== packet.readUInt16LE(2)) return
    this.#asked.shift()
    if (packet[0] === 1) first.resolve(packet)
    else first.reject(new Refusal(`X11 error ${packet[1]} for request ${packet[10]}`))
  }
}

function packetLength(head: Buffer): number {
  const kind = head.readUInt8(0)
  // Only replies are longer than 32 bytes, and general events, for which we never asked.
  return kind === 1 || (kind & 0x7f) === 35 ? 32 + head.readUInt32LE(4) * 4 : 32
}

/** Connects to the display that the environment names, through the first of its doors that opens. */
export async function openDisplay(env: NodeJS.ProcessEnv): Promise<Connection> {
  const display = env['DISPLAY'] ?? ''
  const address = readDisplay(display)
  if (address === undefined) throw unreachable(display, new Error('DISPLAY does not name a display'))
  const credentials = credentialsFor(address, env)
  const failures: unknown[] = []
  for (const door of address.doors) {
    try {
      return await enterWithAny(door, credentials)
    } catch (error) {
      failures.push(error)
    }
  }
  // The error of the first door says more: a second door is mostly not there.
  throw unreachable(display, failures.find(error => error instanceof NotLetIn) ?? failures[0])
}

/** Tries the next credential only where the server refuses this one. The first refusal says most. */
async function enterWithAny(door: Door, credentials: readonly Credential[]): Promise<Connection> {
  let failure: unknown
  for (const credential of credentials) {
    try {
      return await enter(door, credential)
    } catch (error) {
      failure ??= error
      if (!(error instanceof NotLetIn)) break
    }
  }
  throw failure
}

/** The server is there, but refuses this credential. */
class NotLetIn extends Error {}

function enter(door: Door, credential: Credential): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const received = new ByteQueue()
    const fail = (error: Error) => {
      clearTimeout(timer)
      line.hangUp()
      reject(error)
    }
    const line = dial(door, {
      opened: () => line.send(setup(credential.name, credential.data)),
      received(piece) {
        received.add(piece)
        const head = received.peek(8)
        const answer = head === undefined ? undefined : received.take(setupLength(head))
        if (answer === undefined) return
        const read = readSetup(answer)
        if (read.kind === 'refused') return fail(new NotLetIn(read.reason))
        clearTimeout(timer)
        resolve(new Connection(line, read, received))
      },
      closed: fail,
    })
    const timer = setTimeout(() => fail(new Error('no answer within 2 s')), patienceMs)
  })
}

function unreachable(display: string, cause: unknown): RelayError {
  const { code, message } = cause as NodeJS.ErrnoException
  const known = code === undefined ? undefined : doorWords[code]
  const why = known === undefined ? ` cannot be reached: ${message.trim() || 'it gives no reason'}` : ` ${known}`
  return new RelayError('environment', `No clipboard: X display ${display}${why}`, {
    hint: otherWay,
    cause,
  })
}

const doorWords: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ECONNREFUSED: 'refuses connections',
  EACCES: 'denies permission',
  ECONNRESET: 'closes the connection',
  ENOTFOUND: 'is on an unknown machine',
  EHOSTUNREACH: 'is on a machine that cannot be reached',
}
