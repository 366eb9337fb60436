/** A place in a file that the old lines of an edit stand at. */
export interface Place {
  /** 0-based line in the file. */
  readonly at: number
  /** Gives a line that comes the place's indentation; `undefined` where it has less than what is to be taken off. */
  readonly shift: (line: string) => string | undefined
}

/** The steps of the ladder, the strictest first. Line ends count on none: a response has its own. */
export const rungs = ['exact', 'trailing blanks', 'indentation', 'look-alikes'] as const
export type Rung = (typeof rungs)[number]

export type Found =
  | { readonly kind: 'one'; readonly place: Place; readonly rung: Rung }
  | { readonly kind: 'several'; readonly places: readonly Place[]; readonly rung: Rung }
  | { readonly kind: 'none' }

/** So many places of one edit are told apart. */
export const mostPlaces = 50

/** Where lines stand in one file. */
export interface Finder {
  /**
   * Finds where lines stand, one below the other, on the strictest rung on which they do. Each rung lets go of one more
   * thing; on none does likeness count. At least one line must hold something.
   */
  find(lines: readonly string[]): Found
  /** Whether lines stand at a place, blanks at their ends aside. */
  standsAt(lines: readonly string[], at: number): boolean
  /** The place that has most of the lines' words, where any has enough of them to be like it. */
  nearest(lines: readonly string[]): number | undefined
}

/**
 * Looks lines up by what a rung leaves of them: each rung has a table of the file's lines, made when it is first needed. A
 * candidate is where the rarest of the lines stands, so that the time is bounded by lines times lines and mostly far less.
 */
export function finderOf(lines: readonly string[]): Finder {
  const tables = new Map<Rung, Table>()
  let words: Words | undefined
  const tableOf = (rung: Rung) => {
    const table = tables.get(rung) ?? makeTable(lines, forms[rung])
    tables.set(rung, table)
    return table
  }
  return {
    find(wanted) {
      if (wanted.every(line => line.trim() === '')) return { kind: 'none' }
      for (const rung of rungs) {
        const places = placesOn(rung, wanted, lines, tableOf(rung))
        const [place] = places
        if (place === undefined) continue
        return places.length === 1 ? { kind: 'one', place, rung } : { kind: 'several', places, rung }
      }
      return { kind: 'none' }
    },
    standsAt(wanted, at) {
      const form = forms['trailing blanks']
      return at >= 0 && wanted.every((line, index) => form(lines[at + index] ?? '\n') === form(line))
    },
    nearest: wanted => {
      words ??= wordsOf(lines)
      return nearestOf(wanted, words)
    },
  }
}

/** What a rung leaves of a line. */
const forms: Readonly<Record<Rung, (line: string) => string>> = {
  exact: line => line,
  'trailing blanks': withoutTrailing,
  indentation: bare,
  'look-alikes': line => bare(plain(line)),
}

function withoutTrailing(line: string): string {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(0, end)
}

function bare(line: string): string {
  return withoutTrailing(line).slice(indentOf(line).length)
}

function indentOf(line: string): string {
  let end = 0
  while (end < line.length && isBlank(line.charCodeAt(end))) end++
  return line.slice(0, end)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** A line with plain quotes, dashes and blanks in place of those that look like them. */
function plain(line: string): string {
  return lookAlike.test(line)
    ? line
        .normalize('NFC')
        .replace(/[\u2018\u2019\u201a\u201b\u2032\u00b4]/g, "'")
        .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
        .replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')
        .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
        .replace(/\u2026/g, '...')
        .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    : line
}

const lookAlike = /[^\0-\x7f]/

interface Table {
  readonly form: (line: string) => string
  /** What the rung leaves of each line of the file, as a number. */
  readonly ids: readonly number[]
  readonly idOf: ReadonlyMap<string, number>
  /** The lines, by that number. */
  readonly where: readonly (readonly number[])[]
}

function makeTable(lines: readonly string[], form: Table['form']): Table {
  const idOf = new Map<string, number>()
  const where: number[][] = []
  const ids = lines.map((line, at) => {
    const key = form(line)
    const id = idOf.get(key) ?? where.length
    if (id === where.length) {
      idOf.set(key, id)
      where.push([])
    }
    where[id]?.push(at)
    return id
  })
  return { form, ids, idOf, where }
}

function placesOn(rung: Rung, wanted: readonly string[], lines: readonly string[], table: Table): readonly Place[] {
  const ids = wanted.map(line => table.idOf.get(table.form(line)) ?? -1)
  if (ids.includes(-1)) return []
  const places: Place[] = []
  const rarest = ids.reduce((best, id, index) => (countOf(table, id) < countOf(table, ids[best]) ? index : best), 0)
  for (const anchor of table.where[ids[rarest] ?? -1] ?? []) {
    const at = anchor - rarest
    if (!ids.every((id, index) => table.ids[at + index] === id)) continue
    const shift = shiftFor(rung, at, wanted, lines)
    if (shift !== undefined) places.push({ at, shift })
    if (places.length === mostPlaces) break
  }
  return places
}

function countOf({ where }: Table, id: number | undefined): number {
  return where[id ?? -1]?.length ?? 0
}

function same(line: string): string {
  return line
}

function shiftFor(
  rung: Rung,
  at: number,
  wanted: readonly string[],
  lines: readonly string[],
): Place['shift'] | undefined {
  if (rung === 'exact') return same
  const shift = rung === 'trailing blanks' ? same : shiftAt(at, wanted, lines, rung)
  const isPadded = wanted.every((line, index) => line.trim() === '' || padsLine(line, lines[at + index] ?? ''))
  // A copy put blanks behind every line: those that come have them too.
  return isPadded ? shift && (line => shift(withoutTrailing(line))) : shift
}

function padsLine(line: string, there: string): boolean {
  return withoutTrailing(line) !== line && withoutTrailing(there) === there
}

/**
 * How the lines of an edit are to be indented to be those of a place: all by the same blanks more, or less. `undefined` where
 * that is not the same for all.
 */
function shiftAt(
  at: number,
  wanted: readonly string[],
  lines: readonly string[],
  rung: Rung,
): Place['shift'] | undefined {
  const form = rung === 'look-alikes' ? plain : same
  const deltas = new Set<string>()
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === '') continue
    const delta = deltaOf(indentOf(form(line)), indentOf(form(lines[at + index] ?? '')))
    if (delta === undefined || deltas.add(delta).size > 1) return undefined
  }
  const [delta = '+'] = deltas
  const blanks = delta.slice(1)
  return line => {
    if (line.trim() === '') return line
    if (delta.startsWith('+')) return `${blanks}${line}`
    return line.startsWith(blanks) ? line.slice(blanks.length) : undefined
  }
}

/** Behind a sign, the blanks that are missing in front, or too many. */
function deltaOf(asked: string, there: string): string | undefined {
  if (there.endsWith(asked)) return `+${there.slice(0, there.length - asked.length)}`
  return asked.endsWith(there) ? `-${asked.slice(0, asked.length - there.length)}` : undefined
}

/** By each word the lines that have it. */
type Words = ReadonlyMap<string, readonly number[]>

function wordsOf(lines: readonly string[]): Words {
  const where = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    for (const word of wordsIn(line)) {
      const there = where.get(word)
      if (there === undefined) where.set(word, [at])
      else there.push(at)
    }
  }
  return where
}

/** A line of data has more words than anybody compares. */
const longestLine = 2000

function wordsIn(line: string): ReadonlySet<string> {
  return new Set(plain(line.slice(0, longestLine)).match(/[\p{L}\p{N}_$]+/gu))
}

/** Of a word that stands in many lines only so many have a say. */
const mostVotes = 20
/** A place that has less of the words is another one. */
const leastShare = 0.3

function nearestOf(wanted: readonly string[], where: Words): number | undefined {
  // One that stands nearly everywhere says little.
  const votes = new Map<number, { weight: number; letters: number }>()
  let all = 0
  for (const [index, line] of wanted.entries()) {
    for (const word of wordsIn(line)) {
      all += word.length
      const places = where.get(word) ?? []
      for (const place of places.slice(0, mostVotes)) {
        const vote = votes.get(place - index) ?? { weight: 0, letters: 0 }
        vote.weight += word.length / places.length
        vote.letters += word.length
        votes.set(place - index, vote)
      }
    }
  }
  let best: number | undefined
  for (const [at, { weight, letters }] of votes) {
    if (letters >= all * leastShare && (best === undefined || weight > (votes.get(best)?.weight ?? 0))) best = at
  }
  return best
}
