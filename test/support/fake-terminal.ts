import { Buffer } from 'node:buffer'
import type {
  AskOptions,
  KeyboardListener,
  LendOptions,
  Notice,
  Terminal,
  TerminalTools,
  ToolSettings,
} from '../../src/ports.ts'
import type { Life } from './fake-disk.ts'

/** What a person types at a question: a line, nothing at all (`undefined`), or what a function does meanwhile. */
export type Typed = string | undefined | (() => string | undefined | Promise<string | undefined>)

export interface FakeTerminalOptions {
  /** The answers to the questions, in order. With none left nobody answers. */
  readonly answers?: readonly Typed[]
  /** Whether a person can be asked; by default when there are `answers`. */
  readonly canAsk?: boolean
  readonly whyUnasked?: string
  readonly stdin?: string | Uint8Array
  /** stdout is a terminal. */
  readonly isRead?: boolean
  /** What the user does in an editor; without it there is none. */
  readonly editor?: (paths: readonly string[]) => void
  /** What a program does that gets the terminal; without it there is none. */
  readonly program?: (argv: readonly string[], options: LendOptions) => void
  /** What is opened as no variable names an editor. */
  readonly fallbackEditor?: string
  readonly columns?: number
  readonly rows?: number
  readonly live?: boolean
  readonly colour?: boolean
  readonly unicode?: boolean
  readonly links?: 'none' | 'files' | 'lines'
  /** It takes texts for its clipboard. */
  readonly takesCopies?: boolean
}

/** A terminal that remembers what was shown and answers from a queue. */
export class FakeTerminal implements Terminal {
  columns: number
  readonly rows: number
  readonly live: boolean
  readonly colour: { readonly out: boolean; readonly err: boolean }
  readonly unicode: boolean
  readonly links: 'none' | 'files' | 'lines'
  readonly takesCopies: boolean
  readonly canAsk: boolean
  readonly whyUnasked: string | undefined
  readonly isRead: boolean
  readonly piped: boolean
  /** All of stdout, and all of stderr with the questions and what was typed. */
  stdout = ''
  stderr = ''
  readonly questions: string[] = []
  /** Whether each of them took a single key. */
  readonly singleKeys: boolean[] = []
  readonly paged: string[] = []
  /** What the user was told while relay waited, and `over` for each that has ended. */
  readonly notices: (Notice | 'over')[] = []
  /** What was sent to its clipboard. */
  readonly sent: string[] = []
  /** What was opened in the editor. */
  readonly edited: (readonly string[])[] = []
  /** The answers still to come; tests may add. */
  readonly answers: Typed[]
  readonly #stdin: Uint8Array
  #listener: KeyboardListener | undefined
  readonly #fallbackEditor: string | undefined
  /** The setting that each opening of the editor was given. */
  readonly editorSettings: (string | undefined)[] = []
  readonly #editor: FakeTerminalOptions['editor']
  readonly #program: FakeTerminalOptions['program']
  readonly #life: Life
  readonly #interruption: AbortSignal

  constructor(life: Life, interruption: AbortSignal, options: FakeTerminalOptions = {}) {
    this.#life = life
    this.#interruption = interruption
    this.answers = [...(options.answers ?? [])]
    this.canAsk = options.canAsk ?? options.answers !== undefined
    this.whyUnasked = options.whyUnasked
    this.isRead = options.isRead ?? false
    this.piped = options.stdin !== undefined
    this.#editor = options.editor
    this.#program = options.program
    this.#fallbackEditor = options.fallbackEditor
    this.takesCopies = options.takesCopies ?? false
    this.#stdin = Buffer.from(options.stdin ?? '')
    this.columns = options.columns ?? 80
    this.rows = options.rows ?? 24
    this.live = options.live ?? false
    this.colour = { out: options.colour ?? false, err: options.colour ?? false }
    this.unicode = options.unicode ?? true
    this.links = options.links ?? 'none'
  }

  out(text: string): void {
    this.#life.check()
    this.stdout += withNewline(text)
  }

  err(text: string): void {
    this.#life.check()
    this.stderr += withNewline(text)
  }

  /** Ends once stderr shows it. */
  async until(shows: RegExp): Promise<void> {
    for (let turn = 0; !shows.test(this.stderr); turn++) {
      if (turn === 10_000) throw new Error(`never showed ${shows}:\n${this.stderr}`)
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  status(): void {
    this.#life.check()
  }

  async ask(question: string, { withdraw, singleKey = false }: AskOptions = {}): Promise<string | undefined> {
    this.#life.check()
    this.singleKeys.push(singleKey)
    if (!this.canAsk || this.#interruption.aborted || withdraw?.aborted) return undefined
    this.questions.push(question)
    const next = this.answers.shift()
    const typed = typeof next === 'function' ? await next() : next
    this.#life.check()
    const answer = this.#interruption.aborted || withdraw?.aborted ? undefined : typed
    this.stderr += `${question} ${answer ?? ''}`.trimEnd().concat('\n')
    return answer
  }

  notice(notice: Notice): () => void {
    this.#life.check()
    this.notices.push(notice)
    return () => {
      this.notices.push('over')
    }
  }

  /** As a paste into the window does it. */
  paste(text: string): void {
    this.#listener?.pasted(text)
  }

  /** As a paste in a terminal that does not mark it does it. */
  pasteUnmarked(): void {
    this.#listener?.unmarked()
  }

  /** As a key that comes alone does it. */
  press(key: string): void {
    this.#listener?.pressed(key)
  }

  pressEscape(): void {
    this.#listener?.escaped?.()
  }

  listen(to: KeyboardListener): (() => void) | undefined {
    if (!this.canAsk) return undefined
    this.#listener = to
    return () => {
      this.#listener = undefined
    }
  }

  async page(text: string, patch?: () => string): Promise<void> {
    this.#life.check()
    this.paged.push(text)
    // As for a pager that takes what git prints.
    patch?.()
  }

  fallbackEditor(setting?: string): string | undefined {
    return setting === undefined ? this.#fallbackEditor : undefined
  }

  async edit(paths: readonly string[], setting?: string): Promise<{ end: 'edited' | 'absent'; editor: string }> {
    this.#life.check()
    this.editorSettings.push(setting)
    this.edited.push(paths)
    if (this.#editor === undefined) return { end: 'absent', editor: 'vi' }
    this.#editor(paths)
    return { end: 'edited', editor: 'vi' }
  }

  async lend(argv: readonly string[], options: LendOptions): Promise<'ended' | 'absent'> {
    this.#life.check()
    if (this.#program === undefined) return 'absent'
    this.#program(argv, options)
    return 'ended'
  }

  async copy(text: string): Promise<boolean> {
    this.#life.check()
    if (this.takesCopies) this.sent.push(text)
    return this.takesCopies
  }

  async tools({ notify, editor = 'vi' }: ToolSettings): Promise<TerminalTools> {
    const notices = notify === 'off' || notify === 'bell' ? notify : notify === 'auto' ? 'terminal' : 'command'
    return { isTerminal: this.canAsk, pager: 'less -R', editor, hasEditor: true, notices }
  }

  async readStdin(): Promise<Uint8Array> {
    this.#life.check()
    return this.#stdin
  }
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
