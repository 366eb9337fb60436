/** A progress.txt, with what its readers are to know first apart from the rest. */
export interface ProgressParts {
  /** What stands before the patterns; all of the text where there are none. */
  readonly above: string
  /** The part `## Codebase Patterns`, with the line `---` that ends it; empty where there is none. */
  readonly patterns: string
  readonly below: string
}

/** Finds the patterns in a progress.txt: at its top, or wherever an agent has put them. */
export function splitProgress(text: string): ProgressParts {
  const heading = /^##[ \t]+Codebase Patterns\b.*$/im.exec(text)
  if (heading === null) return { above: text, patterns: '', below: '' }
  const from = heading.index
  const ending = new RegExp(END, 'gm')
  ending.lastIndex = from + heading[0].length
  const end = ending.exec(text)
  // Some put the patterns between the first line of the header and its second one.
  const to = end === null ? text.length : end.index + (end[0].startsWith('-') ? end[0].length : 0)
  return { above: text.slice(0, from), patterns: text.slice(from, to), below: text.slice(to) }
}

/** The next heading, the second line of the header, or a rule with the end of its line. */
const END = /^(?:#{1,2} |Started: |---+[ \t]*(?:\r?\n|$))/
