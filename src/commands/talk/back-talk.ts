import type { BackTalk } from '../../flows/undo.ts'
import type { BackView, Named, Overlap, OverlapChoice } from '../../model/back.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { backKeys, backLines, backPrompt } from '../../report/answers/describe-back.ts'
import { overlapKeys, overlapLines } from '../../report/answers/overlap-lines.ts'
import { keyLines } from '../../report/text/hanging.ts'
import { askKey } from './ask-key.ts'
import { pageDiff } from './page-diff.ts'
import { styleOf } from './style-of.ts'
import { createTalk, type GivenAnswers } from './talk.ts'

const CHOICES: Readonly<Record<string, OverlapChoice | 'nothing'>> = { m: 'markers', s: 'skip', o: 'old', n: 'nothing' }

/** The talk of taking back: what will be done is shown, and asked about unless `yes` was given before. */
export function createBackTalk(
  system: System,
  project: Project,
  given: GivenAnswers & { readonly onOverlap?: OverlapChoice },
): BackTalk & { close(): void } {
  const { terminal, clock, interruption } = system
  const talk = createTalk(system, () => project, given)
  const err = (lines: readonly string[]) => {
    for (const line of lines) terminal.err(line)
  }
  let isShown = false
  let isEmpty = false

  return {
    ...talk,
    report(progress) {
      // What is begun has just been shown, and agreed to; where nothing is to be written, the end says all.
      const isSaid = isEmpty || (isShown && progress.kind === 'begun')
      if (!isSaid || progress.kind === 'waiting' || progress.kind === 'recovered') talk.report(progress)
    },

    async decide(overlap: Overlap, of: Named) {
      talk.close()
      if (given.onOverlap !== undefined) return choiceBeforehand(given.onOverlap, overlap)
      if (!terminal.canAsk) return 'unasked'
      const keys = overlapKeys(overlap, of)
      // Seldom enough asked that nobody knows the letters by heart.
      err([...overlapLines(overlap, of, styleOf(terminal)), ...keyLines(keys, styleOf(terminal))])
      const key = await askKey(`What now? (${keys.map(([key]) => key).join('/')}/?)`, keys, project.config, terminal)
      if (key === undefined) return interruption.aborted ? 'nothing' : 'unasked'
      return CHOICES[key] ?? 'nothing'
    },

    async confirm(view: BackView) {
      talk.close()
      isEmpty = view.changes.length === 0
      if (given.yes === true) return 'yes'
      err(backLines(view, styleOf(terminal), clock.now(), terminal.canAsk))
      isShown = true
      if (!terminal.canAsk) return 'unasked'
      const ask = () => askKey(backPrompt(view), backKeys(view), project.config, terminal)
      let key = await ask()
      while (key === 'd') {
        await pageDiff(view.changes, terminal)
        key = await ask()
      }
      if (key === undefined) return interruption.aborted ? 'no' : 'unasked'
      return key === 'y' ? 'yes' : 'no'
    },
  }
}

/** Where both texts cannot stand in one file, it stays as it is: nothing is lost with that. */
function choiceBeforehand(choice: OverlapChoice, { markers }: Overlap): OverlapChoice {
  return choice === 'markers' && markers === undefined ? 'skip' : choice
}
