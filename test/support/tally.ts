import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'

/** How many points of one kind were tried, of which so many went wrong. */
export interface Tried {
  readonly kind: string
  readonly points: number
  readonly wrong: number
  readonly seconds: number
  /** How their runs ended, and how many of them. */
  readonly ends?: Readonly<Record<string, number>>
}

/** A kind that could not be tried here. */
export interface LeftOut {
  readonly kind: string
  readonly why: string
}

/** Of so many cases those of this run: `drawn.ts`. */
export interface Drawn {
  readonly drawn: number
  readonly of: number
}

export type Tallied = Tried | LeftOut | Drawn

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that the lines are added to. */
    tally: string
  }
}

/** Counts for the lines at the end of the whole run, which `tally-setup.ts` prints. */
export function tally(line: Tallied): void {
  appendFileSync(inject('tally'), `${JSON.stringify(line)}\n`)
}
