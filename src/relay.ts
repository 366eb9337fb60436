import type { Config, Entry, Limits, Outcome, Patch, Problem, Project, Response } from './model.ts'
import { parseResponse } from './parse/parse-response.ts'
import { withoutDamaged } from './parse/without-damaged.ts'
import { judgeOperations } from './plan/path-policy.ts'
import { planPatch } from './plan/plan-patch.ts'
import { reachedFiles } from './plan/sensitive/reached-files.ts'
import type { System, Talk } from './ports.ts'
import { titleOf } from './title.ts'
import { enterProject } from './transact/enter-project.ts'
import { hashOperations } from './transact/entry/hash.ts'
import { newestEntries } from './transact/journal/newest-entries.ts'
import { isReserved } from './transact/layout/layout.ts'
import { projectTexts } from './transact/survey/project-texts.ts'
import { survey } from './transact/survey/survey.ts'
import { transact } from './transact/transact.ts'

export interface RelayOptions {
  /** Also take a response that has already had its turn. */
  readonly again?: boolean
  /** Of a damaged response take the sound files alone; always asked. */
  readonly soundOnly?: boolean
  /** Take a response without a control block; always asked. */
  readonly withoutControl?: boolean
}

/**
 * The story: one response becomes a patch, the patch a plan, the plan a transaction, and that has one of two ends.
 *
 * Throws only what nobody could foresee or decide here (`RelayError`); whatever a response can do is an outcome.
 */
export async function relay(
  response: Response,
  project: Project,
  system: System,
  talk: Talk,
  options: RelayOptions = {},
): Promise<Outcome> {
  const { config, root } = project
  if (Buffer.byteLength(response.text) > config.limits.responseBytes) return tooLarge(response, config.limits)
  const text = options.withoutControl === true ? withControl(response.text, config, system) : response.text
  const { trace } = system
  const understood = await trace.span('parse', () => understand(text, config, options))
  if (understood.kind !== 'patch') return understood

  return enterProject(project, system, talk, async site => {
    const { layout, journal } = site
    const { files } = layout
    const { uuid } = understood.patch.control
    const operations = () => hashOperations(understood.patch.operations)
    const seen = await trace.span('look up', () => journal.lookUp(uuid, operations))
    const sameAgain = seen !== undefined && seen.operations === operations()
    if (sameAgain && options.again !== true) {
      return { kind: 'skipped', number: seen.number, state: seen.outcome, at: seen.at }
    }

    const looks = { ...config.limits, stateFolder: system.stateFolder, listsBeside: true }
    let newest: ReadonlyMap<string, readonly Entry[]> | undefined
    const plan = (patch: Patch) =>
      trace.span('plan', async () => {
        const facts = await survey(root, patch.operations, files, looks)
        const there = facts.flatMap(({ path, file }) => (file === undefined ? [] : [path]))
        newest ??= await newestEntries(there, journal, layout)
        const texts = projectTexts(root, patch.operations, files)
        const paths = patch.operations.map(({ path }) => path)
        const reached = await reachedFiles(config, paths, texts)
        return planPatch(patch, facts, { ...config, root, reached }, newest)
      })
    let { patch, problems } = understood
    let planned = await plan(patch)
    if (planned.kind === 'refused') {
      const sound = withoutProblems(patch, planned.problems)
      if (options.soundOnly !== true || sound === undefined) return refused(planned.problems, sound)
      problems += planned.problems.length
      patch = sound
      planned = await plan(patch)
      if (planned.kind === 'refused') return refused(planned.problems, undefined)
    }
    if (planned.plan.changes.every(({ effect }) => effect === 'none')) {
      return { kind: 'unchanged', paths: planned.plan.changes.map(({ path }) => path) }
    }
    // Each entry has a uuid of its own: one that is taken, or that stood for something else, is not used again.
    const taken = seen !== undefined && !(sameAgain && seen.outcome === 'declined')
    const ownUuid = taken || isReserved(uuid)
    return transact(
      {
        project,
        source: response.source,
        response: { ...response, text },
        number: journal.nextNumber(),
        uuid: ownUuid ? system.randomUuid() : uuid,
        modelUuid: ownUuid ? uuid : undefined,
        title: titleOf(patch),
        plan: planned.plan,
        reused: seen === undefined || sameAgain ? undefined : { number: seen.number, state: seen.outcome },
        doubts: [
          ...(problems > 0 ? [{ kind: 'partial', problems } as const] : []),
          ...(options.withoutControl === true ? [{ kind: 'no-control' } as const] : []),
        ],
        replan: () => plan(patch),
      },
      site,
    )
  })
}

/** A patch whose paths are sound as far as text alone tells, with the number of problems that were left out of it. */
type Understood = { readonly kind: 'patch'; readonly patch: Patch; readonly problems: number } | Outcome

function understand(text: string, config: Config, { soundOnly }: RelayOptions): Understood {
  const parsed = parseResponse(text, config.projectId)
  if (parsed.kind === 'ignored') return parsed
  let problems: readonly Problem[] = []
  let patch: Patch
  if (parsed.kind === 'patch') patch = parsed.patch
  else if (soundOnly === true && parsed.sound !== undefined) {
    patch = parsed.sound
    problems = parsed.problems
  } else return refused(parsed.problems, parsed.sound)

  const judged = judgeOperations(patch.operations)
  if (judged.kind === 'sound') {
    return { kind: 'patch', patch: { ...patch, operations: judged.operations }, problems: problems.length }
  }
  const sound = withoutProblems(patch, judged.problems)
  if (soundOnly !== true || sound === undefined) return refused(judged.problems, sound)
  const again = judgeOperations(sound.operations)
  if (again.kind === 'refused') return refused(again.problems, undefined)
  const left = problems.length + judged.problems.length
  return { kind: 'patch', patch: { ...sound, operations: again.operations }, problems: left }
}

/** What is left of a patch without the files that have a problem; nothing when a problem is not one file's. */
function withoutProblems(patch: Patch, problems: readonly Problem[]): Patch | undefined {
  return problems.every(({ path }) => path !== undefined) ? withoutDamaged(patch, problems) : undefined
}

function refused(problems: readonly [Problem, ...Problem[]], sound: Patch | undefined): Outcome {
  return { kind: 'refused', problems, sound: sound?.operations.map(({ path }) => path) ?? [] }
}

/** The response with the control block that it lacks; its blocks speak for themselves. */
function withControl(text: string, { projectId }: Config, system: System): string {
  return `${text}\n\n\`\`\`yaml\nprojectId: ${JSON.stringify(projectId)}\nuuid: ${system.randomUuid()}\n\`\`\`\n`
}

/** Whatever is too large to be read and does not even mention a project is no patch. */
function tooLarge({ text }: Response, { responseBytes }: Limits): Outcome {
  if (!text.includes('projectId')) return { kind: 'ignored', why: { kind: 'no-patch' } }
  const message = `The text is larger than ${responseBytes} bytes (limits.responseBytes). Copy one answer, or raise the limit.`
  return refused([{ code: 'too-large', message }], undefined)
}
