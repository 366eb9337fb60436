/** A progress.txt, with its patterns apart from the rest. */
export interface ProgressParts {
  /** The text before the patterns; the whole text when there are none. */
  readonly above: string
  /** The part `## Codebase Patterns`, including the line `---` that ends it; empty when there is none. */
  readonly patterns: string
  readonly below: string
}

/** Finds the patterns in a progress.txt, wherever an agent has put them. */
export function splitProgress(text: string): ProgressParts {
  const heading = /^##[ \t]+Codebase Patterns\b.*$/im.exec(text)
  if (heading === null) return { above: text, patterns: '', below: '' }
  const from = heading.index
  const ending = new RegExp(END, 'gm')
  ending.lastIndex = from + heading[0].length
  const end = ending.exec(text)
  // Some agents put the patterns between the first and the second line of the header.
  const to = end === null ? text.length : end.index + (end[0].startsWith('-') ? end[0].length : 0)
  return { above: text.slice(0, from), patterns: text.slice(from, to), below: text.slice(to) }
}

/** The next heading, the second line of the header, or a horizontal rule with its line end. */
const END = /^(?:#{1,2} |Started: |---+[ \t]*(?:\r?\n|$))/
