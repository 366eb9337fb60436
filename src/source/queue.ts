/** First in, first out, with one reader who waits; ends once it is closed and empty. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = []
  #closed = false
  #wake: (() => void) | undefined

  get waiting(): number {
    return this.#items.length
  }

  add(item: T): void {
    this.#items.push(item)
    this.#wake?.()
  }

  close(): void {
    this.#closed = true
    this.#wake?.()
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
    }
  }
}
