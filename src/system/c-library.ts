import { readFileSync } from 'node:fs'
import { systemError } from './file-error.ts'
import { late } from './late.ts'

/** What is used of the C library that this process runs on. A `ptr` that is taken is a `Uint8Array`. */
const functions = {
  connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
  madvise: { args: ['u64', 'u64', 'i32'], returns: 'i32' },
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  __errno_location: { args: [], returns: 'ptr' },
} as const

interface CLibrary {
  /** connect(2) */
  connect(handle: number, address: Uint8Array, length: number): number
  /** madvise(2) */
  madvise(from: bigint, length: bigint, advice: number): number
  /** socket(2) */
  socket(domain: number, type: number, protocol: number): number
  /** Why the last call failed, as the errors of `node:fs` say it; only right after one that did. See errno(3). */
  lastError(): NodeJS.ErrnoException
}

let loaded: { readonly library: CLibrary | undefined } | undefined

/** Under bun on Linux; `undefined` elsewhere, and on a system that lets no program do this. */
export function cLibrary(): CLibrary | undefined {
  loaded ??= { library: load() }
  return loaded.library
}

function load(): CLibrary | undefined {
  if (process.platform !== 'linux' || process.versions['bun'] === undefined) return undefined
  try {
    // Never by its bare name: a library that is not loaded yet would be looked for in the project as well.
    const file = mappedFiles().find(({ file }) => /\/(libc\.so\.6|ld-musl-\w+\.so\.1)$/.test(file))?.file
    if (file === undefined) return undefined
    const { dlopen, read } = process.getBuiltinModule('bun:ffi' as 'node:fs') as unknown as Ffi
    const { symbols } = dlopen(file, functions)
    return {
      ...symbols,
      lastError() {
        return systemError(late.util.getSystemErrorName(-read.i32(symbols.__errno_location())))
      },
    }
  } catch {
    return undefined
  }
}

interface Mapped {
  readonly from: bigint
  readonly to: bigint
  /** What may be done with it: `r-xp` is code. */
  readonly mode: string
  /** Its whole path. */
  readonly file: string
}

/** The files that lie in this process's memory, as proc_pid_maps(5) tells them. */
export function mappedFiles(): readonly Mapped[] {
  return readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, from, to, mode = '', file = ''] = /^(\w+)-(\w+) (\S+) \S+ \S+ \S+ +(\/.*)$/.exec(line) ?? []
      return from === undefined ? [] : [{ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`), mode, file }]
    })
}

/** What is used of `bun:ffi`. */
interface Ffi {
  dlopen(
    library: string,
    wanted: typeof functions,
  ): { readonly symbols: Omit<CLibrary, 'lastError'> & { __errno_location(): number } }
  readonly read: { i32(pointer: number): number }
}
