import { closeSync } from 'node:fs'
import type { ReadStream } from 'node:tty'
import type { KeyboardListener, Terminal } from '../../ports.ts'
import { choosePager } from './choose-pager.ts'
import { chooseEditor, fallbackEditor, hasEditor, openInEditor, wishedEditor } from './editor.ts'
import { IdleKeyboard } from './idle-keyboard.ts'
import { isTerminal } from './is-terminal.ts'
import { KeyFilter } from './key-filter.ts'
import { mayAsk, openKeyboard, openTerminal } from './keyboard.ts'
import { type Desk, runOnTerminal } from './lend.ts'
import { LiveLine } from './live-line.ts'
import { Notifier } from './notifier.ts'
import { OpenQuestion } from './open-question.ts'
import { type Output, output } from './output.ts'
import { showInPager } from './pager.ts'
import { readStdin, stdinHoldsData } from './stdin.ts'
import { terminalLook } from './terminal-look.ts'

export interface TerminalOptions {
  /** Nobody is asked, whatever the terminal. */
  readonly noInput: boolean
  readonly interruption: AbortSignal
  /** Hears of Ctrl+C at a question, where it is a key and no signal. */
  interrupt(signal: 'SIGINT'): void
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly question: OpenQuestion }
  /** Another program has them. `later` prints once that program has ended. */
  | { readonly kind: 'lent'; readonly later: (() => void)[] }

/** The terminal in which relay was started, or what stands in its place. */
export function systemTerminal(options: TerminalOptions): Terminal {
  const { env } = process
  const [stdout, stderr] = [output(1), output(2)]
  const screen = stdout.isTTY ? { stream: stdout, file: 1 } : { stream: stderr, file: 2 }
  const look = terminalLook(env, { out: stdout, err: stderr }, process.platform)
  const liveLine = new LiveLine({ colour: look.colour.err, unicode: look.unicode })
  let status: string | undefined
  let state: State = { kind: 'idle' }
  let canAsk: boolean | undefined
  const filter = new KeyFilter()
  /** Reads pastes and keys between questions, while relay wants them. */
  let idle: IdleKeyboard | undefined
  let listener: KeyboardListener | undefined

  const print = (stream: Output, text: string) => {
    const lines = text.endsWith('\n') ? text : `${text}\n`
    if (state.kind === 'asking' && stream.isTTY) state.question.above(lines)
    else if (state.kind === 'lent' && stream.isTTY) state.later.push(() => stream.write(lines))
    else stream.write(lines)
    idle?.changed()
  }
  const asks = () => {
    canAsk ??= stderr.isTTY && mayAsk(options.noInput)
    return canAsk
  }
  const showStatus = () => {
    if (look.live) liveLine.show(state.kind === 'idle' ? status : undefined)
  }

  const deskOf = (keyboard: ReadStream) => ({
    keyboard,
    filter,
    pasted: (bytes: Uint8Array) => listener?.pasted(pastedText(bytes)),
    unmarked: () => listener?.unmarked(),
  })
  const settleKeyboard = () => {
    if (state.kind === 'idle') idle?.hold()
    else idle?.release()
  }

  const become = (next: State) => {
    state = next
    settleKeyboard()
    showStatus()
  }

  const notifier = new Notifier({
    env,
    isTerminal: stderr.isTTY,
    write: sequence => stderr.write(sequence),
    say: why => print(stderr, `The command for notices (notify) did not work: ${why}`),
  })

  /** Leaves screen and Ctrl+C to another program for a while. What relay says meanwhile is printed after it. */
  const lendScreen = async <T>(run: () => Promise<T>): Promise<T> => {
    const later: (() => void)[] = []
    become({ kind: 'lent', later })
    const release = holdInterrupts()
    try {
      return await run()
    } finally {
      // A Ctrl+C that ended that program came to relay as well. It has to be taken before the listeners return.
      await new Promise(resolve => setImmediate(resolve))
      release()
      for (const printLine of later) printLine()
      become({ kind: 'idle' })
    }
  }

  const lendTerminal = async <T>(run: (desk: Desk) => Promise<T>): Promise<T | 'absent'> => {
    const file = isTerminal(0) ? undefined : openTerminal()
    const keyboard = file ?? 0
    if (!asks() || !isTerminal(keyboard)) return 'absent'
    try {
      return await lendScreen(() => run({ keyboard, screen: screen.file, interruption: options.interruption }))
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  return {
    get columns() {
      return stderr.columns || 80
    },
    get rows() {
      return stderr.rows || 24
    },
    ...look,
    get canAsk() {
      return asks()
    },
    get whyUnasked() {
      const isDumb = stderr.isTTY && isTerminal(0) && env['TERM'] === 'dumb'
      return isDumb ? 'TERM=dumb: this terminal cannot show a question' : undefined
    },
    get isRead() {
      return stdout.isTTY
    },
    get piped() {
      return stdinHoldsData()
    },
    out: text => print(stdout, text),
    err: text => print(stderr, text),

    status(text) {
      status = text
      showStatus()
    },

    async ask(text, { withdraw, goesOn = false, singleKey = false } = {}) {
      if (!asks() || options.interruption.aborted || state.kind !== 'idle' || withdraw?.aborted) return undefined
      const keyboard = openKeyboard()
      if (keyboard === undefined) return undefined
      const question = new OpenQuestion({
        ...deskOf(keyboard),
        interruption: options.interruption,
        interrupt: () => options.interrupt('SIGINT'),
      })
      state = { kind: 'asking', question }
      showStatus()
      try {
        // It is loaded before the keyboard changes hands: what a user types in between would be lost.
        await import('./prompt-input.ts')
        settleKeyboard()
        if (goesOn) filter.guardEnd = Number.NEGATIVE_INFINITY
        return await question.answer(text, singleKey, withdraw)
      } finally {
        if (keyboard !== process.stdin) keyboard.destroy()
        become({ kind: 'idle' })
      }
    },

    listen(to) {
      const keyboard = asks() && isTerminal(0) ? openKeyboard() : undefined
      if (keyboard === undefined) return undefined
      listener = to
      idle = new IdleKeyboard({
        ...deskOf(keyboard),
        // As a terminal does it when nobody reads its keys. Sent as a signal, it would end relay at once on Windows, even
        // with listeners.
        interrupt: () => void process.emit('SIGINT', 'SIGINT'),
        pressed: key => listener?.pressed(key),
        escaped: () => listener?.escaped?.(),
      })
      settleKeyboard()
      return () => {
        idle?.release()
        idle = undefined
        listener = undefined
      }
    },

    async copy(text) {
      if (!look.takesCopies) return false
      const { sendToTerminal } = await import('../clipboard/terminal-clipboard.ts')
      return sendToTerminal(text, env, sequence => stderr.write(sequence))
    },

    notice: notice => notifier.notice(notice),

    async page(text, patch) {
      const pager = screen.stream.isTTY ? await choosePager(env, patch === undefined ? 'other' : 'diff') : undefined
      if (pager === undefined) {
        print(screen.stream, text)
        return
      }
      const shown = pager.takesPatch && patch !== undefined ? patch() : text
      const terms = { screen: screen.file, env, interruption: options.interruption }
      const failure = await lendScreen(() => showInPager(pager.command, shown, terms))
      if (failure === undefined) return
      print(stderr, `The pager did not work (${failure}): ${pager.command}\nRELAY_PAGER chooses another one.`)
      print(screen.stream, text)
    },

    fallbackEditor(setting) {
      return wishedEditor(env, setting) === undefined ? fallbackEditor(env, process.platform) : undefined
    },

    async edit(paths, setting) {
      const editor = chooseEditor(env, process.platform, setting)
      const { platform } = process
      const end = await lendTerminal(desk => openInEditor(editor, paths, { ...desk, env, platform }))
      return { end, editor }
    },

    lend: (argv, terms) => lendTerminal(desk => runOnTerminal(argv, { ...desk, ...terms })),

    readStdin: most => readStdin(options.interruption, most),

    async tools({ notify, editor: setting }) {
      const editor = chooseEditor(env, process.platform, setting)
      return {
        isTerminal: stderr.isTTY === true,
        pager: (await choosePager(env, 'diff'))?.command,
        editor,
        hasEditor: await hasEditor(editor, process.platform),
        notices: notifier.wayOf(notify),
      }
    },
  }
}

/** Terminals send the end of each pasted line as Enter. */
function pastedText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n')
}

/**
 * Leaves Ctrl+C to a program that has the terminal for a while. Both get it, because the program is in relay's
 * process group, but relay does not hear it until it calls the answered function.
 */
function holdInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as (() => void)[]
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  for (const listener of listeners) process.off('SIGINT', listener)
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener)
    process.off('SIGINT', ignore)
  }
}
