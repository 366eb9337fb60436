/** Every text of relay's for a model has this in its first line; one that does is never taken for a patch. */
export const ownTextMark = '# relay-followup'

/** Whether a text is one that relay made for a model. */
export function isOwnText(text: string): boolean {
  const head = text.slice(0, 2000).trimStart()
  const end = head.indexOf('\n')
  return (end < 0 ? head : head.slice(0, end)).includes(ownTextMark)
}
