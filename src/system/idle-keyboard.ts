import type { ReadStream } from 'node:tty'
import { isInForeground } from './foreground.ts'
import type { KeyFilter } from './key-filter.ts'
import { holdKeyboard, releaseKeyboard } from './keyboard-mode.ts'

export interface IdleDesk {
  readonly keyboard: ReadStream
  readonly screen: NodeJS.WritableStream
  readonly filter: KeyFilter
  interrupt(): void
  pasted(bytes: Uint8Array): void
}

/**
 * The keyboard while no question is open: what is pasted is a text for relay, Ctrl+C and Ctrl+Z do what they always do,
 * and no other key means anything.
 */
export class IdleKeyboard {
  readonly #desk: IdleDesk
  #holds = false

  constructor(desk: IdleDesk) {
    this.#desk = desk
  }

  /** Takes the keyboard, unless somebody else works on this terminal now: taking it then would stop relay. */
  hold(): void {
    if (this.#holds || !isInForeground()) return
    this.#holds = true
    const { keyboard, screen, filter } = this.#desk
    // Nothing typed now answers a question to come.
    filter.guardEnd = Number.POSITIVE_INFINITY
    keyboard.on('data', this.#feed)
    process.on('SIGCONT', this.#continued)
    holdKeyboard(keyboard, screen)
  }

  release(): void {
    if (!this.#holds) return
    this.#holds = false
    const { keyboard, screen } = this.#desk
    keyboard.off('data', this.#feed)
    process.off('SIGCONT', this.#continued)
    releaseKeyboard(keyboard, screen)
  }

  readonly #feed = (chunk: Uint8Array) => {
    for (const key of this.#desk.filter.feed(chunk, performance.now())) {
      if (key.kind === 'pasted') this.#desk.pasted(key.bytes)
      else if (key.kind === 'interrupt') this.#desk.interrupt()
      else if (key.kind === 'suspend') this.#suspend()
    }
  }

  /** To the whole group, as the terminal does it: `npx` and the like stop with relay. */
  #suspend(): void {
    const { keyboard, screen } = this.#desk
    releaseKeyboard(keyboard, screen)
    process.kill(0, 'SIGTSTP')
    // Where nobody could wake it, the system ignores that.
    setTimeout(this.#continued, 50)
  }

  /** Who stopped relay has given the terminal its own mode. */
  readonly #continued = () => {
    if (!this.#holds || !isInForeground()) return
    const { keyboard, screen } = this.#desk
    releaseKeyboard(keyboard, screen)
    holdKeyboard(keyboard, screen)
  }
}
