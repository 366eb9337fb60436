import { readApplyPatch } from './apply-patch.ts'
import { damaged, type FileEdit, type ReadEdits } from './file-edit.ts'
import { readSearchReplace } from './search-replace.ts'
import { endsWith, readUnifiedDiff } from './unified-diff.ts'

/** An edit with the path that it is for. */
export type NamedEdit = FileEdit & { readonly path: string }

export type NamedEdits =
  | { readonly kind: 'edits'; readonly files: readonly NamedEdit[] }
  | Extract<ReadEdits, { readonly kind: 'damaged' }>

/**
 * Reads a text that begins as an edit, in whichever of the three formats, with the paths that it is for. `undefined`: it is
 * in none of them.
 *
 * @param path that of the block; one that the text names itself must be the same
 */
export function readEdits(content: string, path: string | undefined): NamedEdits | undefined {
  const read = readApplyPatch(content) ?? readSearchReplace(content, path) ?? readUnifiedDiff(content)
  if (read === undefined || read.kind === 'damaged') return read
  const files: NamedEdit[] = []
  for (const file of read.files) {
    const own = ownPath(file, read.files.length, path)
    if (own === undefined) {
      const why =
        path === undefined
          ? 'the edit does not say which file it is for'
          : `the block is for ${path}, and its text for ${file.path}`
      return damaged(0, why)
    }
    files.push({ ...file, path: own })
  }
  if (path !== undefined && files.length > 1 && !files.some(file => isFor(file, path))) {
    return damaged(0, `the block is for ${path}, and its text for other files`)
  }
  return { kind: 'edits', files }
}

/** The path of one edit: its own, or that of the block, where the two do not contradict each other. */
function ownPath(file: FileEdit, count: number, path: string | undefined): string | undefined {
  if (file.path === undefined) return count === 1 ? path : undefined
  if (path === undefined || count > 1 || isFor({ ...file, path: file.path }, path)) return file.path
  // A model may leave folders out of the headers, or put some in front.
  const isShort = endsWith(path, file.path) || endsWith(file.path, path)
  return isShort && file.op !== 'rename' ? path : undefined
}

function isFor(file: NamedEdit, path: string): boolean {
  return file.path === path || (file.op === 'rename' && file.to === path)
}
