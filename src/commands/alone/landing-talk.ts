import type { LandingTalk } from '../../agents/work/land.ts'
import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import { type SeenOnTheWay, whyNot } from '../../report/agents/why-not.ts'
import { optionsFor } from '../../report/answers/outcome-words.ts'
import { type TakeOptions, takeUntilSettled } from '../follow-up/take-until-settled.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The talk of a landing, the same as for a copied answer, with the exit code of the last landing. */
export interface PersonsLanding extends LandingTalk {
  /** `undefined` where nothing has landed so far. */
  readonly exitCode: number | undefined
}

export function createLandingTalk(
  agent: string,
  project: Project,
  screen: Talk,
  options: TakeOptions,
  system: System,
  hear: (outcome: Outcome) => void,
): PersonsLanding {
  let seen: SeenOnTheWay = { comparison: undefined, reasons: [] }
  let exitCode: number | undefined
  const talk: Talk = {
    ...screen,
    report(progress) {
      if (progress.kind === 'begun') seen = { comparison: undefined, reasons: [] }
      if (progress.kind === 'checked') seen = { ...seen, comparison: progress.comparison }
      if ('without' in progress) seen = { ...seen, without: progress.without }
      screen.report(progress)
    },
    async ask(question) {
      if ('reasons' in question) seen = { ...seen, reasons: question.reasons }
      return screen.ask(question)
    },
  }
  return {
    system: { ...system, patience: patienceOf(project.config.commandTimeout, system) },
    talk,
    async settle(take) {
      let outcome: Outcome | undefined
      const taken = async (way: Parameters<typeof take>[0]) => {
        outcome = await take(way)
        return outcome
      }
      exitCode = await takeUntilSettled(
        taken,
        { source: `agent:${agent}`, made: { again: '' } },
        project,
        system,
        options,
        hear,
      )
      return outcome as unknown as Outcome
    },
    whyNot: async outcome => whyNot(outcome, seen),
    optionFor,
    get exitCode() {
      return exitCode
    },
  }
}

/** git gets at least a minute: `commandTimeout` may be meant for a quick linter, and a checkout of a large project takes longer. */
function patienceOf(commandTimeout: number, system: System): NonNullable<LandingTalk['system']['patience']> {
  const limit = Math.max(commandTimeout, 60)
  return {
    limit,
    onSlow: what => showNotes([`waiting for \`${what}\`; it is ended after ${limit} s (\`commandTimeout\`)`], system),
  }
}

function optionFor(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'rolled-back' || outcome.reason.kind !== 'unasked') return undefined
  const { reasons, closed } = outcome.reason
  return closed !== true && reasons.every(({ kind }) => kind === 'flag') ? optionsFor(reasons) : undefined
}
