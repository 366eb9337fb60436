import type { LintError, Ran } from '../model/check.ts'
import { summary } from './finding.ts'
import { readPlace } from './read-place.ts'
import type { Finding, Line, Reader, Tool } from './tool.ts'
import { tools } from './tools/tools.ts'
import { withoutLabels } from './without-labels.ts'

export interface Understood {
  readonly errors: number
  /** Each error, tool by tool in the order of printing; `undefined` if only the number of some errors is known. */
  readonly list: readonly LintError[] | undefined
  readonly warnings: number
  /** A tool's warnings explain the exit code, or the part of it that errors do not explain. */
  readonly explained: boolean
  readonly tests: Ran | undefined
  /** Why there is no exact count. */
  readonly incomplete: string | undefined
}

interface Report {
  readonly tool: Tool
  readonly read: Reader
  readonly errors: LintError[]
  readonly warnings: string[]
  /** The tool's own count; `undefined` until it gives one. */
  summary: number | undefined
  /** Tests that were run; `undefined` until the tool gives a number. */
  tests: number | undefined
}

/**
 * Reads an output, which may come from several tools one after the other or side by side.
 *
 * Each line belongs to the first tool in the table that knows it, and is counted once. A tool's own summary is compared
 * with all its errors, not only with those before it: errors and summary may come through different streams, in any
 * order.
 */
export function readOutput(output: readonly string[], exit: number, root: string | undefined): Understood {
  const reports = tools
    .filter(tool => exit !== 0 || !tool.needsFailure)
    .map(
      (tool): Report => ({ tool, read: tool.start(), errors: [], warnings: [], summary: undefined, tests: undefined }),
    )
  const incomplete = readLines(withoutLabels(output), reports, root)

  const own = reports.filter(({ tool }) => !tool.echoes)
  const echoes = reports.filter(({ tool }) => tool.echoes)
  const errors = total(own) || total(echoes)
  return {
    errors,
    list: [own, echoes].map(listed).find(list => list?.length === errors),
    warnings: reports.reduce((sum, { warnings }) => sum + warnings.length, 0),
    explained: reports.some(({ tool, warnings, errors }) => tool.explains?.(exit, warnings, errors.length) === true),
    tests: ranIn(reports),
    incomplete: incomplete ?? (reports.some(brokeOff) ? 'the tests broke off: their sum is missing' : undefined),
  }
}

function brokeOff({ tool, errors, summary }: Report): boolean {
  return tool.alwaysSums === true && errors.length > 0 && summary === undefined
}

/** The sum over all tools counts: a workspace has packages without tests. */
function ranIn(reports: readonly Report[]): Ran | undefined {
  const numbers = reports.flatMap(({ tests }) => tests ?? [])
  if (numbers.length === 0) return undefined
  return numbers.some(number => number > 0) ? 'some' : 'none'
}

function total(reports: readonly Report[]): number {
  return reports.reduce((sum, report) => sum + count(report), 0)
}

/** Every error of these tools; `undefined` if a tool's own count differs from the errors that were read. */
function listed(reports: readonly Report[]): readonly LintError[] | undefined {
  return reports.every(report => count(report) === distinct(report).length) ? reports.flatMap(distinct) : undefined
}

/** Gives each line to the tool that knows it. Answers why there is no exact count, if so. */
function readLines(lines: readonly string[], reports: readonly Report[], root: string | undefined): string | undefined {
  let incomplete: string | undefined
  for (let at = 0; at < lines.length; at += 1) {
    const text = lineAt(lines, at)
    if (text.length < shortest) continue
    const line: Line = { text, place: readPlace(text), after: count => lineAt(lines, at + count) }
    countTests(line, reports)
    for (const report of reports) {
      const finding = report.read(line) ?? summary(report.tool.sum?.exec(text))
      if (finding === undefined) continue
      note(report, finding, root)
      incomplete ??= finding.incomplete
      at += finding.also ?? 0
      break
    }
  }
  return incomplete
}

/** A line with a number of tests may be read for its errors as well. */
function countTests(line: Line, reports: readonly Report[]): void {
  for (const report of reports) {
    const ran = report.tool.ran?.(line)
    if (ran !== undefined) report.tests = (report.tests ?? 0) + ran
  }
}

/** `1 error` is the shortest line that counts; shorter ones are skipped, so that millions of them do no harm. */
const shortest = 7

/** No tool writes longer lines for an error, and some programs print megabytes on one line. JSON is never cut. */
const longest = 4000
const json = /^\[\{|^\{"totals":\{/

function lineAt(lines: readonly string[], at: number): string {
  const text = lines[at] ?? ''
  return text.length > longest && !json.test(text) ? text.slice(0, longest) : text
}

function note(report: Report, finding: Finding, root: string | undefined): void {
  for (const error of finding.errors ?? []) {
    report.errors.push({ ...error, file: relativePath(error.file, root), message: error.message.trim() })
  }
  for (const warning of finding.warnings ?? []) report.warnings.push(warning)
  if (finding.summary !== undefined) report.summary = (report.summary ?? 0) + finding.summary
}

/**
 * Names a file relative to the project's root, with `/`.
 *
 * Tools name the same file in different ways (`./a.ts`, `/home/me/app/a.ts`), and some change the way from run to run.
 */
function relativePath(file: string, root: string | undefined): string {
  const path = slashes(file.startsWith('file://') ? file.slice(7) : file)
  const top = root === undefined ? '' : `${slashes(root).replace(/\/$/, '')}/`
  const inside = path.startsWith(top) ? path.slice(top.length) : path
  return inside.startsWith('./') ? inside.slice(2) : inside
}

/** A backslash separates folders only in a Windows path. */
function slashes(path: string): string {
  return /^[A-Za-z]:\\/.test(path) || !path.includes('/') ? path.replaceAll('\\', '/') : path
}

function count(report: Report): number {
  const read = distinct(report).length
  if (report.summary === undefined) return read
  return report.tool.trustsSum === true ? report.summary : Math.max(read, report.summary)
}

function distinct({ tool, errors }: Report): readonly LintError[] {
  if (!tool.repeats) return errors
  const known = new Map(errors.map(error => [JSON.stringify(Object.values(error)), error]))
  return known.size === errors.length ? errors : [...known.values()]
}
