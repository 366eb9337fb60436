import type { Hunk } from '../../model/response.ts'

/** What a block's text asks of one file. Lines are 0-based in that text; a path that is not given is the block's. */
export type FileEdit =
  | { readonly op: 'edit'; readonly path?: string; readonly hunks: readonly EditText[]; readonly executable?: boolean }
  | {
      readonly op: 'rename'
      readonly path: string
      readonly to: string
      readonly hunks: readonly EditText[]
      readonly executable?: boolean
    }
  | { readonly op: 'delete'; readonly path?: string; readonly hunks?: readonly EditText[] }

export type EditText = Omit<Hunk, 'block'>

export type ReadEdits =
  | { readonly kind: 'edits'; readonly files: readonly FileEdit[] }
  /** Something of it is not understood, on that line: then nothing of it may be applied. */
  | Damage

export interface Damage {
  readonly kind: 'damaged'
  readonly line: number
  /** A sentence without its period, for the user. */
  readonly why: string
}

export function damaged(line: number, why: string): Damage {
  return { kind: 'damaged', line, why }
}

/** The signed lines of one edit, from a line on, as they are read one after the other. */
export class HunkReader {
  readonly #lines: string[] = []
  readonly #line: number
  readonly #below: readonly string[]
  #finalNewline: boolean | undefined
  #loose = 0
  #lastSign = ''

  constructor(line: number, below: readonly string[] = []) {
    this.#line = line
    this.#below = below
  }

  /** Takes a line with its sign; a blank one that lost its sign is one that stays. `false`: it is no line of an edit. */
  take(line: string): boolean {
    const [sign = ''] = line
    if (sign === '\\') {
      // "No newline at end of file" speaks of the line above; what the new one has counts, wherever it stands.
      if (this.#lastSign !== '-') this.#finalNewline = false
      else this.#finalNewline ??= true
      return true
    }
    if (line.trim() === '') {
      this.#lines.push(line === '' || sign === ' ' ? ` ${line.slice(1)}` : ` ${line}`)
      this.#loose = line === '' ? this.#loose + 1 : 0
      this.#lastSign = ' '
      return true
    }
    if (sign !== ' ' && sign !== '-' && sign !== '+') return false
    this.#lines.push(line)
    this.#loose = 0
    this.#lastSign = sign
    return true
  }

  /** Whether it changes anything. */
  get changes(): boolean {
    return this.#lines.some(line => !line.startsWith(' '))
  }

  /** Whether all its lines come, blank ones without a sign among them. */
  get onlyAdds(): boolean {
    return this.#lines.every(line => line.startsWith('+') || line.trim() === '')
  }

  hunk(more: Pick<EditText, 'atEnd'> = {}): EditText {
    return {
      line: this.#line,
      lines: this.#lines,
      ...(this.#below.length === 0 ? {} : { below: this.#below }),
      ...(this.#finalNewline === undefined ? {} : { finalNewline: this.#finalNewline }),
      ...(this.#loose === 0 ? {} : { looseBlanks: this.#loose }),
      ...more,
    }
  }

  /** As the whole of a new file: its blank lines lost their sign, but for those at its end, which only set it apart. */
  whole(): EditText {
    const lines = this.#lines.slice(0, this.#lines.length - this.#loose).map(line => `+${line.slice(1)}`)
    const { finalNewline } = this.hunk()
    return { line: this.#line, lines, isNew: true, ...(finalNewline === undefined ? {} : { finalNewline }) }
  }
}

/** The lines of a text; what stands behind the last line end is none. */
export function linesOf(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
