import { Buffer } from 'node:buffer'
import type { Spill } from './spill.ts'

/**
 * Collects what a command prints, and keeps its beginning and its end when it is too much; all of it then goes to the
 * spill, where there is one.
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
  let tail: Uint8Array[] = []
  let tailSize = 0
  let total = 0

  return {
    add(chunk) {
      const before = total
      total += chunk.length
      if (total > limit) {
        // Until now all of it is here.
        if (before <= limit) for (const piece of [...head, ...tail]) spill?.add(piece)
        spill?.add(chunk)
      }
      const room = share - headSize
      const first = chunk.subarray(0, room)
      if (first.length > 0) {
        head.push(first)
        headSize += first.length
      }
      const rest = chunk.subarray(first.length)
      if (rest.length === 0) return
      tail.push(rest)
      tailSize += rest.length
      // Joined at times, so that neither the bytes nor the number of pieces grows without end.
      if (tailSize > 2 * share || tail.length > 10_000) {
        tail = [Buffer.concat(tail).subarray(-share)]
        tailSize = Math.min(tailSize, share)
      }
    },

    text() {
      const begin = Buffer.concat(head)
      const end = Buffer.concat(tail)
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

/** What the line that stands for the missing middle needs at most. */
const markRoom = 64

const newline = 0x0a

/** Whole lines, so that no line is read as another one; half a line only when there is no other way. */
function upToLastLine(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(newline)
  return at === -1 ? bytes : bytes.subarray(0, at + 1)
}

function fromNextLine(bytes: Buffer): Buffer {
  const at = bytes.indexOf(newline)
  return at === -1 || at === bytes.length - 1 ? bytes : bytes.subarray(at + 1)
}
