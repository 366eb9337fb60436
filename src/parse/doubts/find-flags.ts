import type { Flag } from '../../model/response.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { ControlText } from '../control/read-control.ts'
import { onlyPrefixedLines } from '../files/find-edit-format.ts'
import type { FileBlock } from '../files/read-files.ts'
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

  for (const { operation, contentFrom } of files) {
    if (operation.op !== 'write') continue
    const { path, content } = operation
    for (const { line, text, reason } of findPlaceholders(content, path)) {
      flags.push({ flag: 'placeholder', path, line: lineOf(contentFrom) + line, text, reason })
    }
    for (const { flag, reason, linterFinds, lines: found } of [
      ...findResidue(content, path),
      ...findLostMargin(content, path),
    ]) {
      const top = lineOf(contentFrom)
      const lines = found.map(({ line, text }) => ({ line: top + line, text }))
      flags.push({ flag, path, line: lines[0]?.line ?? top, reason, lines, ...(linterFinds && { linterFinds }) })
    }
    const prefix = onlyPrefixedLines(content, path)
    if (prefix !== undefined) {
      const reason = `every line begins with ${prefix}: that may be no part of the file`
      flags.push({ flag: 'chat-artifact', path, line: lineOf(contentFrom), reason, linterFinds: true })
    }
    const again = ownPathInside(content, path)
    if (again !== undefined) {
      const reason = "the file's own path stands in the middle of it: it may be there twice"
      flags.push({ flag: 'duplicate-path', path, line: lineOf(contentFrom) + linesBefore(content, again), reason })
    }
  }
  if (control.invalid !== undefined) flags.push({ flag: 'yaml-invalid', line: controlLine, reason: control.invalid })
  return flags.concat(summaryMismatches(files, control, controlLine))
}

/**
 * Paths that stand on one side only, or come to another end on the other. A summary that names no path at all, or cannot be
 * read, says nothing.
 */
function summaryMismatches(files: readonly FileBlock[], control: ControlText, controlLine: number): readonly Flag[] {
  const paths = new Set(files.map(file => file.operation.path))
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
    reason: 'the change summary names it, but no block of the answer does',
  }))
}

function contradicted(files: readonly FileBlock[], { summary }: ControlText): readonly Mismatch[] {
  return files.flatMap(({ operation: { op, path } }) => {
    if (op === 'write') {
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
