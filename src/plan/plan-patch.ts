import type { Entry } from '../model/entry.ts'
import type { Change, PathFact, Planned } from '../model/plan.ts'
import type { Limits } from '../model/project.ts'
import type { Control, Flag, Patch, Problem } from '../model/response.ts'
import { beyondLimits } from './beyond-limits.ts'
import { changeFile, type FoundChange } from './change-file.ts'
import { oneFileTwice } from './collisions.ts'
import { doubtfulNames } from './doubtful-names.ts'
import { type DoubtRules, doubts, followed } from './doubts.ts'
import { newContent } from './edits/new-content.ts'
import { aboutOperation, stepsOf } from './edits/steps-of.ts'
import { forbiddenPlaces } from './forbidden-places.ts'
import { hiddenErrors } from './hidden-errors.ts'
import { lostEdits } from './lost-edits.ts'
import { otherEnding } from './other-ending.ts'
import { ownFolder } from './own-folder.ts'

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
 * `newest` is, for files that relay has written before, the newest entry about each, and behind one that takes another
 * back that one. A refusal is for all of it: half of a change is a change that nobody made.
 */
export function* planSteps(
  patch: Patch,
  facts: readonly PathFact[],
  rules: PlanRules,
  newest: ReadonlyMap<string, readonly Entry[]> = new Map(),
): Generator<undefined, Planned> {
  const steps = stepsOf(patch.operations, facts)
  const factOf = new Map(facts.map(fact => [fact.path, fact]))
  const forbidden = forbiddenPlaces(rules.policy)
  const problems: Problem[] = []
  const found: FoundChange[] = []
  if (steps.length > rules.limits.files) problems.push(tooManyFiles(steps.length, rules.limits.files))
  for (const step of steps) {
    const problem = forbidden(step, step.fact) ?? beyondLimits(step, step.fact, rules.limits)
    if (problem !== undefined) {
      problems.push(aboutOperation(step, problem))
      continue
    }
    const content = newContent(step, path => factOf.get(path))
    if (content.kind === 'refused') problems.push(...content.problems)
    else found.push({ change: changeFile(step, content), fact: step.fact })
    if (step.operation.op !== 'write') yield
  }
  problems.push(...oneFileTwice(found))
  const [first, ...others] = problems
  if (first !== undefined) return { kind: 'refused', problems: [first, ...others] }

  const changes = found.map(({ change }) => change)
  const doubtful: (readonly Flag[])[] = []
  for (const flags of doubts(patch.flags, changes, rules)) {
    doubtful.push(flags)
    yield
  }
  const edited = editedPaths(patch.control)
  doubtful.push(lostEdits(changes.filter(isWhole), newest, edited))
  yield
  doubtful.push(hiddenErrors(followed(changes), rules.linter))
  yield
  const newFolders = [...new Set(steps.flatMap(step => (step.op === 'write' ? step.fact.missingFolders : [])))]
  return {
    kind: 'plan',
    plan: {
      patch,
      changes,
      newFolders,
      flags: [
        ...doubtful.flat(),
        ...doubtfulNames(found),
        ...otherEnding(found, edited),
        ...ownFolder(found, patch.control.projectId, rules.root),
      ],
    },
  }
}

/** The file's whole text comes from the response: what the user did to it meanwhile may be lost. */
function isWhole({ edits, renamedFrom }: Change): boolean {
  return edits === undefined && renamedFrom === undefined
}

function tooManyFiles(count: number, limit: number): Problem {
  return {
    code: 'too-many-files',
    message: `The patch changes ${count} files; the limit is ${limit} (limits.files). Ask for smaller steps, or raise the limit.`,
  }
}

/** The paths that a change summary calls edited, and not new as well: to whoever wrote it the files are there. */
function editedPaths({ changeSummary }: Pick<Control, 'changeSummary'>): ReadonlySet<string> {
  const edited = new Set(changeSummary.flatMap(entry => pathsUnder(entry, 'edit')))
  for (const path of changeSummary.flatMap(entry => pathsUnder(entry, 'new'))) edited.delete(path)
  return edited
}

function pathsUnder(entry: unknown, verb: 'edit' | 'new'): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const value = (entry as Readonly<Record<string, unknown>>)[verb]
  return typeof value === 'string' ? [value] : []
}
