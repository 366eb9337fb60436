const longestTitle = 72

/** The first line of a prompt, cut between words. */
export function titleOf(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n')
  if (line.length <= longestTitle) return line
  const cut = line.slice(0, longestTitle - 1)
  return `${cut.slice(0, cut.lastIndexOf(' ') > 20 ? cut.lastIndexOf(' ') : cut.length).trimEnd()}…`
}
