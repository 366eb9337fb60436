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
    this.#spinner = ora({
      stream: process.stderr,
      // Decided by us; the library must not take the keyboard, nor hide a cursor that a kill would leave hidden.
      isEnabled: true,
      discardStdin: false,
      hideCursor: false,
      color: this.#look.colour ? 'cyan' : false,
      spinner: this.#look.unicode ? 'dots' : 'line',
    })
    this.#update(this.#spinner)
  }

  #update(spinner: Ora): void {
    if (this.#text === undefined) spinner.stop()
    else {
      spinner.text = this.#text
      if (!spinner.isSpinning) spinner.start()
    }
  }
}
