/** The most columns of a terminal that a line takes; colours and links of ours take none. */
export function columnsOf(line: string): number {
  const text = line.includes('\x1b') ? line.replace(/\x1b\[[0-9;]*m|\x1b\]8;;.*?\x1b\\/g, '') : line
  if (NARROW.test(text)) return text.length
  let columns = 0
  for (const [part] of text.matchAll(PART)) columns += columnsOfPart(part)
  return columns
}

/**
 * The signs that a reader sees, each with its width. A sign may join any number of letters. One that would not fit in
 * `room` columns comes in its parts, so that it can be broken as well.
 */
export function* graphemesOf(
  text: string,
  room: number,
): Generator<{ readonly sign: string; readonly columns: number }> {
  for (const segment of segmentsOf(text)) {
    const columns = columnsOf(segment)
    if (columns <= room) yield { sign: segment, columns }
    else for (const [part] of segment.matchAll(PART)) yield { sign: part, columns: columnsOfPart(part) }
  }
}

/**
 * In pieces: for each sign the segmenter reads the whole text that it got, and a word of 100 KB takes it half a
 * minute.
 */
function* segmentsOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + PIECE).replace(HALF, '')
    const isLast = from + piece.length >= text.length
    const segments = Array.from(segmenter.segment(piece), ({ segment }) => segment)
    // A sign that the end of a piece cuts begins the next piece, unless it is a whole piece long.
    const whole = isLast || segments.length === 1 ? segments : segments.slice(0, -1)
    yield* whole
    from += whole.reduce((length, segment) => length + segment.length, 0)
  }
}

/** Longer than any sign of honest text. */
const PIECE = 512

/** The first half of a character, with the second cut off. */
const HALF = /(?<=.)[\ud800-\udbff]$/

/** ASCII, Latin letters, and relay's own signs and rules: one column each, and none joins another. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u024f\u2026\u2190-\u2193\u22ef\u2500-\u257f\u25b2\u25cb\u25cc\u25cf\u2714\u2716]*$/

/** Made at its first use: nearly all lines do without, and making it takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined

/**
 * One character with the marks on it, or the two or three letters of one Hangul syllable: it moves the cursor in one
 * step, by two columns at most.
 */
const PART =
  /(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|.)[\p{Mn}\p{Me}\u200d]*/gsu

/**
 * Never fewer columns than a terminal gives. Many terminals give each character its own columns, even inside a family
 * emoji that others draw as one sign. If relay counted the family as one, a long row of them would pass the edge, and
 * go on where relay's lines begin.
 */
function columnsOfPart(part: string): number {
  if (WIDE_EMOJI.test(part)) return 2
  if (NO_COLUMN.test(part)) return 0
  const code = part.codePointAt(0) ?? 0
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/** Includes those that Unicode only reserves so far: a terminal may be newer than this table. */
const WIDE_EMOJI = /^(?:\p{Emoji_Presentation}|(?=\p{Extended_Pictographic})\p{Cn})|^\P{M}.*\ufe0f/u

/** A mark without a character before it that could carry it. */
const NO_COLUMN = /^[\p{Mn}\p{Me}\u200d]/u

/** Unicode's East Asian wide and full-width signs, roughly. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]
