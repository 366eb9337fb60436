/** The long texts of an entry, as YAML's literal blocks. */

/** A text whose last line is blank is quoted, because YAML readers differ there. */
export function isLiteral(text: string): boolean {
  const end = endWithoutNewlines(text)
  return text.includes('\n') && /[^\t ]/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end))
}

function endWithoutNewlines(text: string): number {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return end
}

/**
 * A text as a block: its header, its first line and the others, with their indent. They are separate, because a joined
 * text is copied again when it is used, and this one may have many megabytes.
 */
export function literalBlock(text: string, indent: string): readonly [header: string, ...lines: string[]] {
  const ends = text.endsWith('\n')
  // If the first line is indented itself, the reader must know how much of the indent is the block's.
  const depth = /^\n*[\t ]/.test(text) ? '2' : ''
  const chomp = !ends ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = ends ? text.slice(0, -1) : text
  const first = body.indexOf('\n')
  const header = `|${depth}${chomp}`
  if (first === -1) return [header, indented(body, indent)]
  // Empty lines get no indent.
  const others = body.slice(first).replaceAll(/\n(?!\n|$)/g, `\n${indent}`)
  return [header, indented(body.slice(0, first), indent), others.slice(1)]
}

function indented(line: string, indent: string): string {
  return line === '' ? '' : `${indent}${line}`
}
