import { groupBy } from '../ground/group-by.ts'
import { remembered } from '../ground/remembered.ts'
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
  if (texts.ours.split('\n', MOST_LINES + 1).length > MOST_LINES) return []
  const byForm = remembered(numbered())
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map(text => {
    const lines = nestedLines(text, path)
    return lines && nestOf(lines, line => byForm(form(line)))
  })
  if (base === undefined || ours === undefined || theirs === undefined) return []
  const isSteady = (line: Key) => {
    const count = base.homes.get(line)?.length
    return line === MARGIN || (ours.homes.get(line)?.length === count && theirs.homes.get(line)?.length === count)
  }
  const isBegun = (line: Key) => [base, ours, theirs].some(({ begun }) => begun.has(line))
  const lost = new Set<Key>()
  for (const [line, now] of ours.homes) {
    const [was, will] = [base.homes.get(line) ?? [], theirs.homes.get(line) ?? []]
    if (isSame(now, was) || isBegun(line) || ![line, ...now, ...was].every(isSteady)) continue
    if (isSame(now, will)) return []
    if (isSame(was, will)) lost.add(line)
  }
  return ours.lines.flatMap(({ key, line }) => (lost.has(key) ? [line] : []))
}

/** Longer files are hardly changed by hand; looking through this many takes about 0.2 s. */
const MOST_LINES = 20_000

/** Stands for all lines of one form. */
type Key = number

const MARGIN: Key = -1

function numbered(): () => Key {
  let count = 0
  return () => count++
}

interface Nest {
  readonly lines: readonly { readonly key: Key; readonly line: string }[]
  /** What each line stands in, as often as it is there and in an order of its own. */
  readonly homes: ReadonlyMap<Key, readonly Key[]>
  /** Beginnings of statements that go on below: they may by now be another one's. */
  readonly begun: ReadonlySet<Key>
}

function nestOf(nested: readonly Nested[], keyOf: (line: string) => Key): Nest {
  const keys = nested.map(({ line }) => keyOf(line))
  const lines = nested.map((each, at) => {
    return {
      ...each,
      key: keys[at] ?? MARGIN,
      home: each.within === undefined ? MARGIN : (keys[each.within] ?? MARGIN),
    }
  })
  const byKey = groupBy(lines, ({ key }) => key)
  return {
    lines,
    homes: new Map([...byKey].map(([key, all]) => [key, all.map(({ home }) => home).sort((a, b) => a - b)])),
    begun: new Set(lines.flatMap(({ key, isWhole }) => (isWhole ? [] : [key]))),
  }
}

function isSame(some: readonly Key[], others: readonly Key[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}
