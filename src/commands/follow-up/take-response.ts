import { relay } from '../../flows/relay.ts'
import type { RelayOptions } from '../../flows/understood-answer.ts'
import type { Project } from '../../model/project.ts'
import type { Response } from '../../model/response.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import { committerFor } from '../open/committer.ts'
import { type TakeOptions, takeUntilSettled } from './take-until-settled.ts'

/** Takes a response through the engine until it is settled; gives the exit code. */
export async function takeResponse(
  response: Response,
  project: Project,
  system: System,
  talk: Talk,
  options: TakeOptions,
  hear?: (outcome: Outcome) => void,
): Promise<number> {
  const { source, text } = response
  const about = { source, isEmpty: text.trim() === '' }
  const committer = await committerFor(project, system, talk, options.commit)
  const take = (way: RelayOptions) => relay(response, project, system, talk, way, committer)
  return takeUntilSettled(take, about, project, system, options, hear)
}
