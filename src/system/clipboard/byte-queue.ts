import { Buffer } from 'node:buffer'

/** Bytes arrive in pieces and leave in packets. Each byte is copied once at most, however large a packet is. */
export class ByteQueue {
  #pieces: Buffer[] = []
  #length = 0

  add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  /** The first bytes, which stay in the queue; `undefined` while there are fewer. */
  peek(length: number): Buffer | undefined {
    if (this.#length < length) return undefined
    const [first] = this.#pieces
    if (first !== undefined && first.length >= length) return first.subarray(0, length)
    let [count, size] = [0, 0]
    while (size < length) size += this.#pieces[count++]?.length ?? 0
    const joined = Buffer.concat(this.#pieces.slice(0, count), size)
    this.#pieces.splice(0, count, joined)
    return joined.subarray(0, length)
  }

  take(length: number): Buffer | undefined {
    const bytes = this.peek(length)
    if (bytes === undefined) return undefined
    const [first] = this.#pieces
    if (first !== undefined && first.length > length) this.#pieces[0] = first.subarray(length)
    else this.#pieces.shift()
    this.#length -= length
    return bytes
  }
}
