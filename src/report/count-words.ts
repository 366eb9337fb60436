import type { Style } from './style.ts'

/** Lines that a change adds and removes. */
export interface Counts {
  readonly added: number
  readonly removed: number
}

/** `+19 -3`, with colours. */
export function countWords({ added, removed }: Counts, style: Style): string {
  return `${style.paint.ok(`+${added}`)} ${style.paint.fail(`-${removed}`)}`
}
