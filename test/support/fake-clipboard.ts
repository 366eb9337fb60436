import type { Clipboard } from '../../src/ports.ts'
import type { Life } from './fake-disk.ts'

/** A clipboard that a test sets. */
export class FakeClipboard implements Clipboard {
  readonly name = 'fake'
  /** What is on it; `null`: no text. */
  text: string | null
  /** Thrown by the next reads and writes, until it is taken away. */
  failure: Error | undefined
  reads = 0
  /** Everything that relay wrote to it. */
  readonly written: string[] = []
  readonly #life: Life

  constructor(life: Life, text: string | null = null) {
    this.#life = life
    this.text = text
  }

  async read(): Promise<string | null> {
    this.#life.check()
    this.reads++
    if (this.failure !== undefined) throw this.failure
    // As the real ones do: an empty clipboard and one without text are the same.
    return this.text === '' ? null : this.text
  }

  async write(text: string): Promise<void> {
    this.#life.check()
    if (this.failure !== undefined) throw this.failure
    this.text = text
    this.written.push(text)
  }
}
