import { readFileSync } from 'node:fs'

let timer: NodeJS.Timeout | undefined

/**
 * Gives memory back, in a second, that a program that waits does not need: that of its own code. Most of what a start or
 * a patch ran through is not run again soon, and what is comes back by itself, from the file.
 *
 * Only in the single binary on Linux, where it is more than half of what a watcher has resident.
 */
export function rest(): void {
  if (process.platform !== 'linux' || process.versions['bun'] === undefined) return
  clearTimeout(timer)
  timer = setTimeout(dropCode, afterMs)
  timer.unref()
}

/** The runtime clears up behind a start, and runs its code for that. */
const afterMs = 1000

function dropCode(): void {
  try {
    const mapped = mappedFiles()
    // Never by its bare name: a library that is not loaded yet would be looked for in the project as well.
    const library = mapped.find(({ file }) => /\/(libc\.so\.6|ld-musl-\w+\.so\.1)$/.test(file))?.file
    if (library === undefined) return
    const { dlopen } = process.getBuiltinModule('bun:ffi' as 'node:fs') as unknown as Ffi
    const { symbols, close } = dlopen(library, { madvise: { args: ['u64', 'u64', 'i32'], returns: 'i32' } })
    for (const { from, to, mode, file } of mapped) {
      if (mode === 'r-xp' && file === process.execPath) symbols.madvise(from, to - from, dontNeed)
    }
    close()
  } catch {
    // A system that lets no program do this; it stays as large as it is.
  }
}

/** `MADV_DONTNEED`: pages of a file that nobody may write are read from it again when they are used, see madvise(2). */
const dontNeed = 4

interface Mapped {
  readonly from: bigint
  readonly to: bigint
  /** What may be done with it: `r-xp` is code. */
  readonly mode: string
  /** Its whole path. */
  readonly file: string
}

/** The files that lie in this process's memory, as proc_pid_maps(5) tells them. */
function mappedFiles(): readonly Mapped[] {
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
    functions: object,
  ): { readonly symbols: { madvise(from: bigint, length: bigint, advice: number): number }; close(): void }
}
