import type { Outcome, Progress } from '../../model/talk.ts'
import { countsOf, countWords } from '../diff/count-words.ts'
import { fileDiffs } from '../diff/file-diffs.ts'
import { count } from '../text/count.ts'
import { cutLine, cutTitle } from '../text/cut-line.ts'
import { describeClock } from '../text/describe-time.ts'
import { firstOf } from '../text/more-line.ts'
import { visibleLine, visibleOutput, visibleOutputLine } from '../text/visible.ts'
import { checkWords, comparisonWords } from './check-words.ts'
import { waitingWords } from './describe-progress.ts'
import { recoveryWords } from './describe-recovery.ts'
import { errorWords } from './error-list.ts'
import { type About, numbered, outcomeWords } from './outcome-words.ts'

/** How a response ended, on one line for a log: `14:02:11 kept #42: auto: no new errors`. */
export function plainOutcome(outcome: Outcome, at: Date, about: About = {}): string {
  const words = outcomeWords(outcome, { now: at, ...about })
  return stamped(at, `${words.verdict}: ${inOneLine([...words.details, ...words.more])}`)
}

/** Progress for a log. `undefined`: a reader of the log does not need it. */
export function plainProgress(progress: Progress, at: Date): string | undefined {
  const text = progressWords(progress, at)
  return text === undefined ? undefined : stamped(at, text)
}

function progressWords(progress: Progress, at: Date): string | undefined {
  switch (progress.kind) {
    case 'waiting':
    case 'history-lost':
      return waitingWords(progress)
    case 'recovered': {
      const { first, second } = recoveryWords(progress.recovery, at)
      return `${first}. ${second}`
    }
    case 'begun': {
      const files = progress.changes.filter(({ effect }) => effect !== 'none')
      const counts = countWords(countsOf(fileDiffs(files)))
      const title = cutTitle(progress.title) || '(no summary)'
      return `begun${numbered(progress)}: ${title} (${count(files.length, 'file')} ${counts})`
    }
    case 'command-ended': {
      if (progress.end.ok) return undefined
      const last = visibleLine(visibleOutput(progress.end.output.trimEnd().split('\n').at(-1) ?? '').trim())
      const why = visibleOutputLine(progress.end.why)
      return `${progress.step} failed: ${why}${last === '' ? '' : `: ${cutLine(last, 200)}`}`
    }
    case 'checked': {
      if (progress.step === 'base') return undefined
      const { check, comparison } = progress
      const numbers = comparison === undefined ? [] : comparisonWords(comparison)
      const found = firstOf(comparison?.newErrors ?? [], 3, 'new error', errorWords)
      return `lint: ${[[checkWords(check), ...numbers].join(', '), ...found].join('; ')}`
    }
    case 'resumed': {
      const { verdict, details, more } = outcomeWords(progress.outcome, { now: at })
      return `${verdict}: ${inOneLine([...details, ...more])}`
    }
    case 'edited':
      return progress.whileChecked === undefined
        ? undefined
        : `changed while the linter ran: ${visibleLine(progress.paths.join(', '))}`
    // Without a terminal nobody is asked, so nobody answers with these.
    case 'chosen':
    case 'step-started':
    case 'written':
      return undefined
  }
}

/** A part that begins with a capital word is a sentence of its own, and not a path. */
function inOneLine([first = '', ...others]: readonly string[]): string {
  return others.reduce((line, part) => {
    const isSentence = /^\p{Lu}\p{Ll}* /u.test(part)
    return `${line}${isSentence ? (line.endsWith('.') ? ' ' : '. ') : '; '}${part}`
  }, first)
}

/** Long enough for every reason, and short enough for a log. */
const LONG = 1000

function stamped(at: Date, text: string): string {
  return `${describeClock(at)} ${cutLine(text, LONG)}`
}
