import { columnsOf } from '../text/columns-of.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

export interface ShownCommand {
  readonly key: string
  readonly command: string
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
  /** The scripts of package.json that the command runs, with their texts. */
  readonly scripts: readonly (readonly [name: string, text: string])[]
}

/** What the commands find in the project itself. */
export interface ShownPrograms {
  readonly folders: readonly string[]
  /** Programs that came with the clone, and what runs under their names. */
  readonly tracked: readonly { readonly name: string; readonly own: string; readonly runs: string | null }[]
}

/** What a person has to agree to before relay works in a project, and the question. */
export interface TrustText {
  readonly lines: readonly string[]
  readonly prompt: string
  /** The effect of a no. */
  readonly no: string
}

/**
 * Shows the commands whole: a cut could hide the end of one. A command that fills the screen would hide what stands
 * above it.
 */
export function describeTrust(
  commands: readonly ShownCommand[],
  doubts: readonly { readonly what: string }[],
  root: string,
  style: Style,
  programs: ShownPrograms = { folders: [], tracked: [] },
): TrustText {
  const known = commands.some(({ state }) => state === 'confirmed' || state === 'changed')
  const isUnknown = commands.some(({ state }) => state === 'unknown')
  const [noun, they, them, come, have] =
    commands.length === 1
      ? ['command', 'It', 'it', 'comes', 'It has not run']
      : ['commands', 'They', 'them', 'come', 'None has run']
  const what =
    commands.length === 0 ? 'Others can change files' : known ? `New or changed ${noun}` : `${sentence(noun)} to run`
  const shown = [...headingLines(`${what} in`, root, style), ...commandLines(commands, known, style)]
  const allowed = isUnknown
    ? 'relay cannot read what you have allowed on this machine.'
    : `You have not allowed ${them} on this machine yet.`
  const long = `${they} ${commands.length === 1 ? 'is' : 'are'} longer than the screen: scroll up and read ${them} from the start.`
  const said = [
    `${they} ${come} from relaycode.config.json. ${allowed} ${have}.`,
    ...(shown.length > style.rows - ROWS_BELOW ? [long] : []),
  ]
  const lines = [
    ...shown,
    ...(commands.length === 0 ? [] : [...said, ...programWords(programs)].flatMap(words => below(words, style))),
    ...(commands.length > 0 && doubts.length > 0 ? below('Others can change files there, too:', style) : []),
    ...doubts.flatMap(doubt => indented(visibleLine(doubt.what), style)),
    ...(doubts.length === 0
      ? []
      : below('A user who can write there decides what relay restores, and what your commands run.', style)),
  ]
  if (commands.length === 0) {
    return { lines, prompt: 'Work in this folder anyway? (y/n/?)', no: 'do nothing in this folder' }
  }
  return {
    lines,
    prompt: `Allow ${them} to run in this project? (y/n/?)`,
    no: `do not run ${them}; you can change ${them} in relaycode.config.json`,
  }
}

function programWords({ folders, tracked }: ShownPrograms): readonly string[] {
  return [
    ...(folders.length === 0 ? [] : [`At the end of their PATH: ${visibleLine(folders.join(', '))}.`]),
    ...tracked.map(({ name, own, runs }) => {
      const which = runs === own ? 'it' : (runs ?? 'nothing')
      return visibleLine(`git tracks ${own}: it came with the clone. ${name} runs ${which}.`)
    }),
  ]
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function below(words: string, { columns, sign }: Style): readonly string[] {
  return wrapLine(words, columns - 2, sign.cut).map(line => `  ${line}`)
}

/** The rows below the commands, with the question. */
const ROWS_BELOW = 5

export function headingLines(heading: string, root: string, { paint, sign, columns }: Style): readonly string[] {
  const folder = visibleLine(root)
  const fits = columnsOf(heading) + columnsOf(folder) + 3 <= columns
  const first = `${paint.needsYou(sign.needsYou)} ${paint.strong(heading)}`
  if (fits) return [`${first} ${paint.path(folder)}`]
  return [first, ...wrapLine(folder, columns - 4, sign.cut).map(part => `    ${paint.path(part)}`)]
}

export function commandLines(commands: readonly ShownCommand[], known: boolean, { paint, sign, columns }: Style) {
  const width = Math.max(...commands.map(({ key }) => key.length))
  return commands.flatMap(({ key, command, state, scripts }) => {
    const mark = known && state !== 'confirmed' ? `(${state}) ` : ''
    const texts = [mark + command, ...scripts.map(([name, text]) => `script ${name}: ${text}`)]
    const parts = texts.flatMap(text => {
      return wrapLine(visibleLine(text), columns - width - 6, sign.cut, Number.POSITIVE_INFINITY)
    })
    return parts.map((part, index) => `    ${paint.meta((index === 0 ? key : '').padEnd(width))}  ${part}`.trimEnd())
  })
}
