import type { Style } from './style.ts'

/** What a file's counts look like: `+19 -3`, each half only where it can be other than zero. */
export interface Counts {
  readonly added: number
  readonly removed: number
}

/** `+19 -3`, with colours. */
export function countWords({ added, removed }: Counts, style: Style): string {
  return `${style.paint.ok(`+${added}`)} ${style.paint.fail(`-${removed}`)}`
}
