import type { Entry } from './entry.ts'
import { oneLine } from './one-line.ts'
import { titleOfEntry } from './title.ts'

/**
 * The commit message of a kept change: the model's own (`gitCommitMsg`), or the title with the beginning of what it said about
 * the change. The trailer names the change.
 *
 * @param undone the change that this one takes back, the one that that took back, and so on: then git's own words for it
 */
export function commitMessage([entry, ...undone]: readonly [Entry, ...Entry[]]): string {
  const origin = undone.at(-1)
  const text =
    origin === undefined ? textOf(entry) : `${undone.length % 2 === 1 ? 'Revert' : 'Reapply'} "${subjectOf(origin)}"`
  return `${text}\n\nRelay-Change: ${entry.number}\n`
}

/** The message of one commit for several changes, two or more, oldest first: it names each. */
export function squashedMessage(entries: readonly Entry[]): string {
  const subjects = entries.map(subjectOf)
  const list = subjects.map(subject => `- ${subject}`)
  const trailers = entries.map(({ number }) => `Relay-Change: ${number}`)
  return `${[`${subjects[0]} and ${entries.length - 1} more`, '', ...list, '', ...trailers].join('\n')}\n`
}

function textOf(entry: Entry): string {
  const own = messageOf(entry)
  if (own !== '' && entry.title === undefined) return own
  const said = shortened(oneLine(entry.reasoning[0] ?? ''))
  return [titleOfEntry(entry), ...(said === '' ? [] : ['', said])].join('\n')
}

function subjectOf(entry: Entry): string {
  return textOf(entry).split('\n', 1)[0] ?? ''
}

/** Each line by itself: no letter that a terminal obeys, and no blanks at its end. */
function messageOf({ gitCommitMsg = '' }: Entry): string {
  const lines = gitCommitMsg.split(/\r?\n/).map(line => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd())
  return lines.join('\n').trim()
}

/** At most so many letters, up to the end of a word, on lines of the usual width. */
function shortened(text: string): string {
  const cut = text.length <= MOST ? text : `${text.slice(0, MOST).replace(/\s+\S*$/, '')} …`
  return cut.replaceAll(/(?=\S)(.{1,72})(?:\s+|$)/gu, '$1\n').trimEnd()
}

const MOST = 400
