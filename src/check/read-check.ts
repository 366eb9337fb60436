import type { Check, CommandResult, Ran } from '../model/check.ts'
import { failedSteps } from './failed-steps.ts'
import { readOutput } from './read-output.ts'
import { withoutLabels } from './without-labels.ts'

/**
 * Understands one run of the linter: the number of errors and the errors; or why they cannot be counted.
 *
 * A count is exact or there is none. An apparent success that may be none (a tool was not found, crashed, or printed
 * text that relay does not understand) is `uncounted`, and a person decides.
 *
 * `root` is the project's folder; files are named relative to it, so that the errors of two runs can be matched.
 */
export function readCheck(result: CommandResult, root?: string): Check {
  const { end, output } = result
  const uncounted = (why: string, tests?: Ran): Check => ({ kind: 'uncounted', why, ...(tests && { tests }), output })

  const why = noResult(result, plainLines(output))
  if (why !== undefined || end.kind !== 'exit') return uncounted(why ?? end.kind)

  const lines = plainLines(output)
  const { errors, list, warnings, explained, tests, incomplete } = readOutput(lines, end.code, root)
  const signal = signals.get(end.code)
  // Some tools exit with the number of their errors.
  if (signal !== undefined && errors !== end.code) return uncounted(`exit ${end.code}: ended by ${signal}`)
  if (incomplete !== undefined) return uncounted(incomplete)
  const code = explained ? 0 : end.code
  if (errors === 0 && code !== 0) return uncounted(`exit ${code}, ${withoutError(warnings, tests, lines)}`, tests)
  // Files that relay put aside are no part of the project, but tools that ignore .gitignore check them.
  const own = list?.filter(({ file }) => !file.startsWith('.relaycode/'))
  const left = own?.length ?? errors
  const isFailure = left > 0 && code !== 0
  const failed = isFailure ? failedSteps(lines) : []
  return {
    kind: 'counted',
    errors: left,
    list: own,
    code: isFailure ? code : 0,
    failed,
    ...(tests && { tests }),
    output,
  }
}

function withoutError(warnings: number, tests: Ran | undefined, lines: readonly string[]): string {
  if (warnings > 0) return 'although it reports warnings only'
  const said = tellingLine(lines)
  return `and ${tests === 'none' ? 'it ran no test' : 'no error that relay knows'}${said === undefined ? '' : `: ${said}`}`
}

/**
 * The first line in which any tool says why it has no result: `ESLint couldn't find …`, `ModuleNotFoundError: …`, `npm
 * error Missing script: "lint"`. Lines with a deeper indent are stack frames and code.
 */
function tellingLine(output: readonly string[]): string | undefined {
  const lines = withoutLabels(output).map(line => line.slice(0, longest))
  const isTelling = (line: string, at: number) =>
    telling.test(line) && !noReason.test(line) && !/^ *\^+$/.test(lines[at + 1] ?? '')
  return lines.find(isTelling)?.trim().replace(/\.$/, '')
}

const longest = 200

/** Also `TypeError` and `LintException`. */
const telling =
  /^ {0,2}(?! ).*(?:error|exception|fatal|failed|can't|cannot|couldn't|could not|doesn't|does not|unable|invalid|unknown|missing|not found|not a|no such|no files|no rule)\b/i

/** Warnings, passed tests, stack frames, code in a frame, announcements of a reason, and sums of zero. */
const noReason =
  /^(?:\S+ ){0,2}\W?\w*warn(?:ing)?\b|^ *(?:[✓✔√>|·]|ok\b|PASS\b|at )|^\S+ failed$|^npm (?:error|ERR!) (?:code|syscall|path|errno)\b|\b0 (?:errors|failed)\b/i

/** Why the output says nothing. */
function noResult({ end, cut }: CommandResult, lines: readonly string[]): string | undefined {
  if (end.kind === 'signal') return `ended by ${end.signal}`
  if (end.kind === 'time-limit') return 'no end within the time limit'
  if (end.kind === 'aborted') return 'interrupted'
  if (end.code === 126) return 'exit 126: the command cannot be run'
  if (end.code === 127) return `exit 127: ${notFound(lines) ?? 'the command'} was not found`
  return cut ? 'its output is too long, and the middle of it is missing' : undefined
}

/** The program that a shell did not find: `sh: 1: eslint: not found`, `/bin/sh: line 1: eslint: command not found`. */
function notFound(lines: readonly string[]): string | undefined {
  const found = lines.map(line => /^[^\s:]{1,100}: (?:line )?\d{1,9}: (\S{1,100}): (?:command )?not found$/.exec(line))
  const name = found.find(each => each !== null)?.[1]
  return name === undefined ? undefined : `"${name}"`
}

/** A shell exits with these codes if a signal ended its program: no memory left, a crash, or a person. */
const signals: ReadonlyMap<number, string> = new Map([
  [130, 'SIGINT'],
  [134, 'SIGABRT'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
])

/**
 * Cuts an output into lines without colours, links and line ends.
 *
 * Not `stripVTControlCharacters`: its idea of a colour depends on the version of Node, and it loses text after a
 * sequence that is cut short. The patterns here never backtrack.
 */
export function plainLines(output: string): readonly string[] {
  const text = output.includes('\x1b') || output.includes('\x9b') ? withoutColours(output) : output
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n')
}

function withoutColours(text: string): string {
  return text
    .replace(/\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?/g, '')
    .replace(/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g, '')
    .replace(/\x1b[ -/]*[0-~]?/g, '')
}
