/** A line of code as it fits into a reason: without the blanks around it, and cut. */
export function shortened(line: string): string {
  const text = line.trim()
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const longest = 40
