import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import type { Answer, Progress, Question } from '../../model/talk.ts'
import type { System, Talk } from '../../ports.ts'
import { describeProgress, liveLine } from '../../report/answers/describe-progress.ts'
import { describeQuestion } from '../../report/answers/describe-question.ts'
import { plainProgress } from '../../report/answers/plain-lines.ts'
import { describeDuration } from '../../report/text/describe-time.ts'
import { answerTo } from './answer-to.ts'
import { createReload } from './reload-project.ts'
import { sayFailure } from './say-failure.ts'
import { styleOf } from './style-of.ts'
import { withWaitingMark } from './with-waiting-mark.ts'

/** What the command line has already answered. */
export interface GivenAnswers {
  /** Answers the gate's question about what the command line names, and no other. */
  readonly yes?: boolean
  /** Answers the question about files that make commands run. */
  readonly allowSensitive?: boolean
}

/**
 * A transaction's talk: what happens in lines, what only a person may decide as questions. Its files are
 * links, and a question is announced. A `log` has one stamped line for what is read later, and no questions.
 */
export function createTalk(
  system: System,
  project: () => Project,
  given: GivenAnswers = {},
  look: 'screen' | 'log' = 'screen',
): Talk & { close(): void } {
  const style = () => styleOf(system.terminal, project().root)
  const lines = (progress: Progress): readonly string[] => {
    if (look === 'screen') return describeProgress(progress, style(), system.clock.now())
    const line = plainProgress(progress, system.clock.now())
    return line === undefined ? [] : [line]
  }
  const ticker = new Ticker(system)
  const reload = createReload(system)
  /** Whoever wants the commands again may have corrected them. While the configuration is broken, the question comes again. */
  const byConfigurationNow = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask()
      if (answer !== 'again') return answer
      const now = await reload(project())
      if (!(now instanceof RelayError)) return { again: now.config }
      sayFailure(now, system)
    }
  }
  /** What stands above the gate's question: one that comes back unchanged need not show it again. */
  let shown: string | undefined
  const show = (question: Question, isAsked: boolean) => {
    const { lines } = describeQuestion(question, style(), isAsked)
    const text = lines.join('\n')
    if (text !== shown) for (const line of lines) system.terminal.err(line)
    shown = question.kind === 'gate' ? text : undefined
  }
  return {
    present: system.terminal.canAsk,
    report(progress: Progress) {
      ticker.stop()
      const changedNothing = progress.kind === 'edited' && progress.paths.length === 0
      if (!changedNothing) shown = undefined
      for (const line of lines(progress)) system.terminal.err(line)
      const live = liveLine(progress, style())
      if (live !== undefined) ticker.start(live)
    },
    async ask(question) {
      ticker.stop()
      const option = answeredBy(question, given)
      // Where nobody answers, the outcome tells what would have been asked.
      if (look === 'log' || (option === undefined && !system.terminal.canAsk)) return 'unasked'
      show(question, option === undefined)
      if (option !== undefined) {
        system.terminal.err(style().paint.meta(`  Answered by ${option}.`))
        return 'yes'
      }
      const ask = () => answerTo(question, project().config, system, style())
      const number = 'number' in question ? question.number : undefined
      const title = 'title' in question ? question.title : undefined
      return byConfigurationNow(() => withWaitingMark(project(), { number, title }, system, ask))
    },
    /** Ends the live line, whatever had been going on. */
    close: () => ticker.stop(),
  }
}

/** The option of the command line that has answered a question with a yes already. */
function answeredBy(question: Question, { yes, allowSensitive }: GivenAnswers): string | undefined {
  switch (question.kind) {
    case 'gate':
      return yes === true && !question.held ? '--yes' : undefined
    case 'sensitive':
      return allowSensitive === true ? '--allow-sensitive' : undefined
    case 'edited':
    case 'foreign':
    case 'offered':
      return undefined
  }
}

/** Keeps the live line's seconds running. */
class Ticker {
  readonly #system: System
  #current: AbortController | undefined

  constructor(system: System) {
    this.#system = system
  }

  start(text: string): void {
    const { terminal, clock } = this.#system
    if (!terminal.live) return
    const current = new AbortController()
    this.#current = current
    const began = clock.monotonic()
    const run = async () => {
      terminal.status(text)
      for (;;) {
        await clock.sleep(1000, current.signal)
        if (current.signal.aborted) return
        terminal.status(`${text}  ${describeDuration(Math.floor((clock.monotonic() - began) / 1000) * 1000)}`)
      }
    }
    void run()
  }

  stop(): void {
    if (this.#current === undefined) return
    this.#current.abort()
    this.#current = undefined
    this.#system.terminal.status(undefined)
  }
}
