/** `claude/add-dark-mode-1764151200`: whose work it is, what about, and since when (unix seconds). */
export function branchName(agent: string, instructions: string, seconds: number): string {
  return `${slug(agent, 30) || 'agent'}/${slug(instructions, mostOfSlug) || 'task'}-${seconds}`
}

const mostOfSlug = 30

/** The letters and digits of a text with `-` between, at most so many signs of it. */
function slug(text: string, most: number): string {
  const all = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
  return [...all].slice(0, most).join('').replace(/-$/, '')
}

/**
 * An instruction without what no agent is to get: signs that are not to be seen, and empty lines around. Line ends are LF.
 */
export function cleanInstructions(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
}

/** The first line that says something: what the work is called. */
export function firstLine(instructions: string): string {
  return (
    instructions
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? ''
  )
}
