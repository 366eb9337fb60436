import { cLibrary, mappedFiles } from './c-library.ts'

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
  const library = cLibrary()
  if (library === undefined) return
  try {
    for (const { from, to, mode, file } of mappedFiles()) {
      if (mode === 'r-xp' && file === process.execPath) library.madvise(from, to - from, dontNeed)
    }
  } catch {
    // No handle is free to read them; it stays as large as it is.
  }
}

/** `MADV_DONTNEED`: pages of a file that nobody may write are read from it again when they are used, see madvise(2). */
const dontNeed = 4
