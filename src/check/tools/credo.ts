import { errorAt } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * Credo, also as `oneline` and `flycheck`: every issue is an error, whatever its letter; that is how it sets its exit code.
 * It shows five of a sort at most, but says how many there are.
 */
export const credo: Tool = {
  start: () => line => readIssue(line) ?? readOneline(line.text) ?? readFlycheck(line) ?? readSummary(line.text),
}

/** `┃ [R] → Modules should have a @moduledoc tag.`, and below it `┃       lib/a.ex:1:11 #(A)`. */
function readIssue({ text, after }: Line): Finding | undefined {
  const found = /^┃ {1,3}\[([A-Z])\] (?:[↑↗→↘↓] )?(\S.*)$/.exec(text)
  if (found === null) return undefined
  const message = [found[2] ?? '']
  for (let next = 1; next <= 10; next += 1) {
    const more = /^┃ {4,9}(\S.*)$/.exec(after(next))?.[1]
    if (more === undefined) break
    const place = /^(\S.*?)(?::(\d{1,9}))?(?::(\d{1,9}))? #\([^()]*\)$/.exec(more)
    if (place !== null) return { ...issue(place, found[1], message.join(' ')), also: next }
    message.push(more)
  }
  return issue(null, found[1], message.join(' '))
}

/** `[R] → lib/a.ex:1:11 Modules should have a @moduledoc tag.`; the letter may be taken for a label, and be off. */
function readOneline(text: string): Finding | undefined {
  const found = /^(?:\[([A-Z])\] )?[↑↗→↘↓] (?=\S)/.exec(text)
  const place = found && /^(\S+\.exs?):(\d{1,9})(?::(\d{1,9}))? /.exec(text.slice(found[0].length))
  return place ? issue(place, found?.[1], text.slice((found?.[0].length ?? 0) + place[0].length)) : undefined
}

/** `lib/a.ex:1:11: R: Modules should have a @moduledoc tag.` */
function readFlycheck({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || !/\.exs?$/.test(place.file)) return undefined
  const found = /^([A-Z]): (\S.*)$/.exec(place.rest)
  return found === null ? undefined : errorAt(place, found[1] ?? '', found[2] ?? '')
}

/** With `--verbose` the message ends with the name of the check. */
function issue(place: RegExpExecArray | null, letter: string | undefined, text: string): Finding {
  const { code, message } = splitCode(text, '[]', /^Credo\.[\w.]+$/)
  const at = place === null ? { file: '' } : place[2] === undefined ? { file: place[1] ?? '' } : placeIn(place)
  return errorAt(at, code === '' ? (letter ?? '') : code, message)
}

/** `4 mods/funs, found 1 warning, 2 code readability issues.` */
function readSummary(text: string): Finding | undefined {
  const found = /^\d{1,9} mods\/funs, found (.{1,300})\.$/.exec(text)
  if (found === null) return undefined
  const counts = found[1]?.match(/\b\d{1,9}(?= )/g) ?? []
  return { summary: counts.reduce((sum, count) => sum + Number(count), 0) }
}
