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
    const { dlopen } = process.getBuiltinModule('bun:ffi' as 'node:fs') as unknown as Ffi
    const { symbols, close } = dlopen('libc.so.6', { madvise: { args: ['u64', 'u64', 'i32'], returns: 'i32' } })
    for (const [from, to] of codeOf(process.execPath)) symbols.madvise(from, to - from, dontNeed)
    close()
  } catch {
    // Another C library, or a system that lets no program load one.
  }
}

/** `MADV_DONTNEED`: pages of a file that nobody may write are read from it again when they are used, see madvise(2). */
const dontNeed = 4

/** Where a file's code lies in this process: from, to. */
function* codeOf(file: string): Iterable<readonly [bigint, bigint]> {
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const [, from, to, place] = /^([0-9a-f]+)-([0-9a-f]+) r-xp \S+ \S+ \S+ +(\/.*)$/.exec(line) ?? []
    if (place === file) yield [BigInt(`0x${from}`), BigInt(`0x${to}`)]
  }
}

/** What is used of `bun:ffi`. */
interface Ffi {
  dlopen(
    library: string,
    functions: object,
  ): { readonly symbols: { madvise(from: bigint, length: bigint, advice: number): number }; close(): void }
}
