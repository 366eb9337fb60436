import { splitProgress } from './split-progress.ts'

/**
 * What an agent added to progress.txt, as it wrote it; empty where that is nothing.
 *
 * The file is append-only but for its patterns. From an agent that wrote the log anew, or put its entry first, the parts
 * under a heading that was not there are taken: whatever it did to older entries does not count.
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

/** All but the patterns, with Unix line ends. */
function logOf(text: string): string {
  const { above, below } = splitProgress(text.replaceAll('\r\n', '\n'))
  return above + below
}

function orNothing(entry: string): string {
  return /[^\s-]/.test(entry) ? entry : ''
}

/** What follows in `now` after all lines of `old`; `undefined`: they are no longer all there. Blank lines do not count. */
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
  /** How often each heading was there. */
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

/** What stands before the first heading, and was nowhere before: of an agent that wrote lines in place of the file. */
function newLines(old: string, now: string): string {
  const known = new Set(old.split('\n'))
  const [first = ''] = blocksOf(now)
  if (headingOf(first) !== '') return ''
  const lines = first.split('\n').filter(line => !known.has(line) && !/^(?:# |Started: |---|$)/.test(line))
  return lines.map(line => `${line}\n`).join('')
}

/** The parts of a log, each from one heading to the next; what stands before the first is one too. */
function blocksOf(log: string): readonly string[] {
  return log.split(/^(?=## )/m)
}

/** Empty of the part before the first heading. */
function headingOf(block: string): string {
  return /^## .*/.exec(block)?.[0].trimEnd() ?? ''
}
