import type { LandingAttempt, LandingTalk } from '../../agents/work/land.ts'
import { digest } from '../../ground/bytes.ts'
import type { Change } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import { asksFirst } from '../../model/response.ts'
import type { Answer, Outcome, Question } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import { type SeenOnTheWay, whyNot, whyRolledBack } from '../../report/agents/why-not.ts'
import { optionsFor } from '../../report/answers/outcome-words.ts'
import { type TakeOptions, takeUntilSettled } from '../follow-up/take-until-settled.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The talk of a landing, with the exit code of the last landing. */
export interface PersonsLanding extends LandingTalk {
  /** `undefined` where nothing has landed so far. */
  readonly exitCode: number | undefined
}

interface LandingOptions extends TakeOptions {
  readonly allowSensitive?: boolean
}

/**
 * The talk about agents' work. Agents work while nobody looks, so what the checks find goes back to them without a question. A
 * person is asked about what a person alone can agree to, and about work that no further attempt follows.
 */
export function createLandingTalk(
  agent: string,
  project: Project,
  screen: Talk,
  options: LandingOptions,
  system: System,
  hear: (outcome: Outcome) => void,
): PersonsLanding {
  const nothing: SeenOnTheWay = { comparison: undefined, reasons: [] }
  let seen = nothing
  let attempt: LandingAttempt = { isLast: () => true, isSecondOverlap: false }
  /** A person has begun to decide about this work, and has the last word. */
  let isInHands = false
  /** What the user has agreed to: a later attempt that brings the same needs no second yes. */
  const agreed = new Set<string>()
  let exitCode: number | undefined

  const gateAnswer = async (question: Question & { kind: 'gate' }): Promise<Answer> => {
    const { reasons } = question
    const isGood = reasons.every(({ kind }) => kind === 'approval-no')
    const isLast = attempt.isLast(whyRolledBack({ kind: 'not-accepted', reasons }, seen))
    const isAsked = isInHands || ((isGood || isLast) && (screen.present || options.yes === true))
    if (!isAsked) return 'not-accepted'
    isInHands = true
    return ask(question, isLast)
  }
  const ask = (question: Question & { kind: 'gate' | 'sensitive' }, isLast = false): Promise<Answer> => {
    const isEnd = isLast || attempt.isLast(whyRolledBack({ kind: 'declined' }, seen))
    return screen.ask({ ...question, afterNo: isEnd ? 'end' : 'again' })
  }
  const talk: Talk = {
    ...screen,
    report(progress) {
      if (progress.kind === 'begun') seen = nothing
      if (progress.kind === 'checked') seen = { ...seen, comparison: progress.comparison }
      if (progress.kind === 'checked' && progress.check.kind === 'uncounted') {
        seen = { ...seen, output: progress.check.output }
      }
      if (progress.kind === 'command-ended' && !progress.end.ok) seen = { ...seen, output: progress.end.output }
      if ('without' in progress) seen = { ...seen, without: progress.without }
      screen.report(progress)
    },
    async ask(question) {
      switch (question.kind) {
        case 'gate':
          seen = { ...seen, reasons: question.reasons }
          return gateAnswer(question)
        case 'sensitive': {
          seen = { ...seen, reasons: question.flags.filter(asksFirst).map(flag => ({ kind: 'flag', flag })) }
          if (!screen.present && options.allowSensitive !== true) return 'not-accepted'
          const work = sensitiveWork(question)
          const answer = agreed.has(work) ? 'yes' : await ask(question)
          if (answer === 'yes') agreed.add(work)
          return answer
        }
        case 'edited':
        case 'foreign':
        case 'offered':
          return screen.ask(question)
      }
    },
  }
  return {
    system: { ...system, patience: patienceOf(project.config.commandTimeout, system) },
    talk,
    async settle(take, of) {
      attempt = of
      isInHands = false
      let outcome: Outcome | undefined
      const taken = async (way: Parameters<typeof take>[0]) => {
        isInHands ||= way.choices !== undefined
        outcome = await take(way)
        return outcome
      }
      const made = { again: '', asksOverlap: attempt.isSecondOverlap }
      exitCode = await takeUntilSettled(taken, { source: `agent:${agent}`, made }, project, system, options, hear)
      return outcome as unknown as Outcome
    },
    whyNot: async outcome => whyNot(outcome, seen),
    optionFor,
    get exitCode() {
      return exitCode
    },
  }
}

/** Tells the work that a question is about from any other: what it asks about, and the content of those files. */
function sensitiveWork({ flags, changes }: Question & { kind: 'sensitive' }): string {
  const named = new Set(flags.map(({ path }) => path))
  const isMeant = ({ path, after }: Change) => named.has(path) || after === null
  const files = changes.filter(isMeant).map(({ path, after }) => [path, after === null ? null : contentOf(after)])
  return JSON.stringify([flags, files])
}

function contentOf(state: NonNullable<Change['after']>): string {
  return state.kind === 'link' ? `to ${state.to}` : `${state.mode} ${digest('sha256', state.bytes)}`
}

/** git gets at least a minute: `commandTimeout` may be meant for a quick linter, and a checkout of a large project takes longer. */
function patienceOf(commandTimeout: number, system: System): NonNullable<LandingTalk['system']['patience']> {
  const limit = Math.max(commandTimeout, 60)
  return {
    limit,
    onSlow: what => showNotes([`waiting for \`${what}\`; it is ended after ${limit} s (\`commandTimeout\`)`], system),
  }
}

/** The option that answers the question about files that make commands run, secrets and mass deletions. */
function optionFor(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'rolled-back' || outcome.reason.kind !== 'not-accepted') return undefined
  const first = outcome.reason.reasons.filter(reason => reason.kind === 'flag' && asksFirst(reason.flag))
  return first.length > 0 ? optionsFor(first) : undefined
}
