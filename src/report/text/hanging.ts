/** Lines below each other: the first behind `lead`, the others so many columns in. */
export function hanging(lead: string, lines: readonly string[], indent: number): readonly string[] {
  return lines.map((line, index) => (index === 0 ? lead : ' '.repeat(indent)) + line)
}
