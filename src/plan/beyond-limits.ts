import type { PathFact } from '../model/plan.ts'
import type { Limits } from '../model/project.ts'
import type { Problem } from '../model/response.ts'
import type { Touch } from './edits/steps-of.ts'

/** Says which of the configuration's limits one operation is beyond; `undefined`: none. */
export function beyondLimits({ path, operation }: Touch, { tooLarge }: PathFact, limits: Limits): Problem | undefined {
  const pathBytes = Buffer.byteLength(path)
  if (pathBytes > limits.pathLength) {
    return {
      code: 'path-too-long',
      path,
      message: `The path has ${pathBytes} bytes; the limit is ${limits.pathLength} (limits.pathLength). Ask for a shorter one, or raise the limit.`,
    }
  }
  // Most are far below: only near the limit the exact number is worth counting.
  const fileBytes =
    operation.op === 'write' && operation.content.length * 3 > limits.fileBytes
      ? Buffer.byteLength(operation.content)
      : 0
  if (fileBytes > limits.fileBytes) {
    return {
      code: 'file-too-large',
      path,
      message: `The file would have ${fileBytes} bytes; the limit is ${limits.fileBytes} (limits.fileBytes). Ask for smaller files, or raise the limit.`,
    }
  }
  if (tooLarge === undefined) return undefined
  return {
    code: 'file-too-large',
    path,
    message: `The file there has ${tooLarge} bytes, and would have to be kept for going back; the limit is ${limits.fileBytes} (limits.fileBytes). Change it by hand, or raise the limit.`,
  }
}
