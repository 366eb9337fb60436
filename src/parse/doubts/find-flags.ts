import type { Flag } from '../../model/response.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { ControlText } from '../control/read-control.ts'
import type { FileBlock } from '../files/file-block.ts'
import { onlyPrefixedLines } from '../files/find-edit-format.ts'
import { type LineOf, linesBefore } from '../lines/lines.ts'
import { looksLikePath } from '../lines/path.ts'
import { findPlaceholders } from './find-placeholders.ts'
import { findResidue } from './find-residue.ts'
import { findLostMargin } from './lost-layout.ts'

/** The doubts that the text alone raises about files and summary. */
export function findFlags(
  files: readonly FileBlock[],
  { control, from }: FoundControl,
  lineOf: LineOf,
): readonly Flag[] {
  const flags: Flag[] = []
  const controlLine = lineOf(from)

  for (const file of files) {
    for (const text of broughtBy(file, lineOf)) flags.push(...flagsOf(text))
    const { operation, contentFrom } = file
    if (operation.op !== 'write') continue
    const { path, content } = operation
    const prefix = onlyPrefixedLines(content, path)
    if (prefix !== undefined) {
      const reason = `every line begins with ${prefix}, which may not belong to the file`
      flags.push({ flag: 'chat-artifact', path, line: lineOf(contentFrom), reason, linterFinds: true })
    }
    const again = ownPathInside(content, path)
    if (again !== undefined) {
      const reason = "the file's own path is in the middle of it: the file may be there twice"
      flags.push({ flag: 'duplicate-path', path, line: lineOf(contentFrom) + linesBefore(content, again), reason })
    }
  }
  if (control.invalid !== undefined) flags.push({ flag: 'yaml-invalid', line: controlLine, reason: control.invalid })
  return flags.concat(summaryMismatches(files, control, controlLine))
}

/** A text that comes into a file: all of it, or what one edit brings. */
interface Brought {
  readonly path: string
  readonly text: string
  /** Where it stands in the response. */
  readonly line: number
  readonly isWhole: boolean
}

function broughtBy({ operation, contentFrom }: FileBlock, lineOf: LineOf): readonly Brought[] {
  if (operation.op === 'delete') return []
  const path = operation.op === 'rename' ? operation.to : operation.path
  const whole = 'content' in operation ? operation.content : undefined
  const top = whole === undefined ? [] : [{ path, text: whole, line: lineOf(contentFrom), isWhole: true }]
  if (operation.op === 'write') return top
  const edits = operation.blocks.flat().map(({ lines, line }) => {
    const come = lines.flatMap(each => (each.startsWith('+') ? [`${each.slice(1)}\n`] : []))
    return { path, text: come.join(''), line, isWhole: false }
  })
  return [...top, ...edits]
}

function flagsOf({ path, text, line: top, isWhole }: Brought): readonly Flag[] {
  const placeholders = findPlaceholders(text, path).map(({ line, text: said, reason }): Flag => {
    return { flag: 'placeholder', path, line: top + line, text: said, reason }
  })
  const residue = [...findResidue(text, path), ...(isWhole ? findLostMargin(text, path) : [])]
  return [
    ...placeholders,
    ...residue.map(({ flag, reason, linterFinds, ifIndented, lines: found }): Flag => {
      const lines = found.map(({ line, text: said }) => ({ line: top + line, text: said }))
      const counts = { ...(linterFinds && { linterFinds }), ...(ifIndented && { ifIndented }) }
      return { flag, path, line: lines[0]?.line ?? top, reason, lines, ...counts }
    }),
  ]
}

/**
 * Paths that stand on one side only, or come to another end on the other. A summary that names no path at all, or cannot be
 * read, says nothing.
 */
function summaryMismatches(files: readonly FileBlock[], control: ControlText, controlLine: number): readonly Flag[] {
  const paths = new Set(
    files.flatMap(({ operation }) => (operation.op === 'rename' ? [operation.to, operation.path] : [operation.path])),
  )
  const promised = new Set(control.summary.promises.flat())
  const mismatches = [
    ...notGiven(paths, promised, control),
    ...contradicted(files, control),
    ...notPromised(paths, promised, control),
  ]
  return mismatches.map(({ path, reason }) => ({ flag: 'summary-mismatch', path, line: controlLine, reason }))
}

interface Mismatch {
  readonly path: string
  readonly reason: string
}

type Paths = ReadonlySet<string>

function notGiven(paths: Paths, promised: Paths, { summary, projectId }: ControlText): readonly Mismatch[] {
  const top = `${projectId}/`
  // A file may be named without its folder, unless that names another one.
  const names = new Set([...paths].filter(path => !promised.has(path)).map(nameOf))
  const isThere = (path: string) =>
    paths.has(path) ||
    paths.has(`/${path}`) ||
    names.has(path) ||
    (path.startsWith(top) && paths.has(path.slice(top.length)))
  const lacking = summary.promises.filter(readings => !readings.some(isThere))
  return lacking.map(readings => ({
    path: readings.findLast(each => looksLikePath(each)) ?? readings[0] ?? '',
    reason: 'the change summary names it, but the answer has no block for it',
  }))
}

function contradicted(files: readonly FileBlock[], { summary }: ControlText): readonly Mismatch[] {
  return files.flatMap(({ operation: { op, path } }) => {
    if (op === 'rename') return []
    if (op !== 'delete') {
      return summary.onlyDeletes(path)
        ? [{ path, reason: 'the change summary deletes it, but its block writes it' }]
        : []
    }
    const reason = 'its block deletes it, but the change summary says otherwise'
    return summary.onlyWrites(path) ? [{ path, reason }] : []
  })
}

function notPromised(paths: Paths, promised: Paths, { summary, projectId }: ControlText): readonly Mismatch[] {
  if (summary.promises.length === 0) return []
  const isNamed = (path: string) =>
    summary.mentions(path) ||
    summary.mentions(`${projectId}/${path}`) ||
    (promised.has(nameOf(path)) && !paths.has(nameOf(path)))
  const lacking = [...paths].filter(path => !isNamed(path))
  return lacking.map(path => ({ path, reason: 'the change summary does not name it' }))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A comment line with the file's own path further down: some models print a file twice in one block. */
function ownPathInside(content: string, path: string): number | undefined {
  if (path.length > 1024) return undefined
  for (let at = content.indexOf(path, 1); at >= 0; at = content.indexOf(path, at + path.length)) {
    // Looked for no further back than it may be: a line can be as long as the text.
    const margin = Math.max(0, at - 9)
    const start = margin + content.slice(margin, at).lastIndexOf('\n') + 1
    if (at - start > 8) continue
    const isAlone = /^(?:\/\/|#|--|\/\*|<!--|;|%)[ \t]*$/.test(content.slice(start, at))
    const below = /^[ \t]*(?:\*\/|-->)?[ \t]*\n/.test(content.slice(at + path.length, at + path.length + 40))
    if (isAlone && below && linesBefore(content, start) >= 5) return start
  }
  return undefined
}
