import type { FileState } from '../../model.ts'

/** Past so many bytes or lines a file is named, not shown: nobody reads it, and a pager chokes on it. */
const MOST_BYTES = 4_194_304
const MOST_LINES = 250_000

export function isTooLarge(file: FileState | null): boolean {
  if (file === null) return false
  const { bytes } = file
  return bytes.length > MOST_BYTES || (bytes.length > MOST_LINES && lineEndsIn(bytes) > MOST_LINES)
}

/** How many lines a text has; the last one may have no end. */
export function linesIn(bytes: Uint8Array): number {
  return lineEndsIn(bytes) + (bytes.length === 0 || bytes.at(-1) === 10 ? 0 : 1)
}

function lineEndsIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
