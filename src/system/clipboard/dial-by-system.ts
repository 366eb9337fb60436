import { closeSync, writeSync } from 'node:fs'
import { bufferOf } from '../../ground/buffer-of.ts'
import { cLibrary } from '../c-library.ts'
import { codeOf } from '../file-error.ts'
import { hungUp, type Line, type LineEar } from './line.ts'

/**
 * Calls a server of this machine, as `dial` does, through a socket made by the system's own calls; `undefined` where
 * those cannot be had, which is everywhere but under bun on Linux.
 *
 * bun's sockets, and with them its `node:net`, wake the process each second for as long as one is open: four fifths of
 * the processor time of a watcher that has nothing to do. `node:net` also takes as long to load as all else that the watch
 * of a clipboard needs.
 */
export function dialBySystem(path: string, ear: LineEar): Line | undefined {
  const handle = connect(path)
  return handle === undefined ? undefined : new SystemLine(handle, ear)
}

class SystemLine implements Line {
  #ear: LineEar | undefined
  /** Of the socket, for writing, as long as it is open. */
  #handle: number | undefined
  #reader: Reader | undefined
  #waiting: Uint8Array[] = []
  /** Between the first piece that waits and the moment at which all of them are written, or more of them can be. */
  #isLater = false

  constructor(handle: number | Error, ear: LineEar) {
    this.#ear = ear
    if (handle instanceof Error) {
      process.nextTick(() => this.#end(handle))
      return
    }
    this.#handle = handle
    process.nextTick(() => {
      this.#ear?.opened()
      if (this.#handle !== undefined) this.#listen(this.#handle)
    })
  }

  send(...pieces: readonly Uint8Array[]): void {
    if (this.#ear === undefined) return
    this.#waiting.push(...pieces)
    if (this.#isLater) return
    this.#isLater = true
    process.nextTick(() => this.#flush())
  }

  handTo(ear: LineEar): void {
    if (this.#ear !== undefined) this.#ear = ear
  }

  hangUp(): void {
    this.#ear = undefined
    this.#end(hungUp())
  }

  async #listen(handle: number): Promise<void> {
    try {
      // It takes a handle of its own, where one is free, and closes that.
      const reader = (bun as Bun).file(handle).stream().getReader()
      this.#reader = reader
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        this.#ear?.received(bufferOf(value))
      }
      this.#end(hungUp())
    } catch (error) {
      this.#end(error as Error)
    }
  }

  #flush(): void {
    this.#isLater = false
    if (this.#handle === undefined) return
    let bytes = this.#waiting.length === 1 && this.#waiting[0] ? this.#waiting[0] : Buffer.concat(this.#waiting)
    this.#waiting = []
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(this.#handle, bytes))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        this.#end(error as Error)
        return
      }
      this.#waiting = [bytes]
      this.#isLater = true
      setTimeout(() => this.#flush(), fullMs)
    }
  }

  #end(reason: Error): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
    this.#reader?.cancel().catch(() => undefined)
    this.#ear?.closed(reason)
    this.#ear = undefined
  }
}

/** A server that takes nothing more for the moment is tried again after this. */
const fullMs = 5

/** The handle of a socket that is connected and lets nobody wait, or why it is not. See unix(7). */
function connect(path: string): number | Error | undefined {
  if (bun === undefined) return undefined
  // A name that begins with NUL is no path, and as long as it is said to be.
  const address = Buffer.concat([Buffer.from(Uint16Array.of(unix).buffer), Buffer.from(path), noByte])
  if (address.length > longestAddress) return undefined
  const length = path.startsWith('\0') ? address.length - 1 : address.length
  const library = cLibrary()
  if (library === undefined) return undefined
  const handle = library.socket(unix, stream | nonBlocking | closeOnExec, 0)
  if (handle < 0) return library.lastError()
  if (library.connect(handle, address, length) === 0) return handle
  const error = library.lastError()
  closeSync(handle)
  return error
}

/** `AF_UNIX`, `SOCK_STREAM` with its flags, and the size of a `sockaddr_un`: alike wherever bun runs on Linux. */
const unix = 1
const stream = 1
const nonBlocking = 0o4000
const closeOnExec = 0o2000000
const longestAddress = 110
const noByte = Buffer.alloc(1)

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** What is used of bun here. */
interface Bun {
  file(handle: number): { stream(): { getReader(): Reader } }
}

const { Bun: bun } = globalThis as { readonly Bun?: Bun }
