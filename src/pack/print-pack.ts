import { ownTextMark } from '../lines/own-text.ts'
import type { LintError } from '../model/check.ts'
import type { LeftOut } from './choose-files.ts'

/** What stands above the files. */
export interface PackHead {
  readonly projectId: string
  /** How the model has to answer. */
  readonly instructions: string
  readonly paths: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** What the linter says of these files. */
  readonly errors: readonly LintError[]
}

/**
 * The beginning of a text that shows a model files of a project. Its first line keeps relay from taking it for an answer,
 * whatever stands in the files.
 */
export function printHead({ projectId, instructions, paths, leftOut, errors }: PackHead): string {
  return [
    `<!-- ${ownTextMark}: files of a project, no answer -->`,
    `# Files of the project ${inline(projectId)}`,
    'Each file follows in a fence below its path, as it is now.',
    '## How to answer',
    instructions.trimEnd(),
    ...(errors.length === 0 ? [] : ['## Errors that the linter finds', fenced(errorLines(errors).join('\n'), '')]),
    '## Tree',
    fenced(treeOf(paths, leftOut).join('\n'), ''),
    '## Files',
    '',
  ].join('\n\n')
}

/** One file, byte for byte, in a fence that nothing in it can end. */
export function printFile({ path, text }: { readonly path: string; readonly text: string }): string {
  const language = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1] ?? ''
  const note = text === '' || text.endsWith('\n') ? '' : ' (no line end at its end)'
  return `### ${inline(path)}${note}\n\n${text === '' ? '(empty)' : fenced(text.replace(/\n$/, ''), language)}\n\n`
}

function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** On one line, whatever it holds. */
function inline(text: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text
}

/** Nobody mends more at a time. */
const mostErrors = 200

function errorLines(errors: readonly LintError[]): readonly string[] {
  const more = errors.length - mostErrors
  return [...errors.slice(0, mostErrors).map(errorLine), ...(more > 0 ? [`and ${more} more`] : [])]
}

function errorLine({ file, line, column, code, message }: LintError): string {
  const place = [file, line, line === undefined ? undefined : column].filter(part => part !== undefined).join(':')
  return [place, code, message]
    .filter(part => part !== '')
    .map(inline)
    .join(' ')
}

/** The paths as a tree: each folder once, its files below it and two blanks further in. */
function treeOf(paths: readonly string[], leftOut: readonly LeftOut[]): readonly string[] {
  const why = new Map(leftOut.map(each => [each.path, each.why]))
  const lines: string[] = []
  let above: readonly string[] = []
  for (const path of [...new Set([...paths, ...why.keys()])].sort()) {
    const folders = path.split('/').slice(0, -1)
    const same = folders.findIndex((folder, depth) => folder !== above[depth])
    const from = same < 0 ? folders.length : same
    for (let depth = from; depth < folders.length; depth++) {
      lines.push(`${'  '.repeat(depth)}${inline(folders[depth] ?? '')}/`)
    }
    const reason = why.get(path)
    const note = reason === undefined ? '' : ` (not here: ${reason})`
    lines.push(`${'  '.repeat(folders.length)}${inline(path.slice(path.lastIndexOf('/') + 1))}${note}`)
    above = folders
  }
  return lines
}
