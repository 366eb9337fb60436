import { isGoingOn, leaveSentence, waitingSentences, withdrawSentence } from '../agents/work/steering.ts'
import { RelayError } from '../errors.ts'
import { oneLine } from '../model/one-line.ts'
import type { System } from '../ports.ts'
import { visibleLine } from '../report/text/visible.ts'
import { chooseRun } from './alone/choose-run.ts'
import { styleOf } from './talk/style-of.ts'

const mostLetters = 2000
/** Sentences that may wait for one envelope. */
const mostWaiting = 20

/** `relay tell`: puts a sentence into the next envelope of a run that is under way. */
export async function tell(system: System, typed: string, book: string | undefined): Promise<number> {
  const { terminal } = system
  const sentence = oneLine(typed)
  if (sentence === '' || typed.length > mostLetters) {
    throw new RelayError('usage', `A sentence has 1 to ${mostLetters} letters`, {
      hint: 'For example `relay tell "No new dependencies"`.',
    })
  }
  const run = await chooseRun(book, system)
  if ((await waitingSentences(run.folder, system)).length >= mostWaiting) {
    throw new RelayError('usage', `${mostWaiting} sentences wait already: \`relay status\` shows them`)
  }
  const left = await leaveSentence(run.folder, sentence, system)
  // A run that has ended meanwhile has named all that it did not say, or left this one here.
  if (!(await isGoingOn(run, system)) && (await withdrawSentence(left, run.folder, system))) {
    throw new RelayError('usage', `The run of ${visibleLine(run.word)} ended at this moment, and was told nothing`)
  }
  const { paint, sign } = styleOf(terminal)
  terminal.err(`${paint.ok(sign.ok)} The next turn of ${visibleLine(run.word)} is told: ${visibleLine(sentence)}`)
  return 0
}
