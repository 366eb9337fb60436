import type { Project } from '../../model/project.ts'
import type { AnswerChoice, AnswerChoices, AnswerOverlap } from '../../model/stale.ts'
import type { System } from '../../ports.ts'
import { answerKeys, answerOverlapLines, untakenOverlapLine } from '../../report/answers/overlap-lines.ts'
import { keyLines } from '../../report/text/hanging.ts'
import { askKey } from './ask-key.ts'
import { styleOf } from './style-of.ts'
import { withWaitingMark } from './with-waiting-mark.ts'

const CHOICES: Readonly<Record<string, AnswerChoice>> = { m: 'markers', a: 'model', s: 'mine' }

/**
 * Shows each place where an answer and the user changed the same lines, and asks what is to be there. `undefined`: nothing is
 * to be written, or nobody answers.
 *
 * @param decided what was decided before; about one of these, the user has changed it meanwhile
 * @param afterNo what a no does, besides that nothing is applied
 */
export async function decideOverlaps(
  overlaps: readonly AnswerOverlap[],
  decided: AnswerChoices,
  project: Project,
  system: System,
  withdraw?: AbortSignal,
  afterNo?: string,
): Promise<AnswerChoices | undefined> {
  const { terminal, interruption } = system
  if (!terminal.canAsk) return undefined
  const style = styleOf(terminal)
  const choices = withdraw?.aborted
    ? undefined
    : await withWaitingMark(project, undefined, system, () =>
        ask(overlaps, decided, project, system, withdraw, afterNo),
      )
  const isReplaced = withdraw?.aborted === true && !interruption.aborted
  if (choices === undefined) terminal.err(untakenOverlapLine(overlaps, isReplaced, style))
  return choices
}

async function ask(
  overlaps: readonly AnswerOverlap[],
  decided: AnswerChoices,
  { config }: Project,
  { terminal }: System,
  withdraw: AbortSignal | undefined,
  afterNo: string | undefined,
): Promise<AnswerChoices | undefined> {
  const style = styleOf(terminal)
  const choices = new Map(decided)
  for (const shown of overlaps) {
    const keys = answerKeys(shown, withdraw !== undefined, afterNo)
    const lines = answerOverlapLines(shown, decided.has(shown.path), style)
    for (const line of [...lines, ...keyLines(keys, style)]) terminal.err(line)
    const prompt = `What now? (${keys.map(([each]) => each).join('/')}/?)`
    const key = await askKey(prompt, keys, { singleKey: config.singleKey, withdraw }, terminal)
    const choice = CHOICES[key ?? '']
    if (choice === undefined) return undefined
    choices.set(shown.path, { choice, shown })
  }
  return choices
}
