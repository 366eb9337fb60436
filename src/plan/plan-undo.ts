import type { BackView, Overlap, OverlapChoice } from '../model/back.ts'
import type { Entry } from '../model/entry.ts'
import type { Change, PathFact, Plan } from '../model/plan.ts'
import { type DoubtRules, sensitiveFlags } from './doubts.ts'
import type { BackFile, BlockedFile } from './undone-files.ts'

/** Decisions by path. */
export type OverlapChoices = ReadonlyMap<string, OverlapChoice>

/** What nobody has decided yet: a transaction cannot begin with it. */
export function undecided(
  found: readonly BackFile[],
  choices: OverlapChoices,
): { readonly blocked: readonly BlockedFile[]; readonly overlaps: readonly Overlap[] } {
  return {
    blocked: found.filter(file => file.kind === 'blocked'),
    overlaps: found.filter(file => file.kind === 'overlap').filter(({ path }) => !choices.has(path)),
  }
}

/** What a question about going back shows, with the choices that are decided by then. */
export function previewUndo(
  about: Pick<BackView, 'kind' | 'of' | 'at' | 'commit'>,
  found: readonly BackFile[],
  choices: OverlapChoices,
): BackView {
  const pathsOf = (kind: BackFile['kind'], choice?: OverlapChoice) =>
    found.flatMap(file => (file.kind === kind && choices.get(file.path) === choice ? [file.path] : []))
  const changes = changesOf(found, choices)
  const nothingThere = new Set(changes.flatMap(({ path, before }) => (before === null ? [path] : [])))
  return {
    ...about,
    changes,
    merged: pathsOf('merged'),
    marked: pathsOf('overlap', 'markers'),
    replaced: pathsOf('overlap', 'old').filter(path => !nothingThere.has(path)),
    skipped: pathsOf('overlap', 'skip'),
    done: pathsOf('done'),
  }
}

/** The plan of the transaction that takes an entry back. `folders` are those that may go, with their permission bits. */
export function planUndo(
  { projectId }: Pick<Entry, 'projectId'>,
  { uuid, title }: { readonly uuid: string; readonly title: string },
  found: readonly BackFile[],
  choices: OverlapChoices,
  facts: readonly PathFact[],
  folders: ReadonlyMap<string, number>,
  rules: DoubtRules,
): Plan {
  const changes = changesOf(found, choices)
  const written = new Set(changes.flatMap(({ op, path }) => (op === 'write' ? [path] : [])))
  return {
    patch: {
      control: { projectId, uuid, changeSummary: [], promptSummary: title },
      operations: [],
      reasoning: [],
      flags: [],
    },
    changes,
    newFolders: [...new Set(facts.flatMap(fact => (written.has(fact.path) ? fact.missingFolders : [])))],
    oldFolders: new Map(
      [...folders].filter(([folder]) => {
        return changes.some(({ target, after }) => after === null && target.startsWith(`${folder}/`))
      }),
    ),
    // Any repository can bring an entry, and what it says the file was before.
    flags: sensitiveFlags(changes, rules),
  }
}

function changesOf(found: readonly BackFile[], choices: OverlapChoices): readonly Change[] {
  return found.flatMap(file => {
    if (file.kind === 'exact' || file.kind === 'merged') return [file.change]
    if (file.kind !== 'overlap') return []
    const choice = choices.get(file.path)
    return (choice === 'old' ? file.old : choice === 'markers' ? file.markers : undefined) ?? []
  })
}
