import { mergeFiles } from '../../lines/merge-files.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import { isSameState } from '../../model/path-state.ts'
import type { PathState } from '../../model/plan.ts'
import type { WorkTree } from './work-tree.ts'

/** Trees, as hashes: what the work began from, the work, and what is there now. */
interface Trees {
  readonly base: string
  readonly work: string
  readonly now: string
}

type MergedTree =
  /** `beneath`: the paths that changed since the base, by somebody else. */
  | { readonly kind: 'merged'; readonly tree: string; readonly beneath: readonly string[] }
  | { readonly kind: 'overlap'; readonly paths: readonly string[] }

/** Merges the work into what is there now, file by file, as a landing would. */
export async function mergeForward({ base, work, now }: Trees, folder: WorkTree): Promise<MergedTree> {
  const made = await folder.changesBetween([base, work])
  const beneath = await folder.pathsBetween(base, now)
  const isBeneath = new Set(beneath)
  const isShared = made.some(({ path }) => isBeneath.has(path))
  const others = new Map(
    (isShared ? await folder.changesBetween([base, now]) : []).map(change => [change.path, change.made]),
  )
  const merged = made.map(change => ({
    path: change.path,
    state: isBeneath.has(change.path) ? mergeStates(change, others.get(change.path) ?? null) : change.made,
  }))
  const states = merged.flatMap(({ path, state }) => (state === undefined ? [] : [[path, state] as const]))
  const inTheWay = pathsInTheWay(states, beneath)
  const paths = merged.filter(({ path, state }) => state === undefined || inTheWay.has(path)).map(({ path }) => path)
  if (paths.length > 0) return { kind: 'overlap', paths }
  return { kind: 'merged', tree: await folder.treeWith(now, new Map(states)), beneath }
}

/** Both changes of one path together; `undefined` where they overlap. */
function mergeStates({ base, made }: AgentChange, now: PathState): PathState | undefined {
  if (isSameState(now, made) || isSameState(made, base)) return now
  if (isSameState(now, base)) return made
  if (base?.kind === 'link' || now?.kind !== 'file' || made?.kind !== 'file') return undefined
  const texts = { base: base?.bytes ?? new Uint8Array(), ours: now.bytes, theirs: made.bytes }
  const merged = mergeFiles(texts, { ours: '', theirs: '' })
  if (merged.kind !== 'clean') return undefined
  return { kind: 'file', bytes: merged.bytes, mode: made.mode === base?.mode ? now.mode : made.mode }
}

/** The new paths of the work where somebody else has a folder now, or a file in the place of a folder. */
function pathsInTheWay(
  states: readonly (readonly [string, PathState])[],
  beneath: readonly string[],
): ReadonlySet<string> {
  const isBeneath = new Set(beneath)
  const folders = new Set(beneath.flatMap(foldersOf))
  const isMade = ([path, state]: readonly [string, PathState]) => {
    return state !== null && (folders.has(path) || foldersOf(path).some(folder => isBeneath.has(folder)))
  }
  return new Set(states.filter(isMade).map(([path]) => path))
}

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
