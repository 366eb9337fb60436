import { finding } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** oxlint's own format; what it prints in other tools' formats is read as theirs. */
export const oxlint: Tool = {
  start: () => readDiagnostic,
  sum: /^Found \d+ warnings? and (\d+) errors?\.$/,
}

/** `  x eslint(no-debugger): …`, and below it the place: `   ,-[src/a.js:5:1]` */
function readDiagnostic({ text, after }: Line): Finding | undefined {
  const start = /^ {2}([x×✖!⚠]) (?=\S)/.exec(text)
  if (start === null) return undefined
  for (let next = 1; next <= 4; next += 1) {
    const at = /^ {1,9}(?:,-|╭─)\[(.+?):(\d{1,9}):(\d{1,9})\]$/.exec(after(next))
    if (at === null) continue
    const { code, message } = splitCode([text.slice(4), ...wrapped(after, next)].join(' '))
    return { ...finding(/[x×✖]/.test(start[1] ?? ''), placeIn(at), code, message), also: next }
  }
  return undefined
}

/** A long message goes on in the next lines, behind a bar. */
function wrapped(after: Line['after'], end: number): readonly string[] {
  return Array.from({ length: end - 1 }, (_, i) => after(i + 1).replace(/^ {1,9}[|│] ?/, ''))
}

function splitCode(text: string): { code: string; message: string } {
  const found = /^([\w@/-]+\([\w@/-]+\)): /.exec(text)
  return found === null ? { code: '', message: text } : { code: found[1] ?? '', message: text.slice(found[0].length) }
}
