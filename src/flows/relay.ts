import type { Project } from '../model/project.ts'
import type { Patch, Response } from '../model/response.ts'
import type { Outcome } from '../model/talk.ts'
import { titleOf } from '../model/title.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import type { EarlierWithSameUuid } from '../transact/journal/earlier-with-same-uuid.ts'
import { isReserved } from '../transact/layout/layout.ts'
import type { Job, OpenProject } from '../transact/work/work.ts'
import { type Committer, transactAndCommit } from './commit-kept.ts'
import { replanned } from './decided-plan.ts'
import { judgeRecovery } from './judge-recovery.ts'
import { lookAhead } from './look-ahead.ts'
import { reasonsToAsk } from './reasons-to-ask.ts'
import { understand } from './understand.ts'
import { type RelayOptions, tooLarge, understoodOf, withControl, withSound } from './understood-answer.ts'

/**
 * The main flow: one response becomes a patch, the patch a plan, the plan a transaction, and that has one of two ends.
 *
 * Throws a `RelayError` only for what cannot be foreseen or decided here; everything that a response can cause is an outcome.
 */
export async function relay(
  response: Response,
  project: Project,
  system: System,
  talk: Talk,
  options: RelayOptions = {},
  committer?: Committer,
): Promise<Outcome> {
  const { config } = project
  const { trace } = system
  if (Buffer.byteLength(response.text) > config.limits.responseBytes) return tooLarge(response, config.limits)
  const text = options.withoutControl === true ? withControl(response.text, config, system) : response.text
  const understood = await trace.span('parse', () => understoodOf(understand(text, config.projectId), options))
  if (understood.kind !== 'understood') return withSound(understood, text, config, system)

  return enterProject(project, system, talk, judgeRecovery(config), async site => {
    const found = await lookAhead(understood, project, site, options)
    if (found.kind !== 'ready') return found
    const { plan, leftOut, earlier, reused, planNow } = found
    return transactAndCommit(
      {
        project,
        source: response.source,
        response: { ...response, text },
        number: site.journal.nextNumber(),
        ...(await ownUuid(plan.patch, earlier, site)),
        title: titleOf(plan.patch),
        plan,
        reused,
        doubts: reasonsToAsk(plan, leftOut, project, options),
        replan: async () => replanned(await planNow(plan.patch)),
      },
      site,
      committer,
    )
  })
}

/** The uuid of the new entry: the model's, unless it is taken or has stood for something else. */
async function ownUuid(
  { control: { uuid } }: Patch,
  earlier: EarlierWithSameUuid | undefined,
  { layout, system }: OpenProject,
): Promise<Pick<Job, 'uuid' | 'modelUuid'>> {
  // A declined transaction that had its own uuid had found the model's taken.
  const isDeclined = earlier?.isSame === true && earlier.outcome === 'declined' && earlier.modelUuid === undefined
  const isFree = (earlier === undefined || isDeclined) && !isReserved(uuid)
  // The journal does not know of an entry that cannot be read.
  const isUsable = isFree && (await layout.files.stat(layout.applied(uuid))) === null
  return isUsable ? { uuid, modelUuid: undefined } : { uuid: system.randomUuid(), modelUuid: uuid }
}
