import { countedShape } from '../../check/counted-shape.ts'
import { isRecord, isShape, isText } from '../../ground/json.ts'
import type { Check } from '../../model/check.ts'
import { readNote, writeNote } from '../disk/note.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { fingerprintOf } from '../survey/project-fingerprint.ts'

type Counted = Extract<Check, { kind: 'counted' }>

interface KnownCheck {
  readonly linter: string
  /** The project's files as the linter found and left them. */
  readonly stand: string
  readonly errors: number
  readonly list: Counted['list']
  readonly code: number
  readonly failed: Counted['failed']
}

/** What the linter found before a patch and with it: one that only made new files leaves no trace when it is taken back. */
const mostKept = 2

/** A check with more errors is not remembered: it would take hundreds of megabytes to have it at hand. */
const mostErrors = 50_000

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
  #isNew = false

  constructor(linter: string, layout: Layout, signal: AbortSignal) {
    this.#linter = linter
    this.#layout = layout
    this.#signal = signal
  }

  /** `undefined` when that is not known; nor will it be later in this transaction, as where there are too many files. */
  async stand(): Promise<string | undefined> {
    if (this.#isUnknown) return undefined
    const stand = await fingerprintOf(this.#layout, this.#signal)
    this.#isUnknown = stand === undefined
    return stand
  }

  /** Whether a check may be known, before the long look at the project. */
  async mayKnow(): Promise<boolean> {
    this.#checks ??= await this.#read()
    return this.#checks.length > 0
  }

  /** To be asked where a check may be known. */
  lookUp(stand: string | undefined): Counted | undefined {
    const known = this.#checks?.find(each => each.stand === stand)
    // Of errors that are only counted, nobody can tell later which of them are new.
    if (known === undefined || (known.errors > 0 && known.list === undefined)) return undefined
    const { errors, list, code, failed } = known
    return { kind: 'counted', errors, list, code, failed, output: '' }
  }

  async remember(stand: string, check: Counted): Promise<void> {
    if (check.errors > mostErrors) return
    this.#checks ??= await this.#read()
    const { errors, list, code, failed } = check
    const known = { linter: this.#linter, stand, errors, list, code, failed }
    this.#checks = [known, ...this.#checks.filter(each => each.stand !== stand)].slice(0, mostKept)
    this.#isNew = true
  }

  /** Brings what is new to the disk, by way of the transaction's stage, which has to be there. */
  async save(stage: Stage): Promise<void> {
    if (!this.#isNew) return
    this.#isNew = false
    const note = { version: 1, checks: this.#checks }
    await writeNote(this.#layout.knownChecks, note, stage.draft, this.#layout.files, false).catch(() => undefined)
  }

  async #read(): Promise<readonly KnownCheck[]> {
    const note = await readNote(this.#layout.knownChecks, this.#layout.files).catch(() => undefined)
    const { version, checks } = isRecord(note) ? note : {}
    if (version !== 1 || !Array.isArray(checks)) return []
    return checks.filter(isKnownCheck).filter(({ linter }) => linter === this.#linter)
  }
}

const isKnownCheck = isShape<KnownCheck>({ linter: isText, stand: isText, ...countedShape })
