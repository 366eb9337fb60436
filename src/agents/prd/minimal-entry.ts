import { someOf } from '../../ground/words.ts'
import { localDay, localTime } from './local-day.ts'

/** An entry of progress.txt for an agent that wrote none. */
export function minimalEntry(done: {
  readonly at: Date
  readonly storyId: string
  /** The result, in one line. */
  readonly what: string
  readonly files: readonly string[]
}): string {
  const { at, storyId, what, files } = done
  const shown = someOf(
    files.map(file => `\`${oneLine(file)}\``),
    MOST_FILES,
  )
  return [
    `## ${localDay(at)} ${localTime(at)} - ${oneLine(storyId)}`,
    `- ${oneLine(what)}`,
    ...(files.length === 0 ? [] : [`- Files changed: ${shown}`]),
    '- (written by relay: the agent left no entry)',
    '---',
    '',
  ].join('\n')
}

const MOST_FILES = 20

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
