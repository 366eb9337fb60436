import { readFileSync } from 'node:fs'
import { getSystemErrorName } from 'node:util'

/**
 * Functions of the C library that this process runs on, under bun on Linux; `undefined` elsewhere, and on a system that
 * lets no program call them. `wanted`: their names, with the types of what they take and give in the words of `bun:ffi`.
 */
export function cLibrary<Name extends string>(wanted: Readonly<Record<Name, Signature>>): Library<Name> | undefined {
  if (process.platform !== 'linux' || process.versions['bun'] === undefined) return undefined
  try {
    // Never by its bare name: a library that is not loaded yet would be looked for in the project as well.
    const library = mappedFiles().find(({ file }) => /\/(libc\.so\.6|ld-musl-\w+\.so\.1)$/.test(file))?.file
    if (library === undefined) return undefined
    const { dlopen, read } = process.getBuiltinModule('bun:ffi' as 'node:fs') as unknown as Ffi
    const { symbols } = dlopen(library, { ...wanted, __errno_location: { args: [], returns: 'ptr' } })
    return {
      call: symbols as Calls<Name>,
      lastError() {
        const code = getSystemErrorName(-read.i32(symbols.__errno_location()))
        return Object.assign(new Error(code), { code })
      },
    }
  } catch {
    return undefined
  }
}

export interface Library<Name extends string> {
  readonly call: Calls<Name>
  /** Why the last call failed, as the errors of `node:fs` say it; only right after one that did. See errno(3). */
  lastError(): NodeJS.ErrnoException
}

export interface Mapped {
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

export interface Signature {
  readonly args: readonly ('i32' | 'u32' | 'u64' | 'ptr')[]
  readonly returns: 'i32' | 'ptr'
}

/** A `ptr` that is taken is a `Uint8Array`, and one that is given is a number. */
type Calls<Name extends string> = Readonly<Record<Name, (...values: (number | bigint | Uint8Array)[]) => number>>

/** What is used of `bun:ffi`. */
interface Ffi {
  dlopen(library: string, functions: object): { readonly symbols: { __errno_location(): number } }
  readonly read: { i32(pointer: number): number }
}
