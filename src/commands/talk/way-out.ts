import type { RelayOptions } from '../../flows/understood-answer.ts'
import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { requestControl, requestRepeat, requestRest } from '../../report/answers/request.ts'
import { type Keys, keyLines } from '../../report/text/hanging.ts'
import { visible } from '../../report/text/visible.ts'
import { askKey } from './ask-key.ts'
import { copyText } from './copy-text.ts'
import { decideOverlaps } from './decide-overlaps.ts'
import { styleOf } from './style-of.ts'
import { withWaitingMark } from './with-waiting-mark.ts'

/**
 * Asks what to do about an answer that was not applied: what is to be where it overlaps with the user's edits, or one of the
 * offers below. Gives the way in which the answer is to be tried now, if in any.
 *
 * The question ends with the first offer that worked, and where somebody watches as soon as something else is copied, which
 * `withdraw` tells.
 */
export async function offerWayOut(
  outcome: Outcome | undefined,
  way: RelayOptions,
  project: Project,
  system: System,
  withdraw?: AbortSignal,
  afterNo?: string,
): Promise<RelayOptions | undefined> {
  const { terminal } = system
  // Nobody is asked: the answer stays refused, and the outcome names the options that decide it.
  if (project.config.approval === 'never') return undefined
  if (outcome?.kind === 'overlap') {
    const choices = await decideOverlaps(outcome.overlaps, way.choices ?? new Map(), project, system, withdraw, afterNo)
    return choices && { ...way, choices }
  }
  const found = offersFor(outcome, project)
  if (found.length === 0 || !terminal.canAsk || withdraw?.aborted) return undefined
  const offers: readonly Offer[] = [...found, { key: 'n', does: 'do nothing' }]
  const keys = keysOf(offers)
  const prompt = `What now? (${keys.map(([key]) => key).join('/')}/?)`
  const answering = { singleKey: project.config.singleKey, withdraw }
  // Seldom enough asked that nobody knows the letters by heart.
  showOffers(offers, system)
  return withWaitingMark(project, undefined, system, async () => {
    for (;;) {
      const chosen = await askKey(prompt, keys, answering, terminal)
      const offer = offers.find(({ key }) => key === chosen)
      const isOver = offer === undefined || (await accept(offer, system))
      if (offer?.options !== undefined) return { ...way, ...offer.options }
      if (isOver) return undefined
    }
  })
}

/** A way out of an answer that was not applied: a prompt for the model, or another way to apply it. */
export interface Offer {
  readonly key: string
  readonly does: string
  /** Copied for the model. */
  readonly request?: string
  readonly options?: RelayOptions
}

/** What there is to offer; nothing where the answer was applied, or was none. */
export function offersFor(outcome: Outcome | undefined, { config }: Project): readonly Offer[] {
  const { projectId } = config
  if (outcome === undefined) return []
  if (outcome.kind === 'rolled-back' && outcome.reason.kind === 'declined' && outcome.reason.byRule !== undefined) {
    return [{ key: 'a', does: 'apply it again, and ask about it', options: { asks: true, again: true } }]
  }
  if (outcome.kind === 'ignored' && outcome.why.kind === 'no-control') {
    const { sound } = outcome
    if (sound !== undefined) {
      const whole: Offer = {
        key: 'c',
        does: 'copy a prompt that asks for the whole answer',
        request: requestRest([], projectId),
      }
      const options = { withoutControl: true, soundOnly: true }
      return [whole, ...soundAlone(sound, 'a prompt that asks for the rest', requestRest(sound, projectId), options)]
    }
    const request = requestControl(projectId)
    return [
      { key: 'a', does: 'apply it as it is, and ask before keeping it', options: { withoutControl: true } },
      { key: 'c', does: 'copy a prompt that asks for the whole answer, with its YAML block', request },
    ]
  }
  if (outcome.kind !== 'refused') return []
  const { problems, sound = [] } = outcome
  const request = requestRepeat(problems, sound, projectId)
  const repeat: Offer = { key: 'c', does: 'copy a prompt that asks for a corrected answer', request }
  return [repeat, ...soundAlone(sound, 'that prompt', request, { soundOnly: true })]
}

function soundAlone(
  sound: readonly string[],
  copies: string,
  request: string,
  options: RelayOptions,
): readonly Offer[] {
  if (sound.length === 0) return []
  const files = sound.length === 1 ? 'the one intact file' : `the ${sound.length} intact files`
  const does = `apply only ${files}, ask before keeping, and copy ${copies}`
  return [{ key: 's', does, request, options }]
}

export function showOffers(offers: readonly Offer[], { terminal }: System): void {
  for (const line of keyLines(keysOf(offers), styleOf(terminal))) terminal.err(line)
}

/** The offers as a question lists them. */
export function keysOf(offers: readonly Offer[]): Keys {
  return offers.map(({ key, does }) => [key, does])
}

/** Copies the prompt of an offer, if it has one; `false` if that failed, so that the offer stands. */
export async function accept({ request }: Offer, system: System): Promise<boolean> {
  if (request === undefined) return true
  const { terminal } = system
  const { paint, sign } = styleOf(terminal)
  const head = (done: string) => [`${paint.ok(sign.ok)} ${done} a prompt for the model: paste it into the chat`]
  if ((await copyText(request, head, 'It is this:', system)) === 'copied') return true
  // A mouse can copy it.
  terminal.err(visible(request))
  return false
}
