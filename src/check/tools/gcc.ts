import { errorAt, finding, nothing } from '../finding.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/**
 * GCC, Clang, their linkers, and every other tool that prints `file:line:column: error: …`.
 *
 * Only Clang sums up, once for each file it compiles, so its sum never makes the count smaller. Lines of the compilers'
 * own (`ld returned 1`, `linker command failed`, make's `Error 1`) only repeat that there were errors.
 */
export const gcc: Tool = {
  start: () => line => readStopped(line.text) ?? readError(line) ?? readLinker(line),
  sum: /^(?:\d+ warnings? and )?(\d+) errors? generated\.$/,
}

function readError({ place }: Line): Finding | undefined {
  if (place?.mark !== ':' || /^[\d:.TZ\s-]+$/.test(place.file)) return undefined
  const found = /^(?:(?:fatal |internal compiler )?(error)|(warning)|note): (.*)$/.exec(place.rest)
  if (found === null) return undefined
  const [, error, warning, text = ''] = found
  if (error === undefined && warning === undefined) return nothing
  const { code, message } = splitCode(text, '[]', /^-[Wf]\S+$/)
  return finding(error !== undefined, place, code, message)
}

function readStopped(text: string): Finding | undefined {
  const stopped = /^fatal error: too many errors emitted|^compilation terminated due to -fmax-errors/.test(text)
  return stopped ? { incomplete: 'the compiler stopped early, so the number of errors is not known' } : undefined
}

/** `ld: a.o: in function 'f': a.c:(.text+0x5): undefined reference to 'g'`, in all its forms. */
function readLinker({ text }: Line): Finding | undefined {
  const at = /: (?=undefined reference to |multiple definition of )/.exec(text)?.index
  if (at === undefined || /^\s/.test(text)) return undefined
  const where = text.slice(0, at).replace(/^\S*\bld(?:\.\w+)?(?:\.exe)?: /, '')
  const place = /^(.*?):(?:(\d+)|\([^)]*\))?$/.exec(where)
  const line = place?.[2] === undefined ? undefined : Number(place[2])
  return errorAt({ file: place?.[1] ?? where, line }, '', text.slice(at + 2))
}
