import { agentsOf } from '../../agents/backends/own-agents.ts'
import { copiedInstruction } from '../../agents/session/note-lines.ts'
import type { RelayOptions } from '../../flows/understood-answer.ts'
import { digest } from '../../ground/bytes.ts'
import type { Project } from '../../model/project.ts'
import type { IgnoredWhy, Parsed, Patch, Response } from '../../model/response.ts'
import type { Outcome } from '../../model/talk.ts'
import { titleOf } from '../../model/title.ts'
import { parseResponse } from '../../parse/parse-response.ts'
import type { ClipboardBackEnd, System } from '../../ports.ts'
import {
  clipboardLines,
  continuedLine,
  idleLine,
  knownLine,
  notDelegatedLine,
  pausedLine,
  queuedLine,
  unmarkedLines,
  untakenWhilePausedLine,
} from '../../report/screens/watch-lines.ts'
import { Queue } from '../../source/queue.ts'
import { type Copied, watchClipboard } from '../../source/watch-clipboard.ts'
import { isDeclinedOffer } from '../../transact/journal/declined-offer.ts'
import { isFirstToday } from '../../transact/journal/named-projects.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { projectIdNow } from '../talk/reload-project.ts'
import { sayOutcome } from '../talk/say-outcome.ts'
import { isScreen, styleOf } from '../talk/style-of.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import type { Offer } from '../talk/way-out.ts'
import { type CopiedInstruction, whyNotDelegated } from './offer-delegation.ts'

/** A key that was pressed while nothing else went on. */
export interface Pressed {
  readonly key: string
}

/** The keys that an answer got which was not applied, beside those of a watcher that waits. */
export interface OpenOffer {
  readonly copied: Copied
  readonly way: RelayOptions
  readonly offers: readonly Offer[]
}

/** A text that was copied to be delegated. */
export interface Wished extends Copied {
  readonly wish: CopiedInstruction
}

const unmarkedPauseMs = 30_000

const idleLines = { none: idleLine, on: pausedLine, over: continuedLine } as const

/** Where copied and pasted patches wait for their turn, and a key has its own when nothing waits. */
export class Inbox {
  readonly queue = new Queue<Copied | Wished | Pressed>()
  /** What is being handled. */
  current: Copied | Pressed | undefined
  /** Somebody sits at the keyboard. */
  hasKeys = false
  /** What can be done about the answer before, which was not applied. */
  offer: OpenOffer | undefined
  /** The key that was pressed last. */
  lastKey = ''
  /** Ends when what is copied from then on will be noticed. */
  readonly watches: Promise<void>
  #watches: () => void = () => {}
  readonly #system: System
  readonly #events: WatchEvents
  readonly #project: () => Project
  /** `over`: nobody has been told yet that it is. */
  #pause: 'none' | 'on' | 'over' = 'none'
  readonly #named = new Set<string>()
  /** When it was said last that a paste was dropped. */
  #unmarkedAt = Number.NEGATIVE_INFINITY
  /** Ends when all that was pasted until now has been looked at. */
  #pasting: Promise<void> = Promise.resolve()

  constructor(system: System, events: WatchEvents, project: () => Project) {
    this.#system = system
    this.#events = events
    this.#project = project
    this.watches = new Promise(resolve => {
      this.#watches = resolve
    })
  }

  /** Puts what is copied, pasted into the window and pressed into the queue until the interruption. */
  async receive(backEnd: ClipboardBackEnd): Promise<void> {
    const leave = this.#system.terminal.listen({
      pasted: text => {
        const admit = () => this.#admit({ response: { text, source: 'paste' }, initial: false })
        // One that failed is awaited at the end, and none after it is lost by that.
        this.#pasting = this.#pasting.then(admit, async error => {
          await admit()
          throw error
        })
        this.#pasting.catch(() => undefined)
      },
      unmarked: () => this.#sayUnmarked(),
      pressed: key => this.queue.offer({ key }),
    })
    this.hasKeys = leave !== undefined
    try {
      if (backEnd.kind === 'none') await this.#interrupted()
      else await this.#copy(backEnd)
    } finally {
      leave?.()
      this.queue.close()
    }
    await this.#pasting
  }

  /** One paste comes in many pieces, so it is said once in a while. */
  #sayUnmarked(): void {
    const { terminal, clock } = this.#system
    if (clock.monotonic() - this.#unmarkedAt < unmarkedPauseMs) return
    this.#unmarkedAt = clock.monotonic()
    for (const line of unmarkedLines(styleOf(terminal))) terminal.err(line)
  }

  /** Nothing that is copied is taken. */
  get paused(): boolean {
    return this.#pause === 'on'
  }

  pause(isOn: boolean): void {
    this.#pause = isOn ? 'on' : 'over'
  }

  /** Says that nothing is under way, where somebody looks on. */
  sayIdle(): void {
    const { terminal } = this.#system
    if (isScreen(terminal)) terminal.err(idleLines[this.#pause](styleOf(terminal)))
    if (this.#pause === 'over') this.#pause = 'none'
  }

  async #copy(backEnd: ClipboardBackEnd): Promise<void> {
    const { terminal } = this.#system
    const interval = () => this.#project().config.clipboardPollInterval
    const told = watchClipboard(backEnd, this.#system, interval, state => {
      if (state.kind === 'watching') {
        this.#watches()
        return
      }
      for (const line of clipboardLines(state, this.hasKeys, styleOf(terminal))) terminal.err(line)
      if (state.kind === 'back' && this.current === undefined) this.sayIdle()
      this.#events.say({ event: 'clipboard', state: state.kind, message: 'message' in state ? state.message : null })
    })
    const layout = layoutOf(this.#project().root, this.#system.files)
    for await (const copied of told) {
      const isUnwanted = copied.initial && (await isDeclinedOffer(copied.response.text, layout))
      if (!isUnwanted) await this.#admit(copied)
    }
  }

  async #interrupted(): Promise<void> {
    const { interruption } = this.#system
    this.#watches()
    if (interruption.aborted) return
    await new Promise(resolve => interruption.addEventListener('abort', resolve, { once: true }))
  }

  /** Lets in what speaks to this project. */
  async #admit(copied: Copied): Promise<void> {
    const { text } = copied.response
    const { parsed, projectId } = await this.#understand(text)
    if (parsed.kind === 'ignored') {
      const wish = copied.initial ? undefined : this.#wishIn(text)
      if (wish !== undefined) return this.#admitWish({ ...copied, wish })
      await this.#sayIgnored(parsed.why, copied.response, projectId)
      // One that only lacks its control block has its turn like a patch: there are ways out to offer.
      if (parsed.why.kind !== 'no-control') return
    }
    this.#letIn(copied, parsed.kind === 'patch' ? parsed.patch : undefined)
  }

  async #admitWish(wished: Wished): Promise<void> {
    const { agent } = wished.wish
    const why = await whyNotDelegated(agent, this.#project(), this.#system)
    if (why === undefined) return this.#letIn(wished, undefined)
    const { terminal } = this.#system
    if (this.#isNew(why)) terminal.err(notDelegatedLine(why, styleOf(terminal)))
  }

  #letIn(copied: Copied | Wished, patch: Patch | undefined): void {
    const { terminal } = this.#system
    const { text, source } = copied.response
    const title = patch && titleOf(patch)
    // What is pasted into this window is meant for it.
    if (this.paused && source !== 'paste') {
      terminal.err(untakenWhilePausedLine(title, styleOf(terminal)))
      return
    }
    // Each way of copying has its own blank lines around it.
    const isSame = (each: Copied | Pressed) => 'response' in each && each.response.text.trim() === text.trim()
    const isUnderWay = this.current !== undefined && isSame(this.current)
    // A second turn would only tell how the first one has ended.
    if (isUnderWay || this.queue.some(isSame)) {
      terminal.err(knownLine(isUnderWay, title, styleOf(terminal)))
      return
    }
    if ('wish' in copied) this.queue.addLate(copied)
    else this.queue.add(copied)
    const isBusy = this.current !== undefined
    const waiting = isBusy ? this.queue.waiting : 0
    this.#events.say({ event: 'detected', title: title ?? null, uuid: patch?.control.uuid ?? null, waiting })
    if (isBusy) terminal.err(queuedLine(waiting, title, styleOf(terminal)))
  }

  /** Without somebody who can be asked there is none: nothing is delegated without a yes. */
  #wishIn(text: string): CopiedInstruction | undefined {
    if (!this.#system.terminal.canAsk) return undefined
    return copiedInstruction(
      text,
      agentsOf(this.#project().config).map(({ name }) => name),
    )
  }

  /** Most copies are not meant for relay, and all pastes are. Of the others what looks like a patch is named. */
  async #sayIgnored(why: IgnoredWhy, { text, source }: Response, projectId: string): Promise<void> {
    const outcome = { kind: 'ignored', why } as const
    if (source === 'paste') {
      if (why.kind === 'no-control') return
      if (this.current === undefined) this.offer = undefined
      sayOutcome(outcome, { projectId, source }, this.#system, this.#events)
      return
    }
    const name = nameOf(why, text)
    if (name === undefined || !this.#isNew(name)) return
    // Where several projects are watched, each window sees the answers to all of them.
    if (why.kind === 'other-project' && !(await this.#isNewToday(why.projectId))) this.#events.ended(outcome)
    else this.#sayInPassing(outcome, projectId)
  }

  /** By what every watcher of this project has named. */
  async #isNewToday(projectId: string): Promise<boolean> {
    const { clock, files } = this.#system
    const now = clock.now()
    // Asks the disk once, and not at each copy.
    if (!this.#isNew(`${now.toDateString()} ${projectId}`)) return false
    return isFirstToday(projectId, now, layoutOf(this.#project().root, files))
  }

  /**
   * An offer about an earlier answer ends with that: its keys would stand below the words about another one. A question
   * about a patch cannot end so.
   */
  #sayInPassing(outcome: Outcome, projectId: string): void {
    const isMeanwhile = this.current !== undefined
    if (!isMeanwhile) this.offer = undefined
    sayOutcome(outcome, { projectId, inPassing: isMeanwhile ? 'meanwhile' : 'alone' }, this.#system, this.#events)
  }

  /** Whether something was not named before; from now on it was. */
  #isNew(name: string): boolean {
    const isNew = !this.#named.has(name)
    this.#named.add(name)
    return isNew
  }

  /**
   * What a text is to this project, which may have another name by now. Only an answer for another name makes relay look
   * that up; the rest of a changed configuration has to wait for the answer's turn.
   */
  async #understand(text: string): Promise<{ readonly parsed: Parsed; readonly projectId: string }> {
    const project = this.#project()
    const { projectId } = project.config
    const parsed = parseResponse(text, projectId)
    if (parsed.kind !== 'ignored' || parsed.why.kind !== 'other-project') return { parsed, projectId }
    const now = await projectIdNow(project, this.#system)
    return now === projectId ? { parsed, projectId } : { parsed: parseResponse(text, now), projectId: now }
  }
}

/** By what an ignored text is known again; nothing where it is passed over in silence. */
function nameOf(why: IgnoredWhy, text: string): string | undefined {
  if (why.kind === 'other-project') return `${why.projectId} ${why.uuid}`
  const isPart = why.kind === 'no-patch' && (why.isCut === true || why.isBlock === true)
  return isPart ? digest('sha256', text.trim()) : undefined
}
