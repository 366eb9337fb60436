import type { Config, Limits } from '../model/project.ts'
import type { Parsed, Patch, Problem, Response } from '../model/response.ts'
import type { AnswerChoice, AnswerChoices } from '../model/stale.ts'
import type { Outcome } from '../model/talk.ts'
import type { System } from '../ports.ts'
import { judgePaths, understand } from './understand.ts'

/** In which way an answer is to be taken. */
export interface RelayOptions {
  /** Also take a response that has already had its turn. */
  readonly again?: boolean
  /** Of a damaged response take the sound files alone; always asked. */
  readonly soundOnly?: boolean
  /** Take a response without a control block; always asked. */
  readonly withoutControl?: boolean
  /** What was decided about overlaps with the user's edits, each as it was shown; and about all others, whatever they are. */
  readonly choices?: AnswerChoices
  readonly onOverlap?: AnswerChoice
}

/** How a patch can end before anything is run or written. */
export type Untaken = Extract<Outcome, { readonly kind: 'skipped' | 'refused' | 'overlap' | 'unchanged' }>

/** A patch whose paths are sound as far as text alone tells, with the number of problems that were left out of it. */
export interface Draft {
  readonly kind: 'draft'
  readonly patch: Patch
  readonly leftOut: number
}

/** What was understood, as a draft; or how it ends here: it is none of ours, or damaged, and the sound files are not wished. */
export function draftOf(parsed: Parsed, options: RelayOptions, leftOut = 0): Draft | Outcome {
  switch (parsed.kind) {
    case 'ignored':
      return parsed
    case 'patch':
      return { kind: 'draft', patch: parsed.patch, leftOut }
    case 'refused': {
      const { problems, sound } = parsed
      if (options.soundOnly !== true || sound === undefined) return refused(problems, sound)
      return draftOf(judgePaths(sound), options, leftOut + problems.length)
    }
  }
}

/** The end of what has problems, with the paths that could be taken without them. */
export function refused(problems: readonly [Problem, ...Problem[]], sound: Patch | undefined): Untaken {
  return { kind: 'refused', problems, sound: sound?.operations.map(({ path }) => path) ?? [] }
}

/** Tells of an answer that was cut off in a file, which nobody can take as it is, what is whole in it. */
export function withSound(outcome: Outcome, text: string, config: Config, system: System): Outcome {
  if (outcome.kind !== 'ignored' || outcome.why.kind !== 'no-control' || outcome.why.isCut !== true) return outcome
  const taken = draftOf(understand(withControl(text, config, system), config.projectId), {})
  return taken.kind === 'refused' ? { ...outcome, sound: taken.sound ?? [] } : outcome
}

/** The response with the control block that it lacks; its blocks speak for themselves. */
export function withControl(text: string, { projectId }: Config, system: System): string {
  return `${text}\n\n\`\`\`yaml\nprojectId: ${JSON.stringify(projectId)}\nuuid: ${system.randomUuid()}\n\`\`\`\n`
}

/** Whatever is too large to be read and does not even mention a project is no patch. */
export function tooLarge({ text }: Response, { responseBytes }: Limits): Outcome {
  if (!text.includes('projectId')) return { kind: 'ignored', why: { kind: 'no-patch' } }
  const message = `The text is larger than ${responseBytes} bytes (limits.responseBytes). Copy one answer, or raise the limit.`
  return refused([{ code: 'too-large', message }], undefined)
}
