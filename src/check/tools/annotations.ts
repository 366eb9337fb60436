import { errorAt, nothing } from '../finding.ts'
import { readPlace } from '../read-place.ts'
import type { Finding, Tool } from '../tool.ts'

/**
 * GitHub's annotations, which many linters can print (`--reporter=github`): `::error file=a.js,line=5,col=1::…`
 *
 * Where CI is detected some tools print them beside their usual lines, so they only count when nothing else does.
 */
export const annotations: Tool = {
  echoes: true,
  start: () => line => readAnnotation(line.text),
}

function readAnnotation(text: string): Finding | undefined {
  if (!text.startsWith('::')) return undefined
  const found = /^::(error|warning|notice|debug|group|endgroup)(?: ([^\n]*?))?::(.*)$/.exec(text)
  if (found === null) return undefined
  const values = new Map(
    (found[2] ?? '').split(',').map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
  const code = values.get('title') ?? ''
  if (found[1] === 'warning') return { warnings: [code] }
  if (found[1] !== 'error') return nothing
  const place = { file: values.get('file') ?? '', line: number(values.get('line')), column: number(values.get('col')) }
  return errorAt(place, code, withoutPlace(found[3] ?? '', place))
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Some say the place again in the message, and the file by another name. */
function withoutPlace(
  message: string,
  { line, column }: { readonly line: number | undefined; readonly column: number | undefined },
): string {
  const again = readPlace(message)
  return again?.mark === ':' && again.line === line && again.column === column ? again.rest : message
}
