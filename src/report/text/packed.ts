/** As many beside each other as fit on a line. */
export function packed(texts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 3 + text.length <= columns) lines[lines.length - 1] = `${last}   ${text}`
    else lines.push(`  ${text}`)
  }
  return lines
}
