import { closeSync, readFileSync, writeSync } from 'node:fs'
import { bufferOf } from '../../ground/bytes.ts'
import { codeOf, systemError } from '../file-error.ts'
import { late } from '../late.ts'
import { hungUp, type Line, type LineListener } from './line.ts'

/**
 * Calls a server of this machine, as `dial` does, through a socket made by the system's own calls; `undefined` where
 * those cannot be had, which is everywhere but under bun on Linux.
 *
 * This file is all that there is for one runtime alone, and the idle goal is why: at most one second of processor time in
 * an hour. bun's sockets, and with them its `node:net`, wake the process each second for as long as one is open. A watcher
 * with nothing to do then takes 1.0 to 1.1 s in an hour, and 0.3 to 0.4 s by this.
 */
export function dialBySystem(path: string, listener: LineListener): Line | undefined {
  const handle = connect(path)
  return handle === undefined ? undefined : new SystemLine(handle, listener)
}

class SystemLine implements Line {
  #listener: LineListener | undefined
  /** Of the socket, for writing, as long as it is open. */
  #handle: number | undefined
  #reader: Reader | undefined
  #waiting: Uint8Array[] = []
  /** Between the first piece that waits and the moment at which all of them are written, or more of them can be. */
  #isLater = false

  constructor(handle: number | Error, listener: LineListener) {
    this.#listener = listener
    if (handle instanceof Error) {
      process.nextTick(() => this.#end(handle))
      return
    }
    this.#handle = handle
    process.nextTick(() => {
      this.#listener?.opened()
      if (this.#handle !== undefined) this.#listen(this.#handle)
    })
  }

  send(...pieces: readonly Uint8Array[]): void {
    if (this.#listener === undefined) return
    this.#waiting.push(...pieces)
    if (this.#isLater) return
    this.#isLater = true
    process.nextTick(() => this.#flush())
  }

  handTo(listener: LineListener): void {
    if (this.#listener !== undefined) this.#listener = listener
  }

  hangUp(): void {
    this.#listener = undefined
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
        this.#listener?.received(bufferOf(value))
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
    this.#listener?.closed(reason)
    this.#listener = undefined
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

/** What is used of the C library that this process runs on. A `ptr` that is taken is a `Uint8Array`. */
const functions = {
  connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  __errno_location: { args: [], returns: 'ptr' },
} as const

interface CLibrary {
  /** connect(2) */
  connect(handle: number, address: Uint8Array, length: number): number
  /** socket(2) */
  socket(domain: number, type: number, protocol: number): number
  /** Why the last call failed, as the errors of `node:fs` say it; only right after one that did. See errno(3). */
  lastError(): NodeJS.ErrnoException
}

/** Under bun on Linux; `undefined` elsewhere, and on a system that lets no program do this. */
function cLibrary(): CLibrary | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    // Never by its bare name: a library that is not loaded yet would be looked for in the project as well.
    const [file] = /\/.*\/(?:libc\.so\.6|ld-musl-\w+\.so\.1)$/m.exec(readFileSync('/proc/self/maps', 'utf8')) ?? []
    if (file === undefined) return undefined
    const { dlopen, read } = process.getBuiltinModule('bun:ffi' as 'node:fs') as unknown as Ffi
    const { symbols } = dlopen(file, functions)
    return {
      ...symbols,
      lastError: () => systemError(late.util.getSystemErrorName(-read.i32(symbols.__errno_location()))),
    }
  } catch {
    return undefined
  }
}

/** What is used of `bun:ffi`. */
interface Ffi {
  dlopen(
    library: string,
    wanted: typeof functions,
  ): { readonly symbols: Omit<CLibrary, 'lastError'> & { __errno_location(): number } }
  readonly read: { i32(pointer: number): number }
}
