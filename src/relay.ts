import type { Limits, Outcome, Project, Response } from './model.ts'
import { parseResponse } from './parse/parse-response.ts'
import { judgeOperations } from './plan/path-policy.ts'
import { planPatch } from './plan/plan-patch.ts'
import { titleOf } from './plan/title.ts'
import type { System, Talk } from './ports.ts'
import { hashOperations } from './transact/hash.ts'
import { Journal } from './transact/journal.ts'
import { isReserved, layoutOf } from './transact/layout.ts'
import { withLock } from './transact/lock.ts'
import { recover } from './transact/recover.ts'
import { ensureStateFolder } from './transact/state-folder.ts'
import { survey } from './transact/survey.ts'
import { transact } from './transact/transact.ts'
import { unsynced } from './transact/unsynced.ts'

export interface RelayOptions {
  /** Also take a response that has already had its turn. */
  readonly again?: boolean
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
  const parsed = parseResponse(response.text, config.projectId)
  if (parsed.kind === 'ignored') return parsed
  if (parsed.kind === 'refused') return { kind: 'refused', problems: parsed.problems }
  const judged = judgeOperations(parsed.patch.operations)
  if (judged.kind === 'refused') return judged
  const patch = { ...parsed.patch, operations: judged.operations }

  const layout = layoutOf(root)
  const files = config.durability === 'full' ? system.files : unsynced(system.files)
  await ensureStateFolder(layout, files)
  return withLock(layout, system, talk, async () => {
    await recover(layout, files, system, talk)
    const journal = await Journal.open(layout, files)
    const seen = await journal.lookUp(patch.control.uuid)
    const sameAgain = seen !== undefined && seen.operations === hashOperations(patch.operations)
    if (sameAgain && options.again !== true) {
      return { kind: 'skipped', number: seen.number, state: seen.outcome, at: seen.at }
    }

    const plan = async () => planPatch(patch, await survey(root, patch.operations, files), config)
    const planned = await plan()
    if (planned.kind === 'refused') return planned
    if (planned.plan.changes.every(({ effect }) => effect === 'none')) {
      return { kind: 'unchanged', paths: planned.plan.changes.map(({ path }) => path) }
    }
    // Each entry has a uuid of its own: one that is taken, or that stood for something else, is not used again.
    const taken = seen !== undefined && !(sameAgain && seen.outcome === 'declined')
    const ownUuid = taken || isReserved(patch.control.uuid)
    return transact(
      {
        project,
        response,
        number: journal.nextNumber(),
        uuid: ownUuid ? system.randomUuid() : patch.control.uuid,
        modelUuid: ownUuid ? patch.control.uuid : undefined,
        title: titleOf(patch),
        plan: planned.plan,
        reused: seen === undefined || sameAgain ? undefined : { number: seen.number, state: seen.outcome },
        replan: plan,
      },
      layout,
      journal,
      files,
      system,
      talk,
    )
  })
}

/** Whatever is too large to be read and does not even mention a project is no patch. */
function tooLarge({ text }: Response, { responseBytes }: Limits): Outcome {
  if (!text.includes('projectId')) return { kind: 'ignored', why: { kind: 'no-patch' } }
  const message = `The text is larger than ${responseBytes} bytes (limits.responseBytes). Copy one answer, or raise the limit.`
  return { kind: 'refused', problems: [{ code: 'too-large', message }] }
}
