/** First in, first out, with one waiting reader; ends once it is closed and empty. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = []
  /** These come when nothing else waits. */
  readonly #late: T[] = []
  #closed = false
  #wake: (() => void) | undefined
  #arrival = new AbortController()

  get waiting(): number {
    return this.#items.length + this.#late.length
  }

  some(isSuch: (item: T) => boolean): boolean {
    return [...this.#items, ...this.#late].some(isSuch)
  }

  add(item: T): void {
    this.#items.push(item)
    this.#arrival.abort()
    this.#wake?.()
  }

  /** Adds an item that everything else goes before; its coming is no arrival. */
  addLate(item: T): void {
    this.#late.push(item)
    this.#wake?.()
  }

  /** Adds the item only if the reader waits; otherwise drops it. */
  offer(item: T): void {
    if (this.#wake !== undefined && this.waiting === 0 && !this.#closed) this.add(item)
  }

  close(): void {
    this.#closed = true
    this.#arrival.abort()
    this.#wake?.()
  }

  /** Aborts as soon as an item is in the queue, or the queue is closed. */
  arrival(): AbortSignal {
    if (this.#items.length === 0 && !this.#closed) this.#arrival = new AbortController()
    return this.#arrival.signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = this.#items.shift() ?? this.#late.shift()
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
