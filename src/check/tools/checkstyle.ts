import { finding } from '../finding.ts'
import { placeIn } from '../lint-error.ts'
import type { Finding, Line, Tool } from '../tool.ts'

/** Checkstyle's own format. Its sum is not read: it counts an exception that it ends with as one error. */
export const checkstyle: Tool = { start: () => readViolation }

/** `[ERROR] /project/a.java:1:14: Name 'a' must match pattern '^[A-Z]'. [TypeName]` */
function readViolation({ text }: Line): Finding | undefined {
  const start = /^\[(?:ERROR|WARN)\] (\S[^\n]*?):(\d{1,9})(?::(\d{1,9}))?: /.exec(text)
  const end = / \[(\w{1,100})\]$/.exec(text)
  if (start === null || end === null) return undefined
  return finding(text.startsWith('[E'), placeIn(start), end[1] ?? '', text.slice(start[0].length, end.index))
}
