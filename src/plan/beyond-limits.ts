import { groupBy } from '../ground/collections.ts'
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
export function tooManyFiles(paths: readonly string[], { files: limit }: Limits): Problem | undefined {
  if (paths.length <= limit) return undefined
  const folders = largestFolders(paths)
  const most = folders.length === 0 ? '' : ` Most are in ${folders.join(', ')}.`
  return {
    code: 'too-many-files',
    message: `The answer changes ${paths.length} files; the limit is ${limit} (limits.files).${most} Ask for smaller steps, or raise the limit.`,
  }
}

const mostFolders = 3

/** The folders with most of these files, as in `src/gen/ (7)`: of what a tool made, its folder says what it was. */
function largestFolders(paths: readonly string[]): readonly string[] {
  const inFolders = paths.filter(path => path.includes('/'))
  const byTop = groupBy(inFolders, path => path.slice(0, path.indexOf('/')))
  return [...byTop.values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostFolders)
    .map(inside => `${commonFolder(inside)} (${inside.length})`)
}

/** The deepest folder that holds all of these files. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  while (!others.every(path => path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
  return folder
}
