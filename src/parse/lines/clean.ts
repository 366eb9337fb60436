const strange = /[\u00a0\u202f\u200b\u200e\u200f\u2060\ufeff\u2018\u2019\u201a\u201c\u201d\u201e]/

/**
 * Takes out of a control position what chat windows put in: no-break and zero-width blanks, typographic quotes.
 *
 * Only for paths, markers and the control block. Content is never cleaned.
 */
export function clean(words: string): string {
  if (!strange.test(words)) return words
  return cleanBlanks(words)
    .replace(/[\u2018\u2019\u201a]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
}

/** The same without touching quotes, which may be meant in a free text. */
export function cleanBlanks(words: string): string {
  if (!strange.test(words)) return words
  return words.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200b\u200e\u200f\u2060\ufeff]/g, '')
}
