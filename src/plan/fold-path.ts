/**
 * Gives two paths the same text when some file system takes them for one file: case, Unicode composition, and characters
 * that are not seen do not count.
 *
 * By way of both cases, since neither alone is enough: `ẞ`, `ß` and `SS` are one, `ı` and `I`, `ſ` and `s`.
 */
export function foldPath(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase()
  return path
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ')
}

const PLAIN = /^[\x20-\x7e]*$/
