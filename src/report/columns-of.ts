/** How many columns of a terminal a line takes; colours and links of our own take none. */
export function columnsOf(line: string): number {
  const text = line.includes('\x1b') ? line.replace(/\x1b\[[0-9;]*m|\x1b\]8;;.*?\x1b\\/g, '') : line
  if (NARROW.test(text)) return text.length
  let columns = 0
  for (const { segment } of segments(text)) columns += columnsOfGrapheme(segment)
  return columns
}

/** What a reader sees as one sign, each with its width. */
export function* graphemesOf(text: string): Generator<{ readonly sign: string; readonly columns: number }> {
  for (const { segment } of segments(text)) yield { sign: segment, columns: columnsOfGrapheme(segment) }
}

/** ASCII, Latin letters, and the signs and rules of relay's own: one column each, and none joins another. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u024f\u2026\u2190-\u2193\u22ef\u2500-\u257f\u25b2\u25cb\u25cc\u25cf\u2714\u2716]*$/

/** Made when it is needed: nearly all lines can do without, and making it takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined

function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

function columnsOfGrapheme(grapheme: string): number {
  if (/^\p{M}/u.test(grapheme)) return 0
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2
  const code = grapheme.codePointAt(0) ?? 0
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/** Unicode's East Asian wide and full-width signs, coarsely. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]
