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
  const shown = files.slice(0, MOST_FILES).map(file => `\`${oneLine(file)}\``)
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : ''
  return [
    `## ${localDay(at)} ${localTime(at)} - ${oneLine(storyId)}`,
    `- ${oneLine(what)}`,
    ...(files.length === 0 ? [] : [`- Files changed: ${shown.join(', ')}${more}`]),
    '- (written by relay: the agent left no entry)',
    '---',
    '',
  ].join('\n')
}

const MOST_FILES = 20

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
