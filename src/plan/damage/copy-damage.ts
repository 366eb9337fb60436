import { isDocument } from '../../ground/is-document.ts'
import type { Flag } from '../../model.ts'
import { isComment } from '../../remark.ts'
import { difference, lineBag, takeLine } from './line-bag.ts'
import type { TextChange } from './text-changes.ts'

/**
 * Flags files in which a line of the old one is back with signs that copying makes: `&lt;`, curly quotes, `\_`, `**init**`
 * for `__init__`, signs that cannot be seen; or without those that it takes away.
 *
 * By itself each may be meant; in a line that is otherwise the file's own, and that the new text has in no other form, hardly
 * any is. Where a linter reads the file only the losses count, which it takes for code. Where a page, a comment or a regular expression may want just that sign, less of it counts.
 */
export function copyDamage(texts: readonly TextChange[], isRead: (path: string) => boolean = () => false): Flag[] {
  return texts.flatMap(text => {
    const damaged = damagedLines(text, isRead(text.path))
    const [first] = damaged
    if (first === undefined || (damaged.length < ENOUGH && damaged.every(({ mayBeMeant }) => mayBeMeant))) return []
    const reason = `line ${first.number} of it differs from the file's own only by signs that copying makes or takes away`
    return { flag: 'chat-artifact', path: text.path, reason }
  })
}

interface Damaged {
  readonly number: number
  /** With backslashes: a regular expression that was mended. */
  readonly mayBeMeant: boolean
}

function damagedLines({ path, before, after }: TextChange, isRead: boolean): readonly Damaged[] {
  const isWords = isDocument(path)
  const mayHeal = !isWords && !isRead
  if (before === '' || !((mayHeal && someSign.test(after)) || someLoss.test(before))) return []
  const was = lineBag(before)
  const gone = difference(was, lineBag(after))
  if (gone.size === 0) return []
  const worn = new Map([...gone.keys()].flatMap(line => losses(line, isWords).map(loss => [loss, line] as const)))
  const isWorn = (said: string) => takeLine(gone, worn.get(said) ?? '')
  const isHealed = (line: string, said: string) =>
    mayHeal && someSign.test(line) && healings(line, path).some(it => it !== said && takeLine(gone, it))
  return after.split('\n').flatMap((line, at) => {
    const said = line.trim()
    if (line.length > LONGEST || was.has(said)) return []
    if (isWorn(said)) return { number: at + 1, mayBeMeant: false }
    return isHealed(line, said) ? { number: at + 1, mayBeMeant: onlyEscapes(line) } : []
  })
}

/** A longer line is data, and nobody reads it. */
const LONGEST = 2000

/** One line that may be meant may be so; two are not. */
const ENOUGH = 2

const someSign =
  /&(?:[a-z]{2,4}|#\w{2,4});|[\u2010-\u201f\u2212\u00a0\u202f\u200b-\u200d\u2060\ufeff\u00ad\u001b]|\\[_*`#<>[\]~]|\*\*\w|\u2026[\w$([{]/

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

/** What a line may have been before it was copied: one way for each reading of a long dash. */
function healings(line: string, path: string): readonly string[] {
  const words = withoutMarkdown(withoutUnseen(decoded(line, path), path)).trim()
  // Words are often set with better quotes and dashes on purpose.
  if (isComment(words, path)) return [words]
  // `[…items]`
  const plain = words.replace(/\u2026(?=[\w$([{])/g, '...')
  const isCode = isPage(path) ? /[=(,:[{]\s*[“”‘’„]/.test(plain) : /[“”„‘]/.test(plain)
  const straight = /["']/.test(plain) || !isCode ? plain : plain.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"')
  if (isPage(path) || /["'`]/.test(line) || !dash.test(straight)) return [straight]
  return ['-', '--'].map(minus => straight.replaceAll('\u2014', minus).replace(/[\u2010-\u2015\u2212]/g, '-'))
}

const dash = /[\u2010-\u2015\u2212]/

/** In a page an entity is right wherever it stands for text; only what would have been a tag or code is not. */
function decoded(line: string, path: string): string {
  if (isPage(path) && !/^\s*&lt;|&lt;.*&gt;|=&gt;|&amp;&amp;|=&(?:quot|#34);/.test(line)) return line
  return line.replace(/&(lt|gt|amp|quot|apos|nbsp|#39|#x27|#34|#x22|#x2f|#47|#96|#x60);/gi, (_, name: string) => {
    return entities[name.toLowerCase()] ?? ''
  })
}

const entities: Readonly<Record<string, string>> = {
  lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', '#39': "'", '#x27': "'", '#34': '"', '#x22': '"',
  '#x2f': '/', '#47': '/', '#96': '`', '#x60': '`',
} // biome-ignore format: one line a few names

/** Without colours of a terminal and signs of no width; a blank that does not break is a blank. */
function withoutUnseen(line: string, path: string): string {
  const seen = line.replace(/\u001b\[[\d;]*[A-Za-z]/g, '').replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
  return isPage(path) ? seen : seen.replace(/[\u00a0\u202f]/g, ' ')
}

function withoutMarkdown(line: string): string {
  return line.replace(/\*\*(\w+)\*\*/g, '__$1__').replace(/\\([_*`#<>[\]~])/g, '$1')
}

/** Backslashes that programs write, too, in front of all of those signs but `_`. */
function onlyEscapes(line: string): boolean {
  return !someSign.test(line.replace(/\\[*`#<>[\]~]/g, ''))
}

function isPage(path: string): boolean {
  return pages.test(path)
}

const pages =
  /\.(?:x?html?|xml|svg|vue|svelte|astro|[jt]sx|php|erb|ejs|hbs|mustache|njk|twig|liquid|tmpl|jsp|cshtml|razor|h?eex|resx|xaml|plist|\w+proj|config|props|targets|strings|xliff?|arb)$/i
