import type { RelayOptions } from '../../flows/draft.ts'
import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { requestControl, requestRepeat, requestRest } from '../../report/request.ts'
import { keyLines } from '../../report/text/hanging.ts'
import { visible } from '../../report/text/visible.ts'
import { askKey } from './ask-key.ts'
import { copyText } from './copy-text.ts'
import { decideOverlaps } from './decide-overlaps.ts'
import { styleOf } from './style-of.ts'
import { withWaitingMark } from './with-waiting-mark.ts'

/**
 * Offers the ways out of a response that was not taken: what is to be where it overlaps with the user's edits, a
 * request to the model (`c`), the sound files alone (`s`), or a response without a control block as it is (`a`). Answers in
 * which way it is to be taken now, after it was taken in another, if in any.
 *
 * The offer is over with the first of them that worked, and where somebody watches as soon as something else is copied, which
 * `withdraw` tells.
 */
export async function offerWayOut(
  outcome: Outcome | undefined,
  way: RelayOptions,
  project: Project,
  system: System,
  withdraw?: AbortSignal,
): Promise<RelayOptions | undefined> {
  const { terminal } = system
  if (outcome?.kind === 'overlap') {
    const choices = await decideOverlaps(outcome.overlaps, way.choices ?? new Map(), project, system, withdraw)
    return choices && { ...way, choices }
  }
  const found = outcome === undefined ? [] : offersFor(outcome, project.config.projectId)
  if (found.length === 0 || !terminal.canAsk || withdraw?.aborted) return undefined
  const leave = withdraw === undefined ? 'skip' : 'skip (so does copying something else)'
  const offers: readonly Offer[] = [...found, { key: 'n', does: leave }]
  const keys = offers.map(({ key, does }) => [key, does] as const)
  const prompt = `What now? (${keys.map(([key]) => key).join('/')}/?)`
  const answering = { singleKey: project.config.singleKey, withdraw }
  // Seldom enough asked that nobody knows the letters by heart.
  for (const line of keyLines(keys, styleOf(terminal))) terminal.err(line)
  return withWaitingMark(project, undefined, system, async () => {
    for (;;) {
      const chosen = await askKey(prompt, keys, answering, terminal)
      const offer = offers.find(({ key }) => key === chosen)
      const isCopied = offer?.request === undefined || (await copy(offer.request, system))
      if (offer?.options !== undefined) return { ...way, ...offer.options }
      if (isCopied) return undefined
    }
  })
}

interface Offer {
  readonly key: string
  readonly does: string
  /** Copied for the model. */
  readonly request?: string
  readonly options?: RelayOptions
}

function offersFor(outcome: Outcome, projectId: string): readonly Offer[] {
  if (outcome.kind === 'ignored' && outcome.why.kind === 'no-control') {
    const { sound } = outcome
    if (sound !== undefined) {
      const whole: Offer = {
        key: 'c',
        does: 'copy a request for the whole answer',
        request: requestRest([], projectId),
      }
      const options = { withoutControl: true, soundOnly: true }
      return [whole, ...soundAlone(sound, 'a request for the rest', requestRest(sound, projectId), options)]
    }
    const request = requestControl(projectId)
    return [
      { key: 'a', does: 'apply it as it is, and ask before keeping it', options: { withoutControl: true } },
      { key: 'c', does: 'copy a request for the whole answer, with its control block', request },
    ]
  }
  if (outcome.kind !== 'refused') return []
  const { problems, sound = [] } = outcome
  const request = requestRepeat(problems, sound, projectId)
  const repeat: Offer = { key: 'c', does: 'copy a prompt that asks for a corrected answer', request }
  return [repeat, ...soundAlone(sound, 'that request', request, { soundOnly: true })]
}

function soundAlone(
  sound: readonly string[],
  copies: string,
  request: string,
  options: RelayOptions,
): readonly Offer[] {
  if (sound.length === 0) return []
  const files = sound.length === 1 ? 'one sound file' : `${sound.length} sound files`
  return [{ key: 's', does: `take the ${files} alone (asks before keeping), and copy ${copies}`, request, options }]
}

/** Whether the request is on the clipboard. */
async function copy(request: string, system: System): Promise<boolean> {
  const { terminal } = system
  const { paint, sign } = styleOf(terminal)
  const head = (done: string) => [`${paint.ok(sign.ok)} ${done} a request for the model: paste it into the chat`]
  if ((await copyText(request, head, 'It is this:', system)) === 'copied') return true
  // A mouse can copy it.
  terminal.err(visible(request))
  return false
}
