/**
 * Tells whether words name a file, so that its name need not stand in front of them.
 *
 * A name without a dot or a folder is an ordinary word: `people` in a sentence does not mean the file.
 */
export function namesPath(words: string, path: string): boolean {
  if (!/[./]/.test(path)) return false
  for (let at = words.indexOf(path); at >= 0; at = words.indexOf(path, at + 1)) {
    if (!PART.test(words.charAt(at - 1)) && !PART.test(words.charAt(at + path.length))) return true
  }
  return false
}

const PART = /[\p{L}\p{N}_/-]/u
