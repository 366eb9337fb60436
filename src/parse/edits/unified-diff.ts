import { looksLikePath } from '../lines/path.ts'
import { headingOf, noSign } from './apply-patch.ts'
import { type Damage, damaged, type EditText, type FileEdit, HunkReader, linesOf, type ReadEdits } from './file-edit.ts'

/**
 * Reads a unified diff of one or more files, also one without headers. `undefined`: there is none.
 *
 * Line numbers and counts are never read: a hunk goes to its end, whatever its head says. git's headers tell of new, deleted
 * and renamed files and of modes. What is no line of a diff is damage.
 */
export function readUnifiedDiff(content: string): ReadEdits | undefined {
  const lines = linesOf(content)
  const first = lines.findIndex(line => line.trim() !== '')
  if (first < 0 || !mayBegin(lines, first)) return undefined
  const files: FileEdit[] = []
  for (let at = first; at < lines.length; ) {
    const head = readHead(lines, at)
    if ('kind' in head) return head
    const body = readHunks(lines, head.after)
    if ('kind' in body) return body
    const file = fileOf(head, body.hunks, at)
    if ('kind' in file) return file
    files.push(file)
    at = nextFilled(lines, body.after)
  }
  return { kind: 'edits', files }
}

function mayBegin(lines: readonly string[], first: number): boolean {
  const line = lines[first] ?? ''
  return (
    /^(?:diff --git |Index: |--- |@@|[-+])/.test(line) ||
    (line.startsWith(' ') && lines.some(each => /^[-+]/.test(each)))
  )
}

function nextFilled(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at++
  return at
}

/** What stands above the hunks of one file. */
interface Head {
  readonly after: number
  readonly from: string | undefined
  readonly to: string | undefined
  readonly renames: { readonly from: string; readonly to: string } | undefined
  readonly isNew: boolean
  readonly isDeleted: boolean
  readonly mode: string | undefined
}

const nothing = '/dev/null'

function readHead(lines: readonly string[], start: number): Head | Damage {
  const read = readHeaders(lines, start)
  if ('kind' in read) return read
  const { found, after } = read
  const mode = found.get('new file') ?? found.get('new mode')
  if (mode !== undefined && !mode.startsWith('100'))
    return damaged(start, 'a diff of a link or a submodule cannot be applied')
  const [from, to] = pathsOf(found)
  const renames = renamesOf(found)
  const [ofGit, toGit] = pathsOfGit(found.get('git') ?? '')
  if ([ofGit, renames?.from].some(each => isOther(each, from)) || [toGit, renames?.to].some(each => isOther(each, to)))
    return damaged(start, 'the headers of the diff name different files')
  return {
    after,
    from,
    to,
    renames,
    isNew: found.has('new file') || from === nothing,
    isDeleted: found.has('deleted file') || to === nothing,
    mode,
  }
}

/** The headers of one file, by their names; each stands once, and `+++` is the last. */
function readHeaders(
  lines: readonly string[],
  start: number,
): { readonly found: ReadonlyMap<string, string>; readonly after: number } | Damage {
  const found = new Map<string, string>()
  let at = start
  for (; at < lines.length && !found.has('+++'); at++) {
    const line = lines[at] ?? ''
    const [name, pattern] = headers.find(([, each]) => each.test(line)) ?? []
    if (name === undefined || (name === 'git' && found.size > 0)) break
    if (name === '---' && !lines[at + 1]?.startsWith('+++ ')) break
    if (name in unread) return damaged(at, `${unread[name]} cannot be applied`)
    found.set(name, pattern?.exec(line)?.[1] ?? '')
  }
  return { found, after: at }
}

const unread: Readonly<Record<string, string>> = { binary: 'a binary diff', copy: 'a diff that copies a file' }

const headers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['git', /^diff --git (.+)$/],
  ['diff', /^diff (?:-\S+ )*\S+ \S+$/],
  ['index', /^(?:index [\da-f.]+|Index: |={20,}$|similarity index |dissimilarity index )/],
  ['old mode', /^old mode (\d+)$/],
  ['new mode', /^new mode (\d+)$/],
  ['new file', /^new file mode (\d+)$/],
  ['deleted file', /^deleted file mode (\d+)$/],
  ['rename from', /^rename from (.+)$/],
  ['rename to', /^rename to (.+)$/],
  ['copy', /^copy (?:from|to) /],
  ['binary', /^(?:GIT binary patch|Binary files )/],
  ['---', /^--- (.+)$/],
  ['+++', /^\+\+\+ (.+)$/],
]

/** The two paths of the headers, without the letters that git puts in front; of what is not there they are `/dev/null`. */
function pathsOf(found: ReadonlyMap<string, string>): readonly [string | undefined, string | undefined] {
  const [from, to] = [found.get('---'), found.get('+++')]
  if (from !== undefined && to !== undefined) return withoutPrefixes(pathIn(from), pathIn(to))
  const git = found.get('git')
  return git === undefined ? [undefined, undefined] : pathsOfGit(git)
}

/** `a/x b/x`: where the two are the same, the blank between them is the one in the middle. */
function pathsOfGit(words: string): readonly [string | undefined, string | undefined] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(words)
  if (quoted !== null) return withoutPrefixes(pathIn(quoted[1] ?? ''), pathIn(quoted[2] ?? ''))
  const middle = (words.length - 1) / 2
  const [one, other] = withoutPrefixes(words.slice(0, middle), words.slice(middle + 1))
  return words[middle] === ' ' && one === other ? [one, other] : [undefined, undefined]
}

function renamesOf(found: ReadonlyMap<string, string>): Head['renames'] {
  const [from, to] = [found.get('rename from'), found.get('rename to')]
  return from === undefined || to === undefined ? undefined : { from: pathIn(from), to: pathIn(to) }
}

/** The path in a header, without the time that stands behind it. */
function pathIn(words: string): string {
  if (words.startsWith('"')) return unquoted(words)
  const [path = ''] = words.split('\t')
  return path.replace(/ +\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$/, '').trim()
}

/** As git quotes a path: in C's way, bytes beyond ASCII as octal numbers. */
function unquoted(words: string): string {
  const end = words.lastIndexOf('"')
  const bytes: number[] = []
  for (const [, octal, sign, plain] of words.slice(1, end).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...Buffer.from(plain ?? { n: '\n', t: '\t' }[sign ?? ''] ?? sign ?? ''))
  }
  return Buffer.from(bytes).toString('utf8')
}

const prefixes: readonly (readonly [string, string])[] = [
  ['a/', 'b/'], ['i/', 'w/'], ['c/', 'i/'], ['c/', 'w/'], ['o/', 'w/'], ['old/', 'new/'],
] // biome-ignore format: pairs

function withoutPrefixes(from: string, to: string): readonly [string, string] {
  const pair = prefixes.find(
    ([a, b]) => (from === nothing || from.startsWith(a)) && (to === nothing || to.startsWith(b)) && from !== to,
  )
  if (pair === undefined) return [from, to]
  const bare = (path: string, prefix: string) => (path === nothing ? path : path.slice(prefix.length))
  return [bare(from, pair[0]), bare(to, pair[1])]
}

interface Body {
  readonly hunks: readonly HunkReader[]
  readonly after: number
}

function readHunks(lines: readonly string[], start: number): Body | Damage {
  const hunks: HunkReader[] = []
  let at = start
  while (at < lines.length && !beginsFile(lines, at)) {
    const head = lines[at] ?? ''
    if (head.startsWith('@@@')) return damaged(at, 'a combined diff cannot be applied')
    const isHead = head.startsWith('@@')
    const reader = new HunkReader(at, isHead ? headingOf(head) : [])
    const end = takeLines(reader, lines, isHead ? at + 1 : at)
    if (typeof end !== 'number') return end
    if (reader.changes) hunks.push(reader)
    at = end
  }
  return { hunks, after: at }
}

/** Takes the lines of a hunk, and answers where it ends: at the next one, or at the next file. */
function takeLines(reader: HunkReader, lines: readonly string[], start: number): number | Damage {
  let at = start
  for (; at < lines.length && !lines[at]?.startsWith('@@') && !beginsFile(lines, at); at++) {
    if (!reader.take(lines[at] ?? '')) return damaged(at, noSign)
  }
  return at
}

/** The headers of the next file: within a hunk, only three lines that can hardly be lines of it. */
function beginsFile(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (/^(?:diff --git |Index: \S)/.test(line)) return true
  return (
    line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true && lines[at + 2]?.startsWith('@@') === true
  )
}

function fileOf(head: Head, readers: readonly HunkReader[], line: number): FileEdit | Damage {
  const { from, to, isNew, isDeleted, renames, mode } = head
  if (isDeleted) return deleted(from, readers)
  if (isNew) {
    const [whole, ...more] = readers
    if (more.length > 0 || whole?.onlyAdds === false)
      return damaged(line, 'the diff of a new file has lines that are not new')
    const hunk: EditText = whole?.whole() ?? { line, lines: [], isNew: true }
    const isRun = mode === '100755' ? { executable: true } : {}
    return { op: 'edit', ...named(to), hunks: [hunk], ...isRun }
  }
  const hunks = readers.map(reader => reader.hunk())
  const run = mode === undefined ? {} : { executable: mode === '100755' }
  if (renames !== undefined) return { op: 'rename', path: renames.from, to: renames.to, hunks, ...run }
  if (hunks.length === 0 && mode === undefined) return damaged(line, 'the diff changes nothing')
  const path = samePath(from, to)
  if (path === null)
    return damaged(line, `the diff names two files, ${from} and ${to}, and does not say that one is renamed`)
  return { op: 'edit', ...named(path), hunks, ...run }
}

function deleted(from: string | undefined, readers: readonly HunkReader[]): FileEdit {
  const hunks = readers.map(reader => reader.hunk())
  return { op: 'delete', ...named(from === nothing ? undefined : from), ...(hunks.length > 0 && { hunks }) }
}

function named(path: string | undefined): { readonly path?: string } {
  return path === undefined ? {} : { path }
}

/** The one path of both headers; `null`: they name two. `a.ts.orig` and `old/a.ts` are what a.ts was. */
function samePath(from: string | undefined, to: string | undefined): string | undefined | null {
  if (from === undefined || to === undefined || from === to) return to
  // `--- Original`, `+++ Modified`
  if (!looksLikePath(from) && !looksLikePath(to)) return undefined
  const before = from.replace(/\.(?:orig|old|bak)$|~$/, '')
  return before === to || endsWith(before, to) ? to : endsWith(to, before) ? before : null
}

/** Whether two headers name different files, letters and folders in front aside. */
function isOther(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other || [one, other].includes(nothing)) return false
  return !endsWith(one, other) && !endsWith(other, one)
}

/** Whether a path is another one below more folders. */
export function endsWith(longer: string, shorter: string): boolean {
  return longer.endsWith(`/${shorter}`)
}
