/**
 * Takes the fence's indentation off every line of a block, as far as the line has it.
 *
 * A fence at the margin, the usual case, leaves the text as it is without looking at its lines.
 */
export function dedent(text: string, columns: number): string {
  if (columns === 0) return text
  return text
    .split('\n')
    .map(line => line.slice(indentOf(line, columns)))
    .join('\n')
}

/** How many blanks a line begins with, up to a limit. */
export function indentOf(line: string, limit = Number.POSITIVE_INFINITY): number {
  let at = 0
  while (at < limit && (line[at] === ' ' || line[at] === '\t')) at++
  return at
}
