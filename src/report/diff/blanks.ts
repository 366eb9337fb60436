/** Whether two texts are the same but for their blanks; looks no further than where they are not. */
export function differInBlanksAlone(one: string, other: string): boolean {
  let [left, right] = [0, 0]
  for (;;) {
    while (isBlank(one, left)) left++
    while (isBlank(other, right)) right++
    if (one[left] !== other[right]) return false
    if (left >= one.length) return true
    left++
    right++
  }
}

/** How long a text is without its blanks. */
export function lengthWithoutBlanks(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) if (!isBlank(text, at)) length++
  return length
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  // Any other blank than those of ASCII is rare enough to be asked for by its class.
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)))
}
