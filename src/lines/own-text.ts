/** The first line of every text of relay for a model has one of these marks, and relay takes no such text for a patch. */
export const followUpMark = '# relay-followup'
export const packMark = '<!-- relay pack:'

export function isOwnText(text: string): boolean {
  const head = text.slice(0, 2000).trimStart()
  const end = head.indexOf('\n')
  const first = end < 0 ? head : head.slice(0, end)
  return first.includes(followUpMark) || first.startsWith(packMark)
}
