import { Buffer } from 'node:buffer'
import type { Spill } from './spill.ts'

/**
 * Collects the output of a command. When it becomes too much, the beginning and the end are kept here, and all of it
 * goes to the spill, where there is one.
 */
export interface KeptOutput {
  add(chunk: Uint8Array): void
  text(): { readonly output: string; readonly cut: boolean }
}

/** @param limit how many bytes are kept */
export function keptOutput(limit: number, spill?: Spill): KeptOutput {
  const share = Math.floor((limit - markRoom) / 2)
  const head: Uint8Array[] = []
  let headSize = 0
  const tail = lastOf(share)
  let total = 0

  const spillOver = (chunk: Uint8Array) => {
    if (spill === undefined || total + chunk.length <= limit) return
    // Until now no byte was dropped.
    if (total <= limit) for (const piece of [...head, ...tail.pieces()]) spill.add(piece)
    spill.add(chunk)
  }

  return {
    add(chunk) {
      spillOver(chunk)
      total += chunk.length
      const first = chunk.subarray(0, share - headSize)
      if (first.length > 0) head.push(first)
      headSize += first.length
      if (first.length < chunk.length) tail.add(chunk.subarray(first.length))
    },

    text() {
      const begin = Buffer.concat(head)
      const end = Buffer.concat(tail.pieces())
      if (begin.length + end.length === total && total <= limit) {
        return { output: Buffer.concat([begin, end]).toString(), cut: false }
      }
      const first = upToLastLine(begin)
      const last = fromNextLine(end.subarray(-share))
      const mark = `[... ${total - first.length - last.length} bytes left out ...]\n`
      return { output: `${first.toString()}${mark}${last.toString()}`, cut: true }
    },
  }
}

/** Keeps at least this many of the last bytes. */
function lastOf(least: number): { add(piece: Uint8Array): void; pieces(): readonly Uint8Array[] } {
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    add(piece) {
      pieces.push(piece)
      size += piece.length
      // Joined from time to time, so that neither the bytes nor the number of pieces grows without end.
      if (size <= 2 * least && pieces.length <= 10_000) return
      pieces = [Buffer.concat(pieces).subarray(-least)]
      size = Math.min(size, least)
    },
    pieces: () => pieces,
  }
}

/** Room for the line that stands for the missing middle. */
const markRoom = 64

const newline = 0x0a

/**
 * Keeps whole lines, so that a part of a line does not pass for another one; half a line only when there is no other
 * way.
 */
function upToLastLine(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(newline)
  return at === -1 ? bytes : bytes.subarray(0, at + 1)
}

function fromNextLine(bytes: Buffer): Buffer {
  const at = bytes.indexOf(newline)
  return at === -1 || at === bytes.length - 1 ? bytes : bytes.subarray(at + 1)
}
