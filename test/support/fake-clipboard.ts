import { Buffer } from 'node:buffer'
import { RelayError } from '../../src/errors.ts'
import type { Clipboard, ClipboardBackEnd, ReadableText } from '../../src/ports.ts'
import { noAnswer, sizeLimit, tooLarge } from '../../src/system/clipboard/trouble.ts'
import type { Life } from './fake-disk.ts'

/** A clipboard that a test sets, and its one back end. */
export class FakeClipboard implements Clipboard, ClipboardBackEnd {
  kind: ClipboardBackEnd['kind'] = 'looks'
  name = 'fake'
  why = 'a test'
  /** What is on it; `null`: no text. */
  text: string | null
  /** Thrown by the next reads and writes, until it is taken away. */
  failure: Error | undefined
  /** Ends listening as soon as it has begun. */
  cutsOff: RelayError | undefined
  reads = 0
  listens = 0
  /** Everything that relay wrote to it. */
  readonly written: string[] = []
  listen?: (signal: AbortSignal) => AsyncIterable<ReadableText>
  readonly #life: Life
  #gone: RelayError | undefined
  #changed = false
  #wake: (() => void) | undefined

  constructor(life: Life, text: string | null = null) {
    this.#life = life
    this.text = text
  }

  /** It tells of each copy. */
  set tells(tells: boolean) {
    this.kind = tells ? 'events' : 'looks'
    if (tells) this.listen = signal => this.#listen(signal)
    else delete this.listen
  }

  async backEnd(): Promise<ClipboardBackEnd> {
    return this
  }

  /** As a person does it in another program. */
  copy(content: string | Uint8Array | null): void {
    this.failure = undefined
    this.text = content instanceof Uint8Array ? Buffer.from(content).toString() : content
    this.#changed = true
    this.#wake?.()
  }

  /** What the program that copied last does. */
  owner(fate: 'hangs' | 'dies'): void {
    if (fate === 'dies') this.copy(null)
    else this.failure = noAnswer('read')
  }

  /** The display goes away, or comes back with nothing copied. */
  display(is: 'gone' | 'back'): void {
    this.text = null
    this.lose(is === 'gone' ? new RelayError('environment', 'No display') : undefined)
  }

  /** The desktop goes away with this error, or comes back. */
  lose(error: RelayError | undefined): void {
    this.#gone = error
    this.failure = error
    this.#wake?.()
  }

  async read(): Promise<string | null> {
    this.#life.check()
    this.reads++
    if (this.failure !== undefined) throw this.failure
    if ((this.text?.length ?? 0) > sizeLimit) throw tooLarge()
    // As the real ones do: an empty clipboard and one without text are the same.
    return this.text === '' ? null : this.text
  }

  async write(text: string): Promise<void> {
    this.#life.check()
    if (this.failure !== undefined) throw this.failure
    this.text = text
    this.written.push(text)
  }

  async *#listen(signal: AbortSignal): AsyncGenerator<ReadableText> {
    this.listens++
    if (this.#gone !== undefined) throw this.#gone
    yield this
    if (this.cutsOff !== undefined) throw this.cutsOff
    signal.addEventListener('abort', () => this.#wake?.())
    for (;;) {
      if (signal.aborted) return
      if (this.#gone !== undefined) throw this.#gone
      if (this.#changed) {
        this.#changed = false
        yield this
        continue
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
