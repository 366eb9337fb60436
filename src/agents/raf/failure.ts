import type { AgentStatus } from '../../model/agent.ts'

export interface FailureAnalysis {
  /** One sentence. */
  readonly reason: string
  readonly analysis: string
  readonly fix: string
}

/** Failures that can be explained without a model. */
export type KnownFailure =
  | 'context_overflow'
  | 'rate_limit'
  | 'api_error'
  | 'timeout'
  | 'stalled'
  | 'denied'
  | 'no_output'

export const knownFailures: Readonly<Record<KnownFailure, FailureAnalysis>> = {
  context_overflow: {
    reason: 'The task does not fit into what the model can read at once.',
    analysis:
      'The task, or what the agent read while it worked on it, was larger than the context of the model. Another attempt would meet the same limit.',
    fix: 'Split the task into smaller ones, each with few files to read: `relay plan --amend <project>`',
  },
  rate_limit: {
    reason: 'The provider of the agent accepted no further requests: a usage limit was reached.',
    analysis: 'The task itself did not fail. The limit ends by itself after some time.',
    fix: 'Run `relay do` again later, or with another agent (`--agent`). With a longer `--wait` relay waits for the end of a limit.',
  },
  api_error: {
    reason: 'The agent could not reach its provider, or the provider answered with an error.',
    analysis: 'The task itself did not fail: the service or the way to it did.',
    fix: 'Look at the network and at the status page of the provider, then run `relay do` again.',
  },
  timeout: {
    reason: 'The time of the attempt was over before the agent was done.',
    analysis: 'The task may be too large for one attempt, or a command that the agent ran did not come to its end.',
    fix: 'Split the task into smaller ones, or give it more time (`--timeout`).',
  },
  stalled: {
    reason: 'The agent gave no sign of life for too long, and was ended.',
    analysis: 'It waited for something that did not come: its provider, or a command that does not end.',
    fix: 'Look into its log for the last command that it ran, then run `relay do` again.',
  },
  denied: {
    reason: 'The agent was not allowed to do what the task needs.',
    analysis: 'It asked for a tool or a command outside of its sandbox.',
    fix: 'Add the command to `allow` in relaycode.config.json where you trust it, then run `relay do` again.',
  },
  no_output: {
    reason: 'The agent ended without an answer.',
    analysis: 'It said nothing at its end, so that nothing of its work counts.',
    fix: 'Look into its log, then run `relay do` again.',
  },
}

/**
 * Recognises a failure by the end of the turn, without asking a model. `why` of a failed turn is the program's own error
 * message: what the assistant says about context windows or limits proves nothing.
 */
export function knownFailureOf(status: AgentStatus, why: string): KnownFailure | undefined {
  const known = byStatus[status]
  if (known !== undefined || status !== 'failed') return known
  return byWords.find(([, words]) => words.some(each => each.test(why)))?.[0]
}

const byStatus: Readonly<Partial<Record<AgentStatus, KnownFailure>>> = {
  overflow: 'context_overflow',
  'rate-limited': 'rate_limit',
  timeout: 'timeout',
  stalled: 'stalled',
  denied: 'denied',
  'no-output': 'no_output',
}

const byWords: readonly (readonly [KnownFailure, readonly RegExp[]])[] = [
  [
    'context_overflow',
    [
      /prompt is too long/i,
      /context length exceeded/i,
      /token limit/i,
      /maximum context/i,
      /context window/i,
      /too many tokens/i,
      /max.*tokens/i,
    ],
  ],
  ['rate_limit', [/rate.?limit/i, /too many requests/i, /usage limit/i, /quota/i, /\b429\b/]],
  [
    'api_error',
    [
      /\bAPI (?:connection )?error/i,
      /overloaded/i,
      /internal server error|bad gateway|service unavailable|gateway timeout/i,
      /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE)\b/,
      /\b(?:status|error|code)\W{0,3}5\d\d\b/i,
    ],
  ],
]

/** The beginning of the reason when the agent itself gave up. */
export const gaveUp = 'The agent says that the task '
/** The beginning of the reason when nothing says that the task is done. */
export const unsaid = 'Nothing says that the task is done'

/**
 * Explains why a task failed and what to do about it, by the end of its last attempt. It asks no model: the program, the agent
 * or the checks have given the reason.
 */
export function analysisOf(status: AgentStatus | undefined, why: string, kept: string | undefined): FailureAnalysis {
  const known = status === undefined ? undefined : knownFailureOf(status, why)
  if (known !== undefined) return knownFailures[known]
  if (status !== undefined && status !== 'ok' && status !== 'over-limit') {
    return {
      reason: 'The program of the agent ended with an error.',
      analysis: 'Nothing of its work counts. Its own words stand above.',
      fix: 'Run `relay do` again, or take another agent (`--agent`).',
    }
  }
  if (why.startsWith(gaveUp)) {
    return {
      reason: 'The agent gave up.',
      analysis: 'It worked on the task and came to no good end. What it says of it stands above and below.',
      fix: 'Change the task, or give what is missing, then run `relay do` again.',
    }
  }
  if (why.startsWith(unsaid)) {
    return {
      reason: 'The agent stopped without a word on whether it was done.',
      analysis:
        "A task counts only where the last line of the agent's last message, or of its outcome, ends with the marker.",
      fix: 'Run `relay do` again. Where it comes back, split the task into smaller ones.',
    }
  }
  return {
    reason: 'What the agent made was not taken.',
    analysis: 'It said that it was done, but the checks, relay or whoever was asked said no.',
    fix: `Change the task or the project, then run \`relay do\` again.${kept === undefined ? '' : ` \`${kept}\` lands what was made.`}`,
  }
}

/** The agent's reason for a failure: the text after `Reason:`, or else at most 500 characters after its marker. */
export function reasonIn(text: string): string {
  const [, told] = /Reason:[ \t]*(\S.*)/i.exec(text) ?? []
  if (told !== undefined) return told.trim()
  const [behind = ''] = /(?<=<promise>(?:FAILED|BLOCKED)<\/promise>)(?!.*<promise>).*/is.exec(text) ?? []
  return Array.from(behind.trim()).slice(0, 500).join('')
}

/** Whether a reason says that another attempt could not get further. */
export function isHopeless(reason: string): boolean {
  return /cannot be done|impossible|not supported|permission denied|access denied/i.test(reason)
}
