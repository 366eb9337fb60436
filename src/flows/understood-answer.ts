import type { Config, Limits } from '../model/project.ts'
import type { Parsed, Patch, Problem, Response } from '../model/response.ts'
import type { AnswerChoice, AnswerChoices } from '../model/stale.ts'
import type { Outcome } from '../model/talk.ts'
import type { System } from '../ports.ts'
import { judgePaths, understand } from './understand.ts'

export interface RelayOptions {
  /** Also apply a response that has already been processed. */
  readonly again?: boolean
  /** Ask about it although the configuration lets nobody be asked (`approval: never`). */
  readonly asks?: boolean
  /** Apply only the sound files of a damaged response; always asks. */
  readonly soundOnly?: boolean
  /** Apply a response without a control block; always asks. */
  readonly withoutControl?: boolean
  /** Decisions about overlaps with the user's edits, each as it was shown; `onOverlap` decides about all others. */
  readonly choices?: AnswerChoices
  readonly onOverlap?: AnswerChoice
}

/** The outcomes of a patch before anything runs or is written. */
export type NotStarted = Extract<Outcome, { readonly kind: 'skipped' | 'refused' | 'overlap' | 'unchanged' }>

/** A patch whose paths are sound as far as the text tells; `leftOut` counts the problems that were left out. */
export interface UnderstoodAnswer {
  readonly kind: 'understood'
  readonly patch: Patch
  readonly leftOut: number
}

/**
 * Turns a parsed text into an understood answer. Returns an outcome when the text is not a response, or is damaged and `soundOnly` is off.
 */
export function understoodOf(parsed: Parsed, options: RelayOptions, leftOut = 0): UnderstoodAnswer | Outcome {
  switch (parsed.kind) {
    case 'ignored':
      return parsed
    case 'patch':
      return { kind: 'understood', patch: parsed.patch, leftOut }
    case 'refused': {
      const { problems, sound } = parsed
      if (options.soundOnly !== true || sound === undefined) return refused(problems, sound)
      return understoodOf(judgePaths(sound), options, leftOut + problems.length)
    }
  }
}

/** The outcome for a list of problems, with the paths that could be applied without them. */
export function refused(problems: readonly [Problem, ...Problem[]], sound: Patch | undefined): NotStarted {
  return { kind: 'refused', problems, sound: sound?.operations.map(({ path }) => path) ?? [] }
}

/** Adds the complete files of a cut-off answer to its outcome: relay does not apply such an answer as it is. */
export function withSound(outcome: Outcome, text: string, config: Config, system: System): Outcome {
  if (outcome.kind !== 'ignored' || outcome.why.kind !== 'no-control' || outcome.why.isCut !== true) return outcome
  const taken = understoodOf(understand(withControl(text, config, system), config.projectId), {})
  return taken.kind === 'refused' ? { ...outcome, sound: taken.sound ?? [] } : outcome
}

/** Adds the missing control block to a response. */
export function withControl(text: string, { projectId }: Config, system: System): string {
  return `${text}\n\n\`\`\`yaml\nprojectId: ${JSON.stringify(projectId)}\nuuid: ${system.randomUuid()}\n\`\`\`\n`
}

/** The outcome of a text that is too large to parse. Without the word `projectId` it cannot be a patch and is ignored. */
export function tooLarge({ text }: Response, { responseBytes }: Limits): Outcome {
  if (!text.includes('projectId')) return { kind: 'ignored', why: { kind: 'no-patch' } }
  const message = `The text is larger than ${responseBytes} bytes (limits.responseBytes). Copy one answer, or raise the limit.`
  return refused([{ code: 'too-large', message }], undefined)
}
