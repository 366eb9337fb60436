import { packMark } from '../lines/own-text.ts'
import type { LintError } from '../model/check.ts'
import type { LeftOut } from './choose-files.ts'

export interface PackHead {
  readonly projectId: string
  /** The format of the model's answer. */
  readonly instructions: string
  readonly paths: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** The linter's errors in these files. */
  readonly errors: readonly LintError[]
}

/** The beginning of a pack. Its first line keeps relay from taking the pack for an answer, whatever the files hold. */
export function printHead({ projectId, instructions, paths, leftOut, errors }: PackHead): string {
  return [
    `${packMark} files of ${JSON.stringify(projectId)} -->`,
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

/** The file byte for byte, in a fence that nothing in it can end. */
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

/** Always one line. */
function inline(text: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text
}

/** Nobody corrects more at a time. */
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

/** Each folder once, and its files below it with two more blanks. */
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
