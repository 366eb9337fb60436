import type { LostVersion } from '../model/entry.ts'
import { linterLine } from '../model/linters-of.ts'
import type { PathFact, Planned } from '../model/plan.ts'
import type { Limits } from '../model/project.ts'
import type { Control, Flag, Patch, Problem } from '../model/response.ts'
import type { AnswerChoices, AnswerOverlap } from '../model/stale.ts'
import { baseOf, newestFirst } from './base-of.ts'
import { beyondLimits, tooManyFiles } from './beyond-limits.ts'
import { changeFile, type FoundChange } from './change-file.ts'
import { oneFileTwice } from './collisions.ts'
import { doubtfulNames } from './doubtful-names.ts'
import { type DoubtRules, doubts, followed } from './doubts.ts'
import { changedSince } from './edits/changed-since.ts'
import { newContent } from './edits/new-content.ts'
import { aboutOperation, type Step, stepsOf } from './edits/steps-of.ts'
import { forbiddenPlaces } from './forbidden-places.ts'
import { type GoneFiles, goneSince } from './gone-since.ts'
import { hiddenErrors } from './hidden-errors.ts'
import { lostVersion } from './lost-version.ts'
import type { Base } from './merge-stale.ts'
import { newButThere } from './new-but-there.ts'
import { olderVersion } from './older-version.ts'
import { otherEnding } from './other-ending.ts'
import { ownFolder } from './own-folder.ts'
import { settleStale } from './settle-stale.ts'

/** What tells what the model has seen of each path. */
export interface KnownFiles extends GoneFiles {
  /** What is known of the newest about a path whose entry is gone. */
  readonly lost?: ReadonlyMap<string, LostVersion> | undefined
}

/** What of the configuration bears on whether a patch may run. */
export interface PlanRules extends DoubtRules {
  readonly limits: Limits
  /** Where the project lies. */
  readonly root?: string
}

/**
 * Makes a plan of a patch and of what a look at the disk told, or refuses the patch as a whole with every reason. In steps,
 * for of a patch of tens of megabytes that takes so long that whoever waits has to be heard meanwhile.
 *
 * `facts` are one for each path that the operations touch (`touches`), in the same order; the operations' paths are those
 * that `judgeOperations` gave.
 * `known` tells what the model has seen of the files. What the user did to them since is kept; where only a person can tell
 * what is meant, `choices` are what somebody decided. A refusal is for all of it: half of a change is a change that nobody
 * made.
 */
export function* planSteps(
  patch: Patch,
  facts: readonly PathFact[],
  rules: PlanRules,
  known: KnownFiles = { entries: new Map() },
  choices: AnswerChoices = new Map(),
): Generator<undefined, Planned> {
  const steps = stepsOf(patch.operations, facts)
  const factOf = new Map(facts.map(fact => [fact.path, fact]))
  const forbidden = forbiddenPlaces(rules.policy)
  const problems: Problem[] = [
    tooManyFiles(
      steps.map(({ path }) => path),
      rules.limits,
    ) ?? [],
  ].flat()
  const overlaps: AnswerOverlap[] = []
  const found: FoundChange[] = []
  const older: Flag[] = []
  for (const step of steps) {
    const problem =
      forbidden(step, step.fact) ?? beyondLimits(step.path, bytesOf(step, rules.limits), step.fact, rules.limits)
    if (problem !== undefined) {
      problems.push(aboutOperation(step, problem))
      continue
    }
    const content = newContent(step, path => factOf.get(path))
    if (content.kind === 'refused') {
      problems.push(...changedSince(step.operation, content.problems, versionsFor(step, factOf, known)[0]))
      continue
    }
    const change = changeFile(step, content)
    const versions = versionsFor(step, factOf, known)
    const madeFromOlder = olderVersion(change, versions)
    older.push(...madeFromOlder, ...lostVersion(change, versions, known.lost))
    const base = versions[madeFromOlder.length]
    const settled = settleStale(step, change, base, choices.get(step.path))
    if (settled.kind === 'overlap') overlaps.push(settled.overlap)
    else found.push({ change: settled.change, fact: step.fact })
    if (step.operation.op !== 'write') yield
  }
  problems.push(...oneFileTwice(found))
  const [first, ...others] = problems
  if (first !== undefined) return { kind: 'refused', problems: [first, ...others] }

  const [overlap, ...more] = overlaps
  if (overlap !== undefined) return { kind: 'overlaps', overlaps: [overlap, ...more] }

  const changes = found.map(({ change }) => change)
  const doubtful: (readonly Flag[])[] = []
  for (const flags of doubts(patch.flags, changes, rules)) {
    doubtful.push(flags)
    yield
  }
  const edited = pathsCalled('edit', patch.control)
  const strangers = newButThere(found, pathsCalled('new', patch.control), path => isKnown(path, known))
  // That little of it stays is then no news.
  const strange = new Set(strangers.map(({ path }) => path))
  doubtful.push(hiddenErrors(followed(changes), linterLine(rules)))
  yield
  const newFolders = [...new Set(steps.flatMap(step => (step.op === 'write' ? step.fact.missingFolders : [])))]
  return {
    kind: 'plan',
    plan: {
      patch,
      changes,
      newFolders,
      flags: [
        ...doubtful.flat().filter(({ flag, path }) => flag !== 'shrink' || !strange.has(path)),
        ...strangers,
        ...goneSince(found, edited, known),
        ...older,
        ...doubtfulNames(found),
        ...otherEnding(found, edited),
        ...ownFolder(found, patch.control.projectId, rules.root),
      ],
    },
  }
}

/** What the model knows of the file that a step changes, the newest first; one that gets another name is known by the old one. */
function versionsFor(
  { op, path, operation }: Step,
  factOf: ReadonlyMap<string, PathFact>,
  { entries, given, again }: KnownFiles,
): readonly Base[] {
  if (operation.op === 'rename' && op === 'delete') return []
  const name = operation.op === 'rename' ? operation.path : path
  const base = baseOf(name, entries.get(name) ?? [], factOf.get(name)?.file?.bytes, again)
  return newestFirst(base, given?.get(name) ?? [])
}

function isKnown(path: string, { entries, given }: KnownFiles): boolean {
  return (entries.get(path)?.length ?? 0) > 0 || (given?.get(path)?.length ?? 0) > 0
}

/** Most are far below the limit: only near it the exact number is worth counting. */
function bytesOf({ operation }: Step, { fileBytes }: Limits): number {
  return operation.op === 'write' && operation.content.length * 3 > fileBytes ? Buffer.byteLength(operation.content) : 0
}

/** The paths that a change summary calls edited and not new as well, or the other way round. */
export function pathsCalled(
  verb: 'edit' | 'new',
  { changeSummary }: Pick<Control, 'changeSummary'>,
): ReadonlySet<string> {
  const called = new Set(changeSummary.flatMap(entry => pathsUnder(entry, verb)))
  const other = verb === 'edit' ? 'new' : 'edit'
  for (const path of changeSummary.flatMap(entry => pathsUnder(entry, other))) called.delete(path)
  return called
}

function pathsUnder(entry: unknown, verb: 'edit' | 'new'): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const value = (entry as Readonly<Record<string, unknown>>)[verb]
  return typeof value === 'string' ? [value] : []
}
