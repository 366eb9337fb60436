/** Names a branch `claude/add-dark-mode-1764151200`: the agent, the subject, and the start in unix seconds. */
export function branchName(agent: string, instructions: string, seconds: number): string {
  return `${slug(agent, 30) || 'agent'}/${slug(instructions, mostOfSlug) || 'task'}-${seconds}`
}

const mostOfSlug = 30

/** The letters and digits of a text with `-` between them, at most `most` characters. */
function slug(text: string, most: number): string {
  const all = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
  return [...all].slice(0, most).join('').replace(/-$/, '')
}

/** Removes invisible characters, which no agent should get, and the empty lines around an instruction; line ends become LF. */
export function cleanInstructions(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
}

/** The first line that is not blank: the title of the work. */
export function firstLine(instructions: string): string {
  return (
    instructions
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? ''
  )
}
