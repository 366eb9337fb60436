/** First in, first out, with one reader who waits; ends once it is closed and empty. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = []
  #closed = false
  #wake: (() => void) | undefined
  #arrival = new AbortController()

  get waiting(): number {
    return this.#items.length
  }

  some(isSuch: (item: T) => boolean): boolean {
    return this.#items.some(isSuch)
  }

  add(item: T): void {
    this.#items.push(item)
    this.#arrival.abort()
    this.#wake?.()
  }

  /** Adds it only for a reader who waits: what comes in the middle of something else is dropped. */
  offer(item: T): void {
    if (this.#wake !== undefined && this.#items.length === 0 && !this.#closed) this.add(item)
  }

  /** Ends whatever waits for an arrival, though nothing is added: something came that needs no turn. */
  interrupt(): void {
    this.#arrival.abort()
  }

  close(): void {
    this.#closed = true
    this.#arrival.abort()
    this.#wake?.()
  }

  /** Aborts as soon as something waits, or nothing will come any more. */
  arrival(): AbortSignal {
    if (this.#items.length === 0 && !this.#closed) this.#arrival = new AbortController()
    return this.#arrival.signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) {
        yield item
        continue
      }
      if (this.#closed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
