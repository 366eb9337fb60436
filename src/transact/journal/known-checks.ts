import { isRecord } from '../../ground/is-record.ts'
import { isText, shaped } from '../../ground/shape.ts'
import type { Check } from '../../model.ts'
import { countedShape } from '../check/counted-shape.ts'
import { readNote, writeNote } from '../disk/note.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { isBack, type Stand, standOf } from '../survey/project-stand.ts'

type Counted = Extract<Check, { kind: 'counted' }>

interface KnownCheck {
  readonly linter: string
  /** The project's files as the linter found and left them. */
  readonly stand: string
  readonly at: string
  readonly errors: number
  readonly list: Counted['list']
  readonly code: number
  readonly failed: Counted['failed']
}

/** The newest few: a patch that is taken back leaves the project as the check before it knew it, but for times. */
const mostKept = 4

/** A check with more errors is not remembered: it would take hundreds of megabytes to have it at hand. */
const mostErrors = 50_000

/** A check can depend on what stands elsewhere (a tool that was updated), so it is not believed for long. */
const maxAgeMs = 60 * 60 * 1000

/** Some file systems count time in whole seconds, or two of them: an edit right after the linter's look can hide there. */
const coarsestMs = 2000

/**
 * What the last checks found, and in which stand of the project: while nothing has changed since, a check's result is
 * known without running the linter. A cache; whatever goes wrong with it, the linter runs.
 */
export class KnownChecks {
  readonly #layout: Layout
  readonly #linter: string
  readonly #signal: AbortSignal
  #isUnknown = false
  #checks: readonly KnownCheck[] | undefined
  /** What the checks of this transaction found, or were known to find. */
  readonly #lately: { readonly stand: Stand; readonly check: Counted; readonly at: Date }[] = []
  #isNew = false

  constructor(linter: string, layout: Layout, signal: AbortSignal) {
    this.#linter = linter
    this.#layout = layout
    this.#signal = signal
  }

  /** `undefined` when that is not known; nor will it be later in this transaction, as where there are too many files. */
  async stand(): Promise<Stand | undefined> {
    if (this.#isUnknown) return undefined
    const stand = await standOf(this.#layout, this.#signal)
    this.#isUnknown = stand === undefined
    return stand
  }

  /** Whether a check may be known, before the long look at the project. */
  async mayKnow(now: Date): Promise<boolean> {
    this.#checks ??= await this.#read(now)
    return this.#checks.length > 0
  }

  /** To be asked where a check may be known. */
  lookUp(stand: Stand | undefined): Counted | undefined {
    const known = this.#checks?.find(each => each.stand === stand?.hash)
    // Of errors that are only counted, nobody can tell later which of them are new.
    if (stand === undefined || known === undefined || (known.errors > 0 && known.list === undefined)) return undefined
    const { errors, list, code, failed } = known
    const check = { kind: 'counted', errors, list, code, failed, output: '' } as const
    this.#lately.push({ stand, check, at: new Date(known.at) })
    return check
  }

  /** @param at before the linter began */
  async remember(stand: Stand, check: Counted, at: Date): Promise<void> {
    if (check.errors > mostErrors) return
    // An edit cannot have the time of a file from the future, as archives of other time zones hold, while this is believed.
    const hidesEdit = (time: number) => time > at.getTime() - coarsestMs && time < at.getTime() + maxAgeMs
    if (stand.wholeTimes.some(hidesEdit)) return
    this.#checks ??= await this.#read(at)
    this.#lately.push({ stand, check, at })
    const { errors, list, code, failed } = check
    const known = { linter: this.#linter, stand: stand.hash, at: at.toISOString(), errors, list, code, failed }
    this.#checks = [known, ...this.#checks.filter(each => each.stand !== known.stand)].slice(0, mostKept)
    this.#isNew = true
  }

  /** Whether a check of this transaction found anything, or was known to: else nothing has to be remembered when files go back. */
  get hasFound(): boolean {
    return this.#lately.length > 0
  }

  /**
   * To be called when files are back in their places, and younger than the times that they came with: a check that found
   * them there before is still true.
   */
  async rememberBack(times: ReadonlyMap<string, number>): Promise<void> {
    const stand = await this.stand()
    if (stand === undefined) return
    const found = this.#lately.find(before => isBack(stand, before.stand, times))
    if (found !== undefined) await this.remember(stand, found.check, found.at)
  }

  /** Brings what is new to the disk, by way of the transaction's stage, which has to be there. */
  async save(stage: Stage): Promise<void> {
    if (!this.#isNew) return
    this.#isNew = false
    const note = { version: 1, checks: this.#checks }
    await writeNote(this.#layout.knownChecks, note, stage.draft, this.#layout.files, false).catch(() => undefined)
  }

  async #read(now: Date): Promise<readonly KnownCheck[]> {
    const note = await readNote(this.#layout.knownChecks, this.#layout.files).catch(() => undefined)
    const { version, checks } = isRecord(note) ? note : {}
    if (version !== 1 || !Array.isArray(checks)) return []
    return checks.filter(isKnownCheck).filter(({ linter, at }) => linter === this.#linter && isYoung(at, now))
  }
}

function isYoung(at: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(at)
  return age >= 0 && age < maxAgeMs
}

const isKnownCheck = shaped<KnownCheck>({ linter: isText, stand: isText, at: isText, ...countedShape })
