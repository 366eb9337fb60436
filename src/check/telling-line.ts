import { withoutLabels } from './without-labels.ts'

/**
 * The first line in which a tool that came to no result says why, whichever tool it is: `ESLint couldn't find …`,
 * `ModuleNotFoundError: …`, `npm error Missing script: "lint"`. Deeper than a heading stand frames of a stack and code.
 */
export function tellingLine(output: readonly string[]): string | undefined {
  const lines = withoutLabels(output).map(line => line.slice(0, longest))
  const isTelling = (line: string, at: number) =>
    telling.test(line) && !noReason.test(line) && !/^ *\^+$/.test(lines[at + 1] ?? '')
  return lines.find(isTelling)?.trim().replace(/\.$/, '')
}

const longest = 200

/** Also `TypeError` and `LintException`. */
const telling =
  /^ {0,2}(?! ).*(?:error|exception|fatal|failed|can't|cannot|couldn't|could not|doesn't|does not|unable|invalid|unknown|missing|not found|not a|no such|no files|no rule)\b/i

/** Warnings, tests that passed, places in a stack, code in a frame, what only announces a reason, and sums of nothing. */
const noReason =
  /^(?:\S+ ){0,2}\W?\w*warn(?:ing)?\b|^ *(?:[✓✔√>|·]|ok\b|PASS\b|at )|^\S+ failed$|^npm (?:error|ERR!) (?:code|syscall|path|errno)\b|\b0 (?:errors|failed)\b/i
