import { findRenames } from '../lines/find-renames.ts'
import type { AgentChange, AgentChanges } from '../model/agent-changes.ts'
import type { Change, PathFact, Planned } from '../model/plan.ts'
import type { Control, Problem } from '../model/response.ts'
import type { AnswerChoices, AnswerOverlap } from '../model/stale.ts'
import { beyondLimits, tooManyFiles } from './beyond-limits.ts'
import type { FoundChange } from './change-file.ts'
import { oneFileTwice } from './collisions.ts'
import { madeDoubts } from './doubts.ts'
import { forbiddenPlaces } from './forbidden-places.ts'
import { linkProblem, placeOfLink } from './made-links.ts'
import { judgePath } from './path-policy.ts'
import type { PlanRules } from './plan-patch.ts'
import { settleAgentChanges } from './settle-agent-changes.ts'

/** What a look at the disk told. */
export interface MadeFacts {
  /** One for each change, in the same order; a link at the path itself is not followed. */
  readonly places: readonly PathFact[]
  /** Those of the places where new links lead, by `leadsOf`. */
  readonly leads: readonly PathFact[]
}

/** The changes at whose places nobody may even look, judged by the text of their paths as those of a response are. */
export function unsafeMade(changes: readonly AgentChange[]): readonly Problem[] {
  return changes.flatMap(({ path }): readonly Problem[] => {
    const judged = judgePath(path)
    if (judged.kind === 'unsafe') return [judged.problem]
    if (judged.path === path) return []
    // A response means `src/a.ts` by `src\\a.ts`; in a folder they are two files.
    const message = 'A name holds what some systems take for a separator. Ask for a name that every system can hold.'
    return [{ code: 'path-character', path, message }]
  })
}

/** The places that new links lead to, which have to be looked at as well. */
export function leadsOf(changes: readonly AgentChange[], places: readonly PathFact[]): readonly string[] {
  const leads = changes.flatMap(({ made }, at) => {
    const place = made?.kind === 'link' ? placeOfLink(places[at]?.place ?? '', made.to) : undefined
    return place === undefined || place === '' ? [] : [place]
  })
  return [...new Set(leads)]
}

/**
 * Makes a plan of what was made elsewhere from a known base, or refuses it as a whole with every reason. In steps, so that
 * Ctrl+C is heard while much of it is merged.
 *
 * The rules are those for an answer's files. Of the doubts only those are raised that are about what is done, and not about
 * what a chat may have lost on the way.
 */
export function* planAgentChanges(
  made: AgentChanges,
  { places, leads }: MadeFacts,
  control: Pick<Control, 'projectId' | 'uuid'>,
  rules: PlanRules,
  choices: AnswerChoices,
): Generator<undefined, Planned> {
  const forbidden = forbiddenPlaces(rules.policy)
  const leadAt = new Map(leads.map(fact => [fact.path, fact]))
  const by = made.source.slice(made.source.indexOf(':') + 1)
  const maker = { by, since: `${by} began` }
  const problems: Problem[] = [
    tooManyFiles(
      made.changes.map(({ path }) => path),
      rules.limits,
    ) ?? [],
  ].flat()
  const overlaps: AnswerOverlap[] = []
  const found: FoundChange[] = []
  for (const [at, change] of made.changes.entries()) {
    const fact = places[at]
    if (fact?.path !== change.path) throw new Error(`No fact for ${change.path}`)
    const problem = forbiddenBy(change, fact)
    if (problem !== undefined) {
      problems.push(problem)
      continue
    }
    const settled = settleAgentChanges(change, fact, maker, choices.get(change.path))
    if (settled.kind === 'overlap') overlaps.push(settled.overlap)
    else found.push({ change: settled.change, fact })
    yield
  }
  problems.push(...oneFileTwice(found))
  const [first, ...others] = problems
  if (first !== undefined) return { kind: 'refused', problems: [first, ...others] }
  const [overlap, ...more] = overlaps
  if (overlap !== undefined) return { kind: 'overlaps', overlaps: [overlap, ...more] }

  const changes = withRenames(found.map(({ change }) => change))
  yield
  const { reasoning, title } = made
  return {
    kind: 'plan',
    plan: {
      patch: {
        control: { ...control, changeSummary: changes.flatMap(summaryOf), promptSummary: title },
        operations: [],
        reasoning: reasoning.trim() === '' ? [] : [reasoning],
        flags: [],
      },
      changes,
      newFolders: [...new Set(found.flatMap(({ change, fact }) => (change.after === null ? [] : fact.missingFolders)))],
      flags: madeDoubts(changes, rules),
    },
  }

  function forbiddenBy({ path, made }: AgentChange, fact: PathFact): Problem | undefined {
    const size = made?.kind === 'file' ? made.bytes.length : 0
    const problem =
      forbidden({ op: made === null ? 'delete' : 'write', path }, fact) ?? beyondLimits(path, size, fact, rules.limits)
    if (problem !== undefined || made?.kind !== 'link') return problem
    const place = placeOfLink(fact.place, made.to)
    return linkProblem(path, made.to, place, leadAt.get(place ?? ''))
  }
}

/** A file that went here and came there has moved: what counts deletes, and what is new in a file, has to know that. */
function withRenames(changes: readonly Change[]): readonly Change[] {
  const renames = findRenames(changes)
  return changes.map(change => {
    const from = renames.get(change)
    return from === undefined ? change : { ...change, renamedFrom: from.path }
  })
}

function summaryOf({ effect, path }: Change): readonly unknown[] {
  if (effect === 'none') return []
  return [{ [{ create: 'new', modify: 'edit', delete: 'delete' }[effect]]: path }]
}
