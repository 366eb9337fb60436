import { Chalk } from 'chalk'

/** How lines look on one terminal: colours by what they mean, signs, and the room there is. */
export interface Style {
  /** How many columns a line fills at most. */
  readonly columns: number
  readonly paint: Paint
  readonly sign: Signs
}

export type Paint = Readonly<Record<'ok' | 'fail' | 'needsYou' | 'path' | 'meta' | 'strong', (text: string) => string>>

/** Never colour alone: each meaning has a sign as well. */
export type Signs = Readonly<Record<keyof typeof UNICODE, string>>

/**
 * The style of a terminal, from what is known about it.
 *
 * The colour level is given outright: what chalk would find out about the process by itself is not asked, so that one
 * place decides. Lines stay two columns short of the edge, and between 40 and 100: narrower cannot be laid out, wider
 * tears left and right apart.
 */
export function createStyle(terminal: {
  readonly colour: boolean
  readonly unicode: boolean
  readonly columns: number
}): Style {
  const chalk = new Chalk({ level: terminal.colour ? 1 : 0 })
  return {
    columns: Math.min(100, Math.max(40, Math.floor(terminal.columns) || 80)) - 2,
    paint: {
      ok: chalk.green,
      fail: chalk.red,
      needsYou: chalk.yellow,
      path: chalk.cyan,
      meta: chalk.dim,
      strong: chalk.bold,
    },
    sign: terminal.unicode ? UNICODE : ASCII,
  }
}

const UNICODE = {
  ok: '✔',
  fail: '✖',
  needsYou: '▲',
  patch: '●',
  watching: '○',
  back: '↩',
  modify: '~',
  create: '+',
  delete: '-',
  none: '=',
  rule: '─',
  cut: '…',
  gap: '⋯',
}

/** The first six are equally wide, so that what follows them stays in one column. */
const ASCII: Signs = {
  ok: 'ok',
  fail: 'x ',
  needsYou: '! ',
  patch: '* ',
  watching: 'o ',
  back: '<-',
  modify: '~',
  create: '+',
  delete: '-',
  none: '=',
  rule: '-',
  cut: '...',
  gap: '...',
}
