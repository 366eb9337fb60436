/** The first line of every text of relay for a model has this mark, and relay never takes such a text for a patch. */
export const ownTextMark = '# relay-followup'

export function isOwnText(text: string): boolean {
  const head = text.slice(0, 2000).trimStart()
  const end = head.indexOf('\n')
  return (end < 0 ? head : head.slice(0, end)).includes(ownTextMark)
}
