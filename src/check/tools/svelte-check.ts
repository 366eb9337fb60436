import { errorAt } from '../finding.ts'
import { splitCode } from '../split-code.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** svelte-check, for people and for machines. */
export const svelteCheck: Tool = {
  start: () => line => readProblem(line) ?? readMachine(line.text),
  sum: /^(?:svelte-check found (?=\d+ errors? and )|\d{10,15} COMPLETED \d+ FILES (?=\d+ ERRORS? ))(\d+)/,
}

/** `/app/src/App.svelte:3:9`, and below it `Error: Type … (ts)` */
function readProblem({ place, after }: Line): Finding | undefined {
  if (place?.mark !== '' || place.column === undefined) return undefined
  const found = /^(Error|Warn|Hint): (.*)$/.exec(after(1))
  if (found === null) return undefined
  if (found[1] !== 'Error') return { warnings: [''], also: 1 }
  // Which compiler it is from, in brackets.
  const { code, message } = splitCode((found[2] ?? '').trimEnd(), '()', /^[a-z]+$/)
  return { ...errorAt(place, code, message), also: 1 }
}

/** `1795204183545 ERROR "src/App.svelte" 3:9 "Type …"`; the time in front differs from run to run. */
function readMachine(text: string): Finding | undefined {
  const found = /^\d{10,15} (ERROR|WARNING) "([^"]*)" (\d{1,9}):(\d{1,9}) "(.*)"$/.exec(text)
  if (found === null) return undefined
  if (found[1] === 'WARNING') return { warnings: [''] }
  const [message = ''] = (found[5] ?? '').replaceAll('\\"', '"').split('\\n')
  return errorAt({ file: found[2] ?? '', line: Number(found[3]), column: Number(found[4]) }, '', message)
}
