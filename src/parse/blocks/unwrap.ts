import { afterLine, linesBefore } from '../lines/lines.ts'
import { fencesOf } from './fence.ts'

/**
 * The inside of a block around the whole answer: some people ask for one so that they can copy the raw text.
 *
 * Only when the first fence of the text opens it and the last one closes it; else it is an example that is explained.
 */
export function unwrap(text: string, from: number): { readonly text: string; readonly lines: number } | undefined {
  const nextFence = fencesOf(text)
  const outer = nextFence(from)
  if (outer === undefined || (outer.kind !== 'open' && outer.kind !== 'bare')) return undefined
  if (!/^(?:markdown|md|text|txt|plaintext)?$/i.test(outer.info)) return undefined

  let close: ReturnType<typeof nextFence>
  let last = outer
  for (let next = nextFence(outer.end); next !== undefined; next = nextFence(next.end)) {
    last = next
    if (next.kind === 'bare' && next.sign === outer.sign && next.length >= outer.length) close = next
  }
  if (close === undefined || close !== last) return undefined
  const inside = text.slice(afterLine(text, outer.end), close.start)
  if (!inside.includes('projectId')) return undefined
  return { text: inside, lines: linesBefore(text, afterLine(text, outer.end)) }
}
