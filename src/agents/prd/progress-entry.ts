import { splitProgress } from './split-progress.ts'

/**
 * The entry that an agent added to progress.txt, unchanged; empty when there is none.
 *
 * Except for its patterns, the file is append-only. If an agent rewrote the log or put its entry first, the parts with a new
 * heading count as its entry; its changes to older entries do not count.
 */
export function agentsEntry(before: string, after: string): string {
  if (after.startsWith(before) && splitProgress(after).patterns === splitProgress(before).patterns) {
    return orNothing(after.slice(before.length))
  }
  const [old, now] = [logOf(before), logOf(after)]
  return orNothing(appendedTo(old, now) ?? newBlocks(old, now))
}

/** Whether an agent only appended to the log. */
export function isAppended(before: string, after: string): boolean {
  return appendedTo(logOf(before), logOf(after)) !== undefined
}

/** The text without the patterns, with LF as the line end. */
function logOf(text: string): string {
  const { above, below } = splitProgress(text.replaceAll('\r\n', '\n'))
  return above + below
}

function orNothing(entry: string): string {
  return /[^\s-]/.test(entry) ? entry : ''
}

/** The part of `now` after all lines of `old`; `undefined` when some of those lines are missing. Blank lines do not count. */
function appendedTo(old: string, now: string): string | undefined {
  const lines = now.split('\n')
  let at = 0
  for (const line of old.split('\n')) {
    if (line.trim() === '') continue
    while (lines[at]?.trim() === '') at++
    if (lines[at]?.trimEnd() !== line.trimEnd()) return undefined
    at++
  }
  return lines.slice(at).join('\n')
}

function newBlocks(old: string, now: string): string {
  /** The number of times that each heading was there. */
  const known = new Map<string, number>()
  for (const heading of blocksOf(old).map(headingOf)) known.set(heading, (known.get(heading) ?? 0) + 1)
  const blocks = blocksOf(now).filter(block => {
    const heading = headingOf(block)
    const left = known.get(heading) ?? 0
    known.set(heading, left - 1)
    return heading !== '' && left <= 0
  })
  return [newLines(old, now), ...blocks].join('')
}

/** The new lines before the first heading: some agents replace the whole file with a few lines. */
function newLines(old: string, now: string): string {
  const known = new Set(old.split('\n'))
  const [first = ''] = blocksOf(now)
  if (headingOf(first) !== '') return ''
  const lines = first.split('\n').filter(line => !known.has(line) && !/^(?:# |Started: |---|$)/.test(line))
  return lines.map(line => `${line}\n`).join('')
}

/** Cuts a log before each heading; the text before the first heading is a part too. */
function blocksOf(log: string): readonly string[] {
  return log.split(/^(?=## )/m)
}

/** The heading of a part; empty for the part before the first heading. */
function headingOf(block: string): string {
  return /^## .*/.exec(block)?.[0].trimEnd() ?? ''
}
