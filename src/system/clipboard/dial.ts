import { late } from '../late.ts'

/** Where a server listens: a socket of this machine, or a port of some machine. */
export type Door = { readonly path: string } | { readonly host: string; readonly port: number }

/** What a line tells. */
export interface Ear {
  opened(): void
  received(piece: Buffer): void
  /** Once, and last of all; not when it was this side that hung up. `reason`: why, where that is known. */
  closed(reason: Error): void
}

/** A stream of bytes to a server and back. */
export interface Line {
  /** What is sent in one go leaves as one packet. */
  send(...pieces: readonly Uint8Array[]): void
  /** From then on another ear is told. */
  handTo(ear: Ear): void
  hangUp(): void
}

/**
 * Calls a server; the ear is told how that went, after this has returned. Throws where the door cannot be one.
 *
 * bun has sockets of its own: there `node:net` is a layer over them, and with the streams that come with it takes as
 * long to load as all else that the watch of a clipboard needs, and as much memory. They cannot be told to give up while
 * they still connect, which to a socket of this machine takes no time; to another machine it goes by `node:net`.
 */
export function dial(door: Door, ear: Ear): Line {
  return bun === undefined || 'host' in door ? dialByNode(door, ear) : dialByBun(door.path, ear, bun)
}

function dialByNode(door: Door, first: Ear): Line {
  let ear: Ear | undefined = first
  const socket = late.net.connect(door)
  socket.setNoDelay(true)
  const closed = (reason: Error) => {
    ear?.closed(reason)
    ear = undefined
  }
  socket.once('connect', () => {
    // Another machine may go without a word.
    socket.setKeepAlive(true, 30_000)
    ear?.opened()
  })
  socket.on('data', piece => ear?.received(piece))
  socket.on('error', closed).on('close', () => closed(hungUp()))
  return {
    send(...pieces) {
      if (socket.writableCorked === 0) {
        socket.cork()
        process.nextTick(() => socket.uncork())
      }
      for (const piece of pieces) socket.write(piece)
    },
    handTo(next) {
      if (ear !== undefined) ear = next
    },
    hangUp() {
      ear = undefined
      socket.destroy()
    },
  }
}

function dialByBun(path: string, first: Ear, { connect }: Bun): Line {
  let ear: Ear | undefined = first
  let socket: BunSocket | undefined
  let waiting: Uint8Array[] = []
  /** Between the first piece that waits and the moment at which all of them are handed over, or can be. */
  let isLater = false
  const flush = () => {
    isLater = false
    if (socket === undefined || ear === undefined || waiting.length === 0) return
    const bytes = waiting.length === 1 && waiting[0] !== undefined ? waiting[0] : Buffer.concat(waiting)
    const sent = Math.max(0, socket.write(bytes))
    waiting = sent < bytes.length ? [bytes.subarray(sent)] : []
    // The rest goes when there is room again.
    isLater = waiting.length > 0
  }
  const closed = (reason: Error) => {
    ear?.closed(reason)
    ear = undefined
  }
  const handlers: BunHandlers = {
    open(opened) {
      socket = opened
      if (ear === undefined) return opened.end()
      ear.opened()
      flush()
    },
    data: (_socket, piece) => ear?.received(piece),
    drain: flush,
    error: (_socket, error) => closed(error),
    // That a socket is not there is known at once; whoever dials does not have the line yet.
    connectError: (_socket, error) => process.nextTick(closed, error),
    close: (_socket, error) => closed(error ?? hungUp()),
  }
  // What became of it is told to the ear.
  connect({ unix: path, socket: { ...handlers, binaryType: 'buffer' } }).catch(() => undefined)
  return {
    send(...pieces) {
      waiting.push(...pieces)
      if (isLater) return
      isLater = true
      process.nextTick(flush)
    },
    handTo(next) {
      if (ear !== undefined) ear = next
    },
    hangUp() {
      ear = undefined
      socket?.end()
    },
  }
}

function hungUp(): Error {
  return new Error('the server closed the connection')
}

/** What is used of bun here. */
interface Bun {
  connect(options: object): Promise<unknown>
}

interface BunSocket {
  /** Answers how many bytes it took, or less than none when it is closed. */
  write(bytes: Uint8Array): number
  end(): void
}

interface BunHandlers {
  open(socket: BunSocket): void
  data(socket: BunSocket, piece: Buffer): void
  drain(socket: BunSocket): void
  error(socket: BunSocket, error: Error): void
  connectError(socket: BunSocket, error: Error): void
  close(socket: BunSocket, error?: Error): void
}

const { Bun: bun } = globalThis as { readonly Bun?: Bun }
