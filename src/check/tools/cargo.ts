import { errorAt, finding, nothing, sumOf } from '../finding.ts'
import { type At, placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * rustc, by way of Cargo or alone: `check`, `build`, `clippy`, also `--message-format short`.
 *
 * The same error at the same place counts once: with `--all-targets` a library is compiled twice, and it depends on
 * the timing whether Cargo gets to print its errors twice. `could not compile`, `aborting due to` and the like are not
 * errors of their own, but tell how many there were. An `error:` without a place or a code is Cargo's own (no such
 * command, no such package): nothing was compiled, so it does not count, and the check as a whole has no count.
 */
export const cargo: Tool = {
  repeats: true,
  start() {
    const counts = new Map<string, number>()
    let aborted: number | undefined
    return line => {
      const sum = /^error: (?:could not compile `([^`]*)`|(aborting)).*? due to (?:(\d+) )?previous errors?/.exec(
        line.text,
      )
      if (sum === null) return readShort(line) ?? readDiagnostic(line)
      const [, name = '', aborting, count = '1'] = sum
      if (aborting !== undefined) {
        aborted = Number(count)
        return nothing
      }
      // Older Cargos count the line before, `aborting due to 2 previous errors`, as one more error.
      const errors = aborted ?? Number(count)
      const more = Math.max(0, errors - (counts.get(name) ?? 0))
      counts.set(name, Math.max(errors, counts.get(name) ?? 0))
      aborted = undefined
      return { summary: more }
    }
  },
}

/** `error[E0308]: mismatched types`, and below it ` --> src/main.rs:8:5`, or at least the start of a frame. */
function readDiagnostic({ text, after }: Line): Finding | undefined {
  const found = /^(error|warning)(?:\[([\w:-]{1,60})\])?: (?=\S)/.exec(text)
  if (found === null) return undefined
  const [head, severity, code = ''] = found
  const place = placeBelow(after)
  if (code === '' && place === undefined) return undefined
  return finding(severity === 'error', place ?? { file: '' }, code, text.slice(head.length))
}

function placeBelow(after: Line['after']): At | undefined {
  for (let next = 1; next <= 6 && after(next) !== ''; next += 1) {
    const at = /^ *--> (.+?):(\d{1,9}):(\d{1,9})$/.exec(after(next))
    if (at !== null) return placeIn(at)
    if (/^ +\|/.test(after(next))) return { file: '' }
  }
  return undefined
}

/** `src/lib.rs:8:5: error[E0308]: mismatched types` */
function readShort({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !place.file.endsWith('.rs')) return undefined
  const found = /^(error|warning)(?:\[([\w:-]{1,60})\])?: (.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, severity, code = '', message = ''] = found
  return finding(severity === 'error', place, code, message)
}

/** `cargo test`: each failed test is an error; one sum per test program, unless it broke off. */
export const cargoTest: Tool = {
  sum: /^test result: \w+\. \d+ passed; (\d+) failed;/,
  ran: ({ text }) => (/^test result: \w+\. \d/.test(text) ? sumOf(/^(?:passed|failed)$/, text) : undefined),
  trustsSum: true,
  start: () => line => {
    const broke = /^ {2}process didn't exit successfully: .* \(((?:exit (?:status|code)|signal): [^()]*)\)$/.exec(
      line.text,
    )
    if (broke !== null) return { incomplete: `a test program broke off: ${broke[1]}` }
    if (line.text.startsWith('test ') && line.text.endsWith(' ... FAILED'))
      return errorAt({ file: '' }, 'FAILED', line.text.slice(5, -11))
    return undefined
  },
}
