import type { Ora } from 'ora'

/** The one live line at the bottom of the screen, with a spinner that says that relay is alive. */
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
    // Who has updated relay meanwhile has no spinner, and nothing else ends.
    else if (text !== undefined) this.#loading ??= this.#load().catch(() => undefined)
  }

  async #load(): Promise<void> {
    const [{ default: ora }, { default: chalk }] = await Promise.all([import('ora'), import('chalk')])
    // Whose colours the library uses.
    chalk.level = this.#look.colour ? 1 : 0
    const spinner = ora({
      stream: process.stderr,
      // Decided by us; the library must not take the keyboard, nor hide a cursor that a kill would leave hidden.
      isEnabled: true,
      discardStdin: false,
      hideCursor: false,
      color: this.#look.colour ? 'cyan' : false,
      spinner: this.#look.unicode ? 'dots' : 'line',
    })
    // How many rows the line takes once the window has another width differs between terminals, and where the library
    // counts one too many it clears what stands above. So the cursor waits at the line's start, and all from there on goes;
    // what is too long for a window that became narrower is cut at its edge.
    const frame = spinner.frame.bind(spinner)
    spinner.frame = () => `\x1b[?7l${frame()}\x1b[?7h\r`
    // The library puts a function of its own in the place of this one.
    const write = process.stderr.write.bind(process.stderr)
    spinner.clear = () => {
      // Not from the first column on: in the first row tmux takes that for the whole screen, and keeps it in its history.
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
