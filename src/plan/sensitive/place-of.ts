/** The one spelling of a word that is a path: `./bin//lint` as `bin/lint`. */
export function pathOf(word: string): string {
  const parts: string[] = []
  const text = word.replaceAll('\\', '/')
  for (const part of text.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `${text.startsWith('/') ? '/' : ''}${parts.join('/')}`
}
