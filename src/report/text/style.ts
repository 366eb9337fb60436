import { Chalk } from 'chalk'

/** How lines look on one terminal: colours by what they mean, signs, and the room there is. */
export interface Style {
  /** How many columns a line of relay's own fills at most. */
  readonly columns: number
  /** How many a line of code may fill. */
  readonly width: number
  /** How many lines the screen has. */
  readonly rows: number
  readonly colour: boolean
  /** Makes of a text a link to a file of the project, where the terminal shows links. */
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
 * The style of a terminal, from what is known about it.
 *
 * The colour level is given outright: what chalk would find out about the process by itself is not asked, so that one
 * place decides. Lines stay two columns short of the edge, and between 40 and 100: narrower cannot be laid out, wider
 * tears left and right apart. Code takes what there is.
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
  // How a task of a plan stands: one column each, since many stand side by side.
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

/** Where links lead, on a terminal that shows them. */
interface Links {
  /** The project's folder. */
  readonly root: string
  /** The terminal opens a file at a line. */
  readonly lines: boolean
}

/**
 * A text that a click opens the file of (OSC 8); the text itself where the file is not one of the project's. `path` may
 * be any text: it is encoded whole, and what leads out of the project gets no link.
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
