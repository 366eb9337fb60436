import { commandLines, headingLines, type ShownCommand, type TrustText } from '../answers/describe-trust.ts'
import { describeSize } from '../text/count.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visible, visibleLine } from '../text/visible.ts'
import { broken, wrapLine } from '../text/wrap-line.ts'

interface ShownFile {
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
  readonly name: string
  /** Why relay asks about it each time. */
  readonly problem: string | undefined
  readonly parts: readonly ShownPart[]
}

interface ShownPart {
  readonly path: string
  readonly size: number
  readonly leadsTo: string | undefined
  /** `undefined`: it may not be shown. */
  readonly text: string | undefined
}

interface ShownAgent {
  readonly name: string
  readonly projectFiles: readonly string[]
}

/** What a person has to agree to before agents work in a folder: their commands, and the files that steer them. */
export function describeAgentTrust(
  agents: readonly ShownAgent[],
  commands: readonly ShownCommand[],
  files: readonly ShownFile[],
  folder: string,
  style: Style,
): TrustText {
  const states = [...commands, ...files.filter(({ problem }) => problem === undefined)].map(({ state }) => state)
  const known = states.some(state => state === 'confirmed' || state === 'changed')
  const asked = {
    commands: commands.some(({ state }) => state !== 'confirmed') ? commands : [],
    files: files.filter(({ state }) => state !== 'confirmed'),
  }
  const shown = [
    ...headingLines(`${known ? 'New or changed for agents' : 'What agents would use'} in`, folder, style),
    ...(asked.commands.length === 0 ? [] : commandLines(asked.commands, known, style)),
    ...fileLines(asked.files, known, style),
  ]
  const going = namesOf(agents.filter(({ projectFiles }) => projectFiles.length > 0))
  const words = [
    ...(asked.commands.length === 0 ? [] : [originWords(asked.commands)]),
    ...(asked.files.length === 0
      ? []
      : [`${going} would follow these files without a question, and the files can name commands to run.`]),
    [...commands, ...files].some(({ state }) => state === 'unknown')
      ? 'relay cannot read what you have allowed on this machine.'
      : 'You have not allowed this on this machine yet.',
    'None of it has run.',
    ...(shown.length > style.rows - ROWS_BELOW
      ? ['It is longer than the screen: scroll up and read it from the start.']
      : []),
  ]
  return {
    lines: [...shown, ...wrapLine(words.join(' '), style.columns - 2, style.sign.cut).map(line => `  ${line}`)],
    prompt: 'Allow it in this folder? (y/n/?)',
    no: `do not start ${namesOf(agents)}`,
  }
}

function originWords(commands: readonly ShownCommand[]): string {
  return `The ${commands.length === 1 ? 'command comes' : 'commands come'} from relaycode.config.json.`
}

function namesOf(agents: readonly ShownAgent[]): string {
  return new Intl.ListFormat('en').format(agents.map(({ name }) => name))
}

/** The rows below, with the question. */
const ROWS_BELOW = 5

/** How many lines of text are shown of all files together. A file is shown whole, or only named. */
const MOST_LINES = 120

function fileLines(files: readonly ShownFile[], known: boolean, style: Style): readonly string[] {
  let room = MOST_LINES
  return files.flatMap(({ name, state, problem, parts }) => {
    const mark = known && problem === undefined ? `(${state}) ` : ''
    const texts = parts.flatMap(part => {
      const lines = textLines(part, style)
      if (lines === undefined || lines.length > room) return indented(`${mark}${headOf(part)}, not shown`, style)
      room -= lines.length
      return [...indented(`${mark}${headOf(part)}`, style), ...lines]
    })
    const why = `relay asks about ${visibleLine(name)} each time: ${visibleLine(problem ?? '')}`
    return [...texts, ...(problem === undefined ? [] : indented(why, style))]
  })
}

function headOf({ path, size, leadsTo }: ShownPart): string {
  const to = leadsTo === undefined ? '' : `, a link to ${visibleLine(leadsTo)}`
  return `${visibleLine(path)}  ${describeSize(size)}${to}`
}

/** Each line stands behind its number, so that none passes for a line of relay. */
function textLines({ text }: ShownPart, { paint, columns }: Style): readonly string[] | undefined {
  if (text === undefined) return undefined
  // A text with more lines is not shown and needs no layout.
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/, MOST_LINES + 1)
  const digits = String(lines.length).length
  return lines.flatMap((line, index) => {
    const parts = broken(visible(line).replaceAll('\t', '  '), columns - digits - 9)
    return parts.map((part, at) => {
      return `${paint.meta(`      ${(at === 0 ? `${index + 1}` : '').padStart(digits)} |`)} ${part}`.trimEnd()
    })
  })
}
