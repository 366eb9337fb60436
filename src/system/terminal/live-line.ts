import type { Ora } from 'ora'

/** The one live line at the bottom of the screen. Its spinner shows that relay is alive. */
export class LiveLine {
  readonly #look: { readonly colour: boolean; readonly unicode: boolean }
  #text: string | undefined
  #spinner: Ora | undefined
  #loading: Promise<void> | undefined

  constructor(look: { readonly colour: boolean; readonly unicode: boolean }) {
    this.#look = look
  }

  show(text: string | undefined): void {
    this.#text = text
    if (this.#spinner !== undefined) this.#update(this.#spinner)
    // An update of relay meanwhile may have removed the library: then there is no spinner, and all else goes on.
    else if (text !== undefined) this.#loading ??= this.#load().catch(() => undefined)
  }

  async #load(): Promise<void> {
    const [{ default: ora }, { default: chalk }] = await Promise.all([import('ora'), import('chalk')])
    // The library takes its colours from here.
    chalk.level = this.#look.colour ? 1 : 0
    const spinner = ora({
      stream: process.stderr,
      // We decide this. The library must not take the keyboard, nor hide a cursor that a kill would leave hidden.
      isEnabled: true,
      discardStdin: false,
      hideCursor: false,
      color: this.#look.colour ? 'cyan' : false,
      spinner: this.#look.unicode ? 'dots' : 'line',
    })
    // After the window's width changes, terminals differ in how many rows the line takes. Where the library counts
    // one too many, it clears what stands above. So the cursor waits at the line's start, and everything from there
    // on is cleared. A line that is too long for a narrower window is cut at its edge.
    const frame = spinner.frame.bind(spinner)
    spinner.frame = () => `\x1b[?7l${frame()}\x1b[?7h\r`
    // The library replaces this function with its own.
    const write = process.stderr.write.bind(process.stderr)
    spinner.clear = () => {
      // Not from the first column: in the first row tmux takes that for the whole screen, and keeps it in its
      // history.
      write('\r\x1b[K\x1b[C\x1b[J\r')
      return spinner
    }
    this.#spinner = spinner
    this.#update(spinner)
  }

  #update(spinner: Ora): void {
    if (this.#text !== undefined) {
      spinner.text = this.#text
      if (!spinner.isSpinning) spinner.start()
    } else if (spinner.isSpinning) spinner.stop()
  }
}
