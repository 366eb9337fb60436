import { lintError } from './lint-error.ts'
import { type Finding, type Line, nothing, type Tool } from './tool.ts'

/** Node's test runner in its `spec` format, from the list of failures at the end: above it each stands once more. */
export const nodeTest: Tool = {
  name: 'node --test',
  trusts: 'summary',
  start: () => line => readFailure(line) ?? readSummary(line.text),
}

/** `test at a.test.mjs:4:3`, and below it `✖ adds (1.2ms)` */
function readFailure({ text, after }: Line): Finding | undefined {
  const at = /^test at (.+?):(\d{1,9}):(\d{1,9})$/.exec(text)
  if (at === null || !after(1).startsWith('✖ ')) return undefined
  if (/ # (?:TODO|SKIP)/.test(after(1))) return nothing
  const place = { file: at[1] ?? '', line: Number(at[2]), column: Number(at[3]) }
  return {
    errors: [
      lintError(
        place,
        '',
        after(1)
          .slice(2)
          .replace(/ \(\d[\d.]{0,20}ms\)$/, ''),
      ),
    ],
  }
}

/** Tests that were cancelled are listed as failures, but have a sum of their own. */
function readSummary(text: string): Finding | undefined {
  const found = /^ℹ (?:fail|cancelled) (\d+)$/.exec(text)
  return found === null ? undefined : { summary: Number(found[1]) }
}
