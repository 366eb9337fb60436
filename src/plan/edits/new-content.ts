import { NEW_FILE_MODE } from '../../model/path-state.ts'
import type { Change, FileState, PathFact } from '../../model/plan.ts'
import type { DeleteOperation, Problem, RenameOperation } from '../../model/response.ts'
import { fileBytes } from '../file-bytes.ts'
import { type PlacedEdits, placeEdits } from './place-edits.ts'
import type { Step } from './steps-of.ts'

/** What a step leaves at its path: a file, or nothing. */
export type NewContent =
  | ({ readonly kind: 'file'; readonly file: FileState } & Pick<Change, 'edits' | 'renamedFrom'>)
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }

/**
 * Makes the file that a step asks for. A file keeps its permission bits, also under another name, unless the response says
 * whether it may be run; a new one gets the usual ones.
 *
 * `factOf` gives what the disk has at another path of the same operation.
 */
export function newContent(step: Step, factOf: (path: string) => PathFact | undefined): NewContent {
  const { operation, fact } = step
  const before = fileOf(fact)
  switch (operation.op) {
    case 'delete':
      return deleted(operation, before)
    case 'write': {
      if (before !== undefined && isMarkedEdit(operation.content, before.bytes))
        return refused(operation.path, 'edit-markers', notMarked(operation.path))
      const bytes = fileBytes(operation.content, before?.bytes)
      return { kind: 'file', file: { kind: 'file', bytes, mode: before?.mode ?? NEW_FILE_MODE } }
    }
    case 'edit': {
      const { content } = operation
      const base = content === undefined ? before?.bytes : fileBytes(content, before?.bytes)
      const placed = placeEdits(operation.path, operation, base ?? null)
      const mode = modeFor(before?.mode, operation.executable)
      // Edits of a text that the response gives itself make a whole file.
      return made(placed, mode, content === undefined, {})
    }
    case 'rename':
      return renamed(step, operation, factOf(operation.path), factOf(operation.to))
  }
}

/** A file whose text the response says may hold nothing else: the rest is the user's. */
function deleted({ path, text }: DeleteOperation, before: FileState | undefined): NewContent {
  const [first] = text ?? []
  if (text === undefined || first === undefined || before === undefined) return { kind: 'none' }
  const placed = placeEdits(path, { blocks: [text] }, before.bytes)
  if (placed.kind === 'refused') return placed
  if (Buffer.from(placed.bytes).toString('latin1').trim() === '') return { kind: 'none' }
  const message = `The diff deletes ${path}, but does not hold all of its text: it was made from another one. Ask for it again with the present text.`
  return {
    kind: 'refused',
    problems: [{ code: 'edit-not-found', message, path, line: first.line, block: first.block }],
  }
}

function renamed(
  { op }: Step,
  operation: RenameOperation,
  from: PathFact | undefined,
  target: PathFact | undefined,
): NewContent {
  const { path, to, executable } = operation
  const old = fileOf(from)
  const there = fileOf(target)
  if (from?.link !== undefined) return refused(path, 'rename-link', `${path} is a link. Rename it by hand.`)
  if (old === undefined) {
    // One that was made already is left alone.
    const placed = there && placeEdits(to, operation, there.bytes)
    const isDone = placed?.kind === 'placed' && placed.already === placed.count
    if (there === undefined || !isDone)
      return refused(path, 'rename-missing', `There is no ${path} to rename to ${to}.`)
    return op === 'delete' ? { kind: 'none' } : { kind: 'file', file: there, edits: { count: 1, already: 1 } }
  }
  const isOneFile = from?.identity !== undefined && from.identity === target?.identity
  if (op === 'write' && there !== undefined && !isOneFile) {
    return refused(
      path,
      'rename-taken',
      `relay cannot rename ${path}: ${to} already exists. Ask for another name, or delete that file first.`,
    )
  }
  if (op === 'delete') return { kind: 'none' }
  return made(placeEdits(path, operation, old.bytes), modeFor(old.mode, executable), true, { renamedFrom: path })
}

/**
 * Whether what is to be a file begins with SEARCH and ends with REPLACE, each between signs, whichever these are: then it is an
 * edit of the file that is there. A file that tells of such edits has more lines around them, or these already.
 */
function isMarkedEdit(content: string, before: Uint8Array): boolean {
  return isBetween(content) && !isBetween(Buffer.from(before).toString())
}

function isBetween(text: string): boolean {
  return firstLine.test(text) && lastLine.test(text)
}

const firstLine = /^\s*[^\p{L}\p{N}\s][^\p{L}\p{N}\n]*SEARCH[^\p{L}\p{N}\n]*\n/iu
const lastLine = /\n[ \t]*[^\p{L}\p{N}\s][^\p{L}\p{N}\n]*REPLACE[^\p{L}\p{N}]*$/iu

function notMarked(path: string): string {
  return `The block for ${path} holds an edit whose markers are not understood. Ask for it again as <<<<<<< SEARCH, =======, >>>>>>> REPLACE, or for the full source of the file.`
}

function made(placed: PlacedEdits, mode: number, isEdited: boolean, more: Pick<Change, 'renamedFrom'>): NewContent {
  if (placed.kind === 'refused') return placed
  const { bytes, count, already } = placed
  const edits = isEdited && count > 0 ? { edits: { count, already } } : {}
  return { kind: 'file', file: { kind: 'file', bytes, mode }, ...edits, ...more }
}

/** Whoever may read a program may run it. */
function modeFor(mode: number | undefined, executable: boolean | undefined): number {
  if (executable === undefined) return mode ?? NEW_FILE_MODE
  const usual = mode ?? USUAL_MODE
  return executable ? usual | ((usual & 0o444) >> 2) : usual & ~0o111
}

/** What the usual umask leaves: where the bits are asked for, none takes from them. */
const USUAL_MODE = 0o644

function fileOf(fact: PathFact | undefined): FileState | undefined {
  return fact?.found === 'file' ? fact.file : undefined
}

function refused(path: string, code: string, message: string): NewContent {
  return { kind: 'refused', problems: [{ code, message, path }] }
}
