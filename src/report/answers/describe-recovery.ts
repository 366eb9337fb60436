import type { HistoryLine } from '../../model/entry.ts'
import type { Recovery } from '../../model/talk.ts'
import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeMoment } from '../text/describe-time.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wordsOfPaths } from '../text/words-of-paths.ts'
import { describeRestoration, lateLines } from './describe-restoration.ts'
import { isOver, nameOfRecovery } from './unfinished-note.ts'

/** What recovery did about one unfinished transaction, or, in a preview, would do. */
export function describeRecovery(
  recovery: Recovery,
  style: Style,
  now?: Date,
  { isPreview = false } = {},
): readonly string[] {
  const { columns, paint, sign } = style
  const { first, second } = recoveryWords(recovery, now, isPreview)
  const mark = MARKS[isPreview && isOver(recovery) ? 'would-roll-back' : recovery.action]
  return [
    `${paint[mark.paint](sign[mark.sign])} ${cutLine(first, columns - 3, sign.cut)}`,
    ...[second, ...fileLines(recovery)].flatMap(text => indented(text, style)),
    ...(recovery.endedCommand ? ['    Its command was still running; relay ended it.'] : []),
  ]
}

export function forgottenWords(lines: readonly HistoryLine[]): string {
  const numbers = lines.slice(0, mostNumbers).map(({ number }) => `#${number}`)
  const more = lines.length > mostNumbers ? ', …' : ''
  return `${count(lines.length, 'kept change')} (${numbers.join(', ')}${more})`
}

const mostNumbers = 5

function fileLines({ action, restoration, isForeign }: Recovery): readonly string[] {
  if (isForeign === true) {
    return restoration.rescued.map(
      ({ path, rescue }) => `${visibleLine(path)}: the version that was there is in ${visibleLine(rescue)}`,
    )
  }
  if (action === 'finished') return lateLines(restoration.rescued)
  if (action !== 'would-roll-back') return describeRestoration(restoration).files
  return [
    ...restoration.kept.map(({ path }) => `${visibleLine(path)}: edited since; ${WHAT_OF_EDITS}`),
    ...restoration.rescued.map(({ path }) => `${visibleLine(path)}: ${WHAT_OF_OTHERS}`),
  ]
}

/** The same in two sentences, without colour. */
export function recoveryWords(
  recovery: Recovery,
  now: Date | undefined,
  isPreview = false,
): { readonly first: string; readonly second: string } {
  const { action, number, startedAt, restoration, left = [] } = recovery
  const name = nameOfRecovery(recovery)
  const { summary } = describeRestoration(restoration)
  const moment = startedAt === undefined ? '' : describeMoment(startedAt, now)
  const begun = moment === '' ? '' : ` (begun ${moment})`
  const files = summary === '' ? 'no file had changed' : summary
  const { length } = restoration.restored
  const toRestore = length === 0 ? '' : `: ${count(length, 'file')} to restore`
  const [clearedUp, remained] = isPreview ? ['would clear up', 'remain'] : ['cleared up', 'remained']
  switch (action) {
    case 'rolled-back':
      if (recovery.isForeign === true) {
        return {
          first: `rolled back ${name}`,
          second: `It was not begun here. ${count(length, 'file')} changed.`,
        }
      }
      return { first: `rolled back ${name}`, second: `It was not finished${begun}: ${files}.` }
    case 'would-roll-back':
      return { first: `would roll back ${name}`, second: `It was not finished${begun}${toRestore}.` }
    case 'finished':
      return {
        first: `${clearedUp} after ${name}`,
        second: `It was already ${number === undefined ? 'rolled back' : `kept${begun}`}; only leftover files ${remained}.`,
      }
    case 'unbegun':
      return { first: `${clearedUp} after ${name}`, second: 'It stopped before it changed any file.' }
    case 'held':
      return { first: `unanswered: ${name}`, second: `It waits for your answer${begun}. relay left it alone.` }
    case 'foreign':
      return { first: `not begun here: ${name}`, second: `It is unfinished${begun}. relay left it alone.` }
    case 'set-aside':
      return {
        first: `set aside ${name}`,
        second: `It was unfinished, and not begun in this folder on this machine. No file was changed. What was left of it is in ${left.map(visibleLine).join(' and ')}`,
      }
    case 'unreadable':
      return unreadableWords(recovery)
  }
}

function unreadableWords(recovery: Recovery): { readonly first: string; readonly second: string } {
  const { left = [], isLater = false } = recovery
  const name = nameOfRecovery(recovery)
  return {
    first:
      isLater || left.some(path => path.endsWith('.yml'))
        ? `cannot read ${name}`
        : `${name} is damaged: its file is gone`,
    second: `relay left ${left.map(visibleLine).join(' and ')} alone, and restored nothing.${isLater ? ' A newer relay wrote it.' : ''}`,
  }
}

const WHAT_OF_EDITS = 'relay will ask about it; without a terminal it stays as edited'
const WHAT_OF_OTHERS = 'changed since, by you or a command; the present version goes to .relaycode/rescue/'

const MARKS = {
  'rolled-back': { sign: 'back', paint: 'needsYou' },
  'would-roll-back': { sign: 'watching', paint: 'meta' },
  unbegun: { sign: 'ok', paint: 'ok' },
  finished: { sign: 'ok', paint: 'ok' },
  held: { sign: 'needsYou', paint: 'needsYou' },
  foreign: { sign: 'needsYou', paint: 'needsYou' },
  'set-aside': { sign: 'ok', paint: 'ok' },
  unreadable: { sign: 'fail', paint: 'fail' },
} as const

/** What lies in relay's folder, and what to do about it. */
export function asideWords(paths: readonly string[]): string {
  return `put aside for a merge that was stopped: ${wordsOfPaths(paths)}; \`relay recover\` puts ${paths.length === 1 ? 'it' : 'them'} back`
}
