import type { Files } from '../../ports.ts'

/**
 * To be called with a file that waited while commands could run, right before it gets its place: `make`, `cargo` and
 * `tsc -b` would take what they have built meanwhile for newer than the file, and go on with what is not in the project any
 * more. Another owner's file keeps its time.
 */
export async function touchNow(path: string, files: Files): Promise<void> {
  await files.touch(path).catch(() => undefined)
}
