import type { PathFact } from '../model/plan.ts'
import type { Limits } from '../model/project.ts'
import type { Problem } from '../model/response.ts'

/** Says which of the configuration's limits a file of so many bytes at a path is beyond; `undefined`: none. */
export function beyondLimits(
  path: string,
  fileBytes: number,
  { tooLarge }: PathFact,
  limits: Limits,
): Problem | undefined {
  const pathBytes = Buffer.byteLength(path)
  if (pathBytes > limits.pathLength) {
    return {
      code: 'path-too-long',
      path,
      message: `The path has ${pathBytes} bytes; the limit is ${limits.pathLength} (limits.pathLength). Ask for a shorter one, or raise the limit.`,
    }
  }
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
    message: `The present file has ${tooLarge} bytes, and relay must store it for undo; the limit is ${limits.fileBytes} (limits.fileBytes). Change it by hand, or raise the limit.`,
  }
}

/** A patch that changes too many files; `undefined`: few enough. */
export function tooManyFiles(count: number, { files: limit }: Limits): Problem | undefined {
  if (count <= limit) return undefined
  return {
    code: 'too-many-files',
    message: `The answer changes ${count} files; the limit is ${limit} (limits.files). Ask for smaller steps, or raise the limit.`,
  }
}
