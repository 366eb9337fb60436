import { isUtf8 } from 'node:buffer'
import { bufferOf, digest } from '../../ground/bytes.ts'
import { compareLines } from '../../lines/compare-lines.ts'
import type { Change, PathState } from '../../model/plan.ts'
import { binaryPatch } from './binary-patch.ts'
import { type Hunk, hunkRange, hunksOf, linesOfHunk, SIGN } from './hunks.ts'
import { quoteGitPath } from './quote-git-path.ts'

/**
 * The changes as a patch for `git apply` that turns the old files into exactly the new ones; `-R` reverses it.
 *
 * A content that is no UTF-8 text is written as bytes, so the patch is always text. Git knows only one part of a
 * mode: whether the owner may run the file. Git follows no links, so each path has to be the real place of the file.
 */
export function unifiedPatch(changes: readonly Sides[]): string {
  return changes.map(patchOf).join('')
}

type Sides = Pick<Change, 'path' | 'before' | 'after'>

function patchOf({ path, before, after }: Sides): string {
  const [old, now] = [contentOf(before), contentOf(after)]
  if (old === undefined && now === undefined) return ''
  // Git cannot turn a file into a link: the one goes, the other comes.
  if (old !== undefined && now !== undefined && old.isLink !== now.isLink) {
    return patchOf({ path, before, after: null }) + patchOf({ path, before: null, after })
  }
  const body = bodyOf(path, old, now)
  if (body === '' && old?.mode === now?.mode) return ''
  return `diff --git ${quoteGitPath(`a/${path}`)} ${quoteGitPath(`b/${path}`)}\n${headOf(old, now)}${body}`
}

/** A file or link as git keeps it. */
interface Content {
  readonly bytes: Uint8Array
  readonly mode: string
  readonly isLink: boolean
}

function contentOf(state: PathState): Content | undefined {
  if (state === null) return undefined
  if (state.kind === 'link') return { bytes: new TextEncoder().encode(state.to), mode: '120000', isLink: true }
  return { bytes: state.bytes, mode: state.mode & 0o100 ? '100755' : '100644', isLink: false }
}

function headOf(old: Content | undefined, now: Content | undefined): string {
  const index = `index ${objectName(old)}..${objectName(now)}`
  if (old === undefined) return `new file mode ${now?.mode}\n${index}\n`
  if (now === undefined) return `deleted file mode ${old.mode}\n${index}\n`
  const modes = old.mode === now.mode ? '' : `old mode ${old.mode}\nnew mode ${now.mode}\n`
  if (Buffer.compare(old.bytes, now.bytes) === 0) return modes
  return `${modes}${index}${modes === '' ? ` ${now.mode}` : ''}\n`
}

/** Git's name for a content: without it, git refuses a patch of bytes. */
function objectName(content: Content | undefined): string {
  if (content === undefined) return '0'.repeat(40)
  return digest('sha1', `blob ${content.bytes.length}\0`, content.bytes)
}

const NOTHING = new Uint8Array()

function bodyOf(path: string, old: Content | undefined, now: Content | undefined): string {
  const [before, after] = [old?.bytes ?? NOTHING, now?.bytes ?? NOTHING]
  if (Buffer.compare(before, after) === 0) return ''
  const [oldLines, newLines] = [linesOf(before), linesOf(after)]
  if (oldLines === undefined || newLines === undefined) return binaryPatch(before, after)
  return (
    nameLine('---', old === undefined ? undefined : `a/${path}`) +
    nameLine('+++', now === undefined ? undefined : `b/${path}`) +
    hunkTexts(oldLines, newLines)
  )
}

/** A tab follows a name with a blank, to mark its end. */
function nameLine(sign: string, name: string | undefined): string {
  if (name === undefined) return `${sign} /dev/null\n`
  const quoted = quoteGitPath(name)
  return `${sign} ${quoted}${quoted.includes(' ') && !quoted.startsWith('"') ? '\t' : ''}\n`
}

/** Nobody reads a longer patch, and bytes are written faster than lines. */
const LARGE = 8_388_608

/** Each line with its end; `undefined` for a content that is no text. */
function linesOf(bytes: Uint8Array): readonly string[] | undefined {
  if (bytes.length > LARGE || bytes.includes(0) || !isUtf8(bytes)) return undefined
  const text = bufferOf(bytes).toString('utf8')
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function hunkTexts(before: readonly string[], after: readonly string[]): string {
  const hunks = hunksOf(compareLines(before, after), after.length)
  return hunks.map(hunk => `${hunkRange(hunk)}\n${textOf(hunk, before, after)}`).join('')
}

function textOf(hunk: Hunk, before: readonly string[], after: readonly string[]): string {
  let lines = ''
  for (const { kind, text } of linesOfHunk(hunk, before, after)) lines += marked(SIGN[kind], text)
  return lines
}

function marked(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`
}
