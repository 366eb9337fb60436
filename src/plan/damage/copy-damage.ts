import { isDocument } from '../../lines/is-document.ts'
import { isComment } from '../../lines/remark.ts'
import type { Flag } from '../../model/response.ts'
import { difference, lineBag } from './line-bag.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files in which a line of the old one is back with signs that copying makes: `&lt;`, curly quotes, `\_`, `**init**`
 * for `__init__`, signs that cannot be seen; or without those that it takes away.
 *
 * By itself each may be meant; in a line that is otherwise the file's own, hardly any is. Signs that copying makes are left to
 * a linter that reads the file, and are right in documents and pages; what it takes away is code as well, and always counts.
 */
export function copyDamage(texts: readonly TextChange[], isRead: (path: string) => boolean = () => false): Flag[] {
  return texts.flatMap(({ path, before, after }) => {
    const isWords = isDocument(path)
    const looksForSigns = !isWords && !pages.test(path) && !isRead(path) && someSign.test(after)
    if (before === '' || !(looksForSigns || someLoss.test(before))) return []
    const was = lineBag(before)
    const gone = [...difference(was, lineBag(after)).keys()]
    const worn = new Set(gone.flatMap(line => losses(line, isWords)))
    const plain = new Set(looksForSigns ? gone.map(withoutSigns) : [])
    const at = after.split('\n').findIndex(line => {
      const said = line.trim()
      if (line.length > LONGEST || was.has(said)) return false
      return worn.has(said) || (someSign.test(line) && !isComment(said, path) && plain.has(withoutSigns(line)))
    })
    if (at < 0) return []
    const reason = `line ${at + 1} of it differs from the present line only in characters that copying adds or removes`
    return { flag: 'chat-artifact', path, reason }
  })
}

/** A longer line is data, and nobody reads it. */
const LONGEST = 2000

/** Files in which entities and better quotes are right. */
const pages =
  /\.(?:x?html?|xml|svg|vue|svelte|astro|[jt]sx|php|erb|ejs|hbs|mustache|njk|twig|liquid|tmpl|jsp|cshtml|razor|h?eex|resx|xaml|plist|\w+proj|config|props|targets|strings|xliff?|arb)$/i

const someSign =
  /&(?:lt|gt|amp|quot|apos|nbsp|#\w{2,4});|[\u2010-\u201f\u2212\u00a0\u202f\u200b-\u200d\u2060\ufeff\u00ad\u001b]|\\_|\*\*\w|\u2026[\w$([{]/

/**
 * What a copy takes away and hardly any change does: `__init__`, the backslash of `\n` or `\d+`, a letter beyond ASCII. One
 * of two backslashes is often one too many, and a question mark of another script becomes the usual one on purpose.
 */
const someLoss = /\b__\w+?__\b|(?<!\\)\\[nrtbdswDSWB](?!\w)|[^\0-\x7f\uff1f\u061f]/

/** What a line may be after it was copied: with `?` for letters; in code without low lines around names, or backslashes. */
function losses(line: string, isWords: boolean): readonly string[] {
  if (line.length > LONGEST || !someLoss.test(line)) return []
  const ascii = [line.replace(/[^\0-\x7f]/g, '?'), line.replace(/[^\0-\x7f]/gu, '?')]
  const bare = [
    line.replace(/\b__(\w+?)__\b/g, '$1'),
    /(?<!\\)\\[nrtbdswDSWB](?!\w)/.test(line) ? line.replace(/\\(.)/g, '$1') : line,
  ]
  return [...ascii, ...(isWords ? [] : bare)].filter(each => each !== line)
}

/** A line in the form that it and its copy have in common. Better quotes and dashes are meant in a text within quotes. */
function withoutSigns(line: string): string {
  const code = line
    .replace(/&(lt|gt|amp|quot|apos|nbsp|#39|#x27|#34|#x22|#x2f|#47|#96|#x60);/gi, (_, name: string) => {
      return entities[name.toLowerCase()] ?? ''
    })
    .replace(/\u001b\[[\d;]*[A-Za-z]|[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\*\*(\w+)\*\*/g, '__$1__')
    .replaceAll('\\_', '_')
    .replace(/\u2026(?=[\w$([{])/g, '...')
    .trim()
  const plain = /[“”„‘]/.test(code) && !/["']/.test(code) ? code.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"') : code
  return /["'`]/.test(line) ? plain : plain.replace(/[\u2010-\u2015\u2212]|--/g, '-')
}

const entities: Readonly<Record<string, string>> = {
  lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', '#39': "'", '#x27': "'", '#34': '"', '#x22': '"',
  '#x2f': '/', '#47': '/', '#96': '`', '#x60': '`',
} // biome-ignore format: one line a few names
