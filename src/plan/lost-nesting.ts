import { groupBy } from '../ground/group-by.ts'
import { type Nested, nestedLines } from './nested-lines.ts'

/**
 * The lines that the user has put into another block, such as a call into a loop, and that the patch has where they were.
 *
 * What a line stands in is told by the line that opens its block, and not by how far it is indented: a formatter indents
 * anew as well. It counts where nobody has changed these lines themselves. A patch that has one of them where the user put
 * it was made from the file as it is.
 *
 * @param form what formatters leave of a line
 */
export function renestedLines(
  texts: { readonly base: string; readonly ours: string; readonly theirs: string },
  path: string,
  form: (line: string) => string,
): readonly string[] {
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map(text => nestedLines(text, path))
  if (base === undefined || ours === undefined || theirs === undefined) return []
  const [were, are, will] = [homesOf(base, form), homesOf(ours, form), homesOf(theirs, form)]
  const isSteady = (line: string) => {
    const count = were.get(line)?.length
    return line === MARGIN || (are.get(line)?.length === count && will.get(line)?.length === count)
  }
  // The beginning of a statement that goes on below may by now be another one's.
  const begun = new Set([base, ours, theirs].flat().flatMap(each => (each.isWhole ? [] : [form(each.line)])))
  const lost = new Set<string>()
  for (const [line, now] of are) {
    const [was, then] = [were.get(line) ?? [], will.get(line) ?? []]
    if (isSame(now, was) || begun.has(line) || ![line, ...now, ...was].every(isSteady)) continue
    if (isSame(now, then)) return []
    if (isSame(was, then)) lost.add(line)
  }
  return ours.flatMap(({ line }) => (lost.has(form(line)) ? [line] : []))
}

/** What each line stands in, as often as it is there and in an order of its own; by their forms. */
type Homes = ReadonlyMap<string, readonly string[]>

function homesOf(nested: readonly Nested[], form: (line: string) => string): Homes {
  const byLine = groupBy(nested, ({ line }) => form(line))
  return new Map([...byLine].map(([line, all]) => [line, all.map(({ within }) => form(within)).sort()]))
}

const MARGIN = ''

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}
