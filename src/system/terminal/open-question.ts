import { late } from '../late.ts'
import type { Key, KeyFilter } from './key-filter.ts'
import { holdKeyboard, type KeyboardDesk, releaseKeyboard, suspend } from './keyboard-mode.ts'

interface QuestionDesk extends KeyboardDesk {
  readonly interruption: AbortSignal
}

/** Half a second: nobody reads a question and answers it faster. */
const guardMs = 500

/**
 * A question on the screen that waits for one typed line.
 *
 * The keyboard is read raw and through a filter, so Ctrl+C comes as a key and not as a signal. It is passed on as an
 * interruption.
 */
export class OpenQuestion {
  readonly #desk: QuestionDesk
  readonly #filter: KeyFilter
  #lines: string[] = []
  #typed = ''
  #early = ''
  /** Why the prompt on the screen is taken away. `undefined`: an answer ended it. */
  #stop: 'again' | 'suspend' | 'continued' | 'end' | undefined
  #round = new AbortController()
  #keys = new late.stream.PassThrough()
  /** Erases the prompt on the screen when it ends. */
  #context: { clearPromptOnDone: boolean } = { clearPromptOnDone: false }
  #resumedAt = 0

  constructor(desk: QuestionDesk) {
    this.#desk = desk
    this.#filter = desk.filter
    this.#filter.guardEnd = Number.POSITIVE_INFINITY
  }

  /** Prints above the question, and keeps what was typed so far. */
  above(text: string): void {
    this.#lines.push(text)
    this.#take('again', true)
  }

  /** `undefined`: nobody answers. */
  async answer(question: string, singleKey: boolean, withdraw?: AbortSignal): Promise<string | undefined> {
    const { keyboard, interruption } = this.#desk
    const { promptInput } = await import('./prompt-input.ts')
    const onData = (chunk: Uint8Array) => this.#feed(chunk, singleKey)
    const end = () => this.#take('end')
    const continued = () => {
      // After Ctrl+Z the next round has begun already.
      if (performance.now() - this.#resumedAt > 250) this.#take('continued')
    }
    keyboard.on('data', onData).once('end', end).once('close', end).on('error', end)
    const leave = () => this.#take('end', true)
    interruption.addEventListener('abort', end)
    withdraw?.addEventListener('abort', leave)
    process.on('SIGCONT', continued)
    holdKeyboard(this.#desk)
    if (interruption.aborted) end()
    if (withdraw?.aborted) leave()

    try {
      for (;;) {
        this.#printLines()
        if (this.#stop === 'end') return undefined
        this.#stop = undefined
        this.#round = new AbortController()
        this.#keys = new late.stream.PassThrough()
        this.#context = { clearPromptOnDone: false }
        // The new prompt begins with an empty line, and says so.
        const typed = this.#typed
        const asking = promptInput(
          { message: question, theme, transformer: value => this.#remember(value) },
          Object.assign(this.#context, { input: this.#keys, output: process.stderr, signal: this.#round.signal }),
        )
        if (this.#filter.guardEnd === Number.POSITIVE_INFINITY) this.#filter.guardEnd = performance.now() + guardMs
        this.#typed = typed
        if (typed !== '') this.#keys.write(typed)
        const ended = await asking.then(
          value => ({ value }),
          (error: unknown) => {
            if (this.#stop === undefined) throw error
          },
        )
        if (ended !== undefined) return ended.value
        await this.#afterStop()
      }
    } finally {
      releaseKeyboard(this.#desk)
      process.off('SIGCONT', continued)
      interruption.removeEventListener('abort', end)
      withdraw?.removeEventListener('abort', leave)
      keyboard.off('data', onData).off('end', end).off('close', end).off('error', end)
      this.#printLines()
    }
  }

  #feed(chunk: Uint8Array, singleKey: boolean): void {
    for (const key of this.#filter.feed(chunk, performance.now())) this.#heed(key, singleKey)
  }

  #heed(key: Key, singleKey: boolean): void {
    switch (key.kind) {
      case 'typed':
        this.#type(singleKey ? onlyKey(key.bytes) : key.bytes)
        break
      case 'early':
        this.#ignore(key.bytes, singleKey)
        break
      case 'interrupt':
        this.#take('end')
        this.#desk.interrupt()
        break
      case 'suspend':
        this.#take('suspend')
        break
      case 'end':
        if (this.#typed === '') this.#take('end')
        break
      case 'pasted':
        this.#desk.pasted(key.bytes)
        break
      case 'unmarked':
        this.#desk.unmarked()
        break
    }
  }

  #type(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#keys.write(bytes)
  }

  /** A user who answered too soon would wait for relay, while relay waits for the answer. So relay says it, once. */
  #ignore(bytes: Uint8Array, singleKey: boolean): void {
    const before = this.#early
    this.#early += Buffer.from(bytes).toString('latin1')
    const isAnswer = (text: string) => (singleKey ? /[^\s\p{Cc}]/u : /[^\s\p{Cc}].*[\r\n]/u).test(text)
    if (!isAnswer(before) && isAnswer(this.#early)) this.above(TOO_SOON)
  }

  #take(why: 'again' | 'suspend' | 'continued' | 'end', clear = false): void {
    // An end stays an end, whatever else comes in the same moment.
    if (this.#stop === 'end') return
    this.#stop = why
    this.#context.clearPromptOnDone = clear
    this.#round.abort()
  }

  async #afterStop(): Promise<void> {
    if (this.#stop === 'suspend') {
      await suspend(this.#desk)
      this.#resumedAt = performance.now()
      holdKeyboard(this.#desk)
    }
    if (this.#stop === 'continued') holdKeyboard(this.#desk)
    if (this.#stop === 'suspend' || this.#stop === 'continued') {
      this.#typed = ''
      this.#filter.guardEnd = Number.POSITIVE_INFINITY
    }
  }

  #remember(value: string): string {
    this.#typed = value
    return value
  }

  #printLines(): void {
    for (const line of this.#lines.splice(0)) process.stderr.write(line)
  }
}

/** The first key, with the Enter that the user need not type. Arrows and the like are no answer, and give nothing. */
function onlyKey(bytes: Uint8Array): Uint8Array {
  const [first = ''] = Buffer.from(bytes).toString('utf8')
  if (first === '\r' || first === '\n') return Buffer.from('\r')
  return /^[^\p{Cc}\ufffd]$/u.test(first) ? Buffer.from(`${first}\r`) : new Uint8Array()
}

const TOO_SOON = '  relay ignored what you typed before you could read the question.\n'

const asIs = (text: string) => text

/** The question comes with its style, and its colour is decided elsewhere. */
const theme = { prefix: '?', style: { message: asIs, answer: asIs } }
