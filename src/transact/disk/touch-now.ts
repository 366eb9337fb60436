import type { Files } from '../../ports.ts'

/**
 * Call this right before a file gets its place, if it waited while commands could run. Otherwise `make`, `cargo` and
 * `tsc -b` would take what they built meanwhile for newer than the file, and not build again. Another owner's file
 * keeps its time.
 */
export async function touchNow(path: string, files: Files): Promise<void> {
  await files.touch(path).catch(() => undefined)
}
