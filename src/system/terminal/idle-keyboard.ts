import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { statFields } from '../kernel-file.ts'
import type { Key } from './key-filter.ts'
import { holdKeyboard, type KeyboardDesk, releaseKeyboard, suspend } from './keyboard-mode.ts'

interface IdleDesk extends KeyboardDesk {
  pressed(key: string): void
  escaped(): void
}

/** A key counts when nothing follows it: a paste that the terminal does not mark goes on. */
const aloneMs = 50

/** How soon relay notices that it was brought to the front. */
const foregroundMs = 300

/**
 * The keyboard while no question is open. A pasted text goes to relay, Ctrl+C and Ctrl+Z do what they always do, and
 * a key that comes alone is passed on.
 */
export class IdleKeyboard {
  readonly #desk: IdleDesk
  readonly #lone = new LoneKey()
  #holds = false
  #coming: ReturnType<typeof setTimeout> | undefined
  #waiting: ReturnType<typeof setInterval> | undefined

  constructor(desk: IdleDesk) {
    this.#desk = desk
  }

  /**
   * Takes the keyboard. In the background of a shell, taking it would stop relay: there it waits until the shell
   * brings relay to the front.
   */
  hold(): void {
    if (this.#holds) return
    if (!isInForeground()) {
      this.#waiting ??= setInterval(() => this.hold(), foregroundMs)
      return
    }
    this.#stopWaiting()
    this.#holds = true
    const { keyboard, filter } = this.#desk
    // The next question begins with a guard of its own, so nothing typed now answers it.
    filter.guardEnd = Number.NEGATIVE_INFINITY
    this.changed()
    keyboard.on('data', this.#feed)
    process.on('SIGCONT', this.#continued)
    holdKeyboard(this.#desk)
  }

  /** What the user types right now was not meant for what the screen shows now. */
  changed(): void {
    this.#lone.stir(performance.now())
  }

  release(): void {
    this.#stopWaiting()
    if (!this.#holds) return
    this.#holds = false
    clearTimeout(this.#coming)
    this.#desk.keyboard.off('data', this.#feed)
    process.off('SIGCONT', this.#continued)
    releaseKeyboard(this.#desk)
  }

  #stopWaiting(): void {
    clearInterval(this.#waiting)
    this.#waiting = undefined
  }

  readonly #feed = (chunk: Uint8Array) => {
    const now = performance.now()
    const keys = this.#desk.filter.feed(chunk, now)
    const lone = this.#lone.take(keys, now)
    if (!isEnter(chunk)) clearTimeout(this.#coming)
    if (isEscape(chunk)) this.#coming = setTimeout(() => this.#desk.escaped(), aloneMs)
    if (lone !== undefined) this.#coming = setTimeout(() => this.#desk.pressed(lone), aloneMs)
    for (const key of keys) {
      if (key.kind === 'pasted') this.#desk.pasted(key.bytes)
      else if (key.kind === 'unmarked') this.#desk.unmarked()
      else if (key.kind === 'interrupt') this.#desk.interrupt()
      else if (key.kind === 'suspend') suspend(this.#desk).then(this.#continued)
    }
  }

  /** While relay was stopped, the shell gave the terminal its own mode. */
  readonly #continued = () => {
    if (!this.#holds || !isInForeground()) return
    releaseKeyboard(this.#desk)
    holdKeyboard(this.#desk)
    this.changed()
  }
}

function isEnter(chunk: Uint8Array): boolean {
  return chunk.length === 1 && (chunk[0] === 13 || chunk[0] === 10)
}

function isEscape(chunk: Uint8Array): boolean {
  return chunk.length === 1 && chunk[0] === 27
}

/**
 * `false` for a process in the background of its shell, which may not use its terminal now. Where this cannot be
 * told, the answer is yes: most programs start in the foreground.
 */
function isInForeground(): boolean {
  try {
    const status = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , foreground] = statFields(status)
    return foreground === '-1' || foreground === group
  } catch {
    return true
  }
}

/** Half a second: nobody reads what was just printed and presses a key for it faster. */
const quietMs = 500

/**
 * Finds a key that is meant for relay: it comes alone, after half a second in which nothing was typed and nothing
 * printed.
 *
 * So neither typing for an earlier question nor a text from a terminal that does not mark pastes counts as a key.
 */
export class LoneKey {
  #stirredAt = Number.NEGATIVE_INFINITY

  /** Something was printed: the user does not type for it yet. */
  stir(now: number): void {
    this.#stirredAt = now
  }

  /** The key in what came at once, if it is one. An Enter behind it is a habit from the questions. */
  take(keys: readonly Key[], now: number): string | undefined {
    const isQuiet = now - this.#stirredAt >= quietMs
    this.#stirredAt = now
    const [key] = keys
    if (!isQuiet || keys.length !== 1 || key?.kind !== 'typed') return undefined
    const text = Buffer.from(key.bytes)
      .toString('utf8')
      .replace(/[\r\n]$/, '')
    return /^[^\p{C}\s\ufffd]$/u.test(text) ? text : undefined
  }
}
