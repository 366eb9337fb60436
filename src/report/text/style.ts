import { Chalk } from 'chalk'

/** The look of lines on one terminal: colours by their meaning, signs, and the room. */
export interface Style {
  /** The most columns that a line of relay fills. */
  readonly columns: number
  /** The most columns that a line of code fills. */
  readonly width: number
  readonly rows: number
  readonly colour: boolean
  /** Turns a text into a link to a file of the project, where the terminal shows links. */
  link(text: string, place: { readonly path: string; readonly line?: number | undefined }): string
  readonly paint: Paint
  readonly sign: Signs
}

export type Paint = Readonly<
  Record<'ok' | 'fail' | 'needsYou' | 'path' | 'meta' | 'strong' | 'changed', (text: string) => string>
>

/** Never colour alone: each meaning has a sign as well. */
export type Signs = Readonly<Record<keyof typeof UNICODE, string>>

/**
 * The style of a terminal, from the facts about it.
 *
 * The colour level is set outright and chalk never looks at the process, so that one place decides. Lines end two
 * columns before the edge, and have between 40 and 100: narrower lines cannot be laid out, and wider ones tear left
 * and right apart. Code uses the whole width.
 */
export function createStyle(terminal: {
  readonly colour: boolean
  readonly unicode: boolean
  readonly columns: number
  readonly rows?: number
  readonly links?: Links | undefined
}): Style {
  const chalk = new Chalk({ level: terminal.colour ? 1 : 0 })
  const columns = Math.max(40, Math.floor(terminal.columns) || 80)
  return {
    columns: Math.min(100, columns) - 2,
    width: columns - 2,
    rows: terminal.rows ?? 24,
    colour: terminal.colour,
    link: (text, place) => (terminal.links === undefined ? text : fileLink(text, place, terminal.links)),
    paint: {
      ok: chalk.green,
      fail: chalk.red,
      needsYou: chalk.yellow,
      path: chalk.cyan,
      meta: chalk.dim,
      strong: chalk.bold,
      changed: chalk.bold.underline,
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
  blank: '·',
  tab: '→',
  // The states of a plan's task: one column each, since many stand side by side.
  completed: '✓',
  failed: '✗',
  blocked: '⊘',
  pending: '○',
  running: '●',
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
  blank: '.',
  tab: '>',
  completed: '+',
  failed: 'x',
  blocked: '-',
  pending: '.',
  running: '*',
}

interface Links {
  /** The project's folder. */
  readonly root: string
  /** The terminal opens a file at a line. */
  readonly lines: boolean
}

/**
 * A text that opens a file by a click (OSC 8), or the text itself where the file is not one of the project's. `path`
 * may be any text: it is encoded whole, and a path out of the project gets no link.
 */
export function fileLink(
  text: string,
  { path, line }: { path: string; line?: number | undefined },
  links: Links,
): string {
  const url = urlOf(path, links)
  if (url === undefined) return text
  const fragment = links.lines && line !== undefined ? `#${line}` : ''
  return `\x1b]8;;${url}${fragment}\x1b\\${text}\x1b]8;;\x1b\\`
}

function urlOf(path: string, { root }: Links): string | undefined {
  const isWindows = /^[A-Za-z]:\\/.test(root)
  const [from, to] = isWindows ? [root, path].map(each => each.replaceAll('\\', '/')) : [root, path]
  if (from === undefined || to === undefined || /\p{Cs}/u.test(from + to)) return undefined
  const isAbsolute = to.startsWith('/') || /^[A-Za-z]:\//.test(to)
  const parts = (isAbsolute ? to : `${from}/${to}`).split('/')
  if (parts.includes('..') || !parts.join('/').startsWith(`${from}/`)) return undefined
  const encoded = parts.map(part => encodeURIComponent(part).replaceAll('%3A', ':')).join('/')
  return `file://${encoded.startsWith('/') ? '' : '/'}${encoded}`
}
