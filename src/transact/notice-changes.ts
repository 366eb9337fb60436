import type { Files } from '../ports.ts'
import { walkProject } from './disk/walk-project.ts'

/** More than this many files are not looked at: noticing must stay cheap. */
const mostLooks = 20_000

/**
 * The files below the root, sorted, that changed since a moment of the file system's own clock, the given ones left
 * out. They are only named: whether a command or the user changed them cannot be told.
 */
export async function noticeChanges(
  root: string,
  sinceMs: number,
  except: ReadonlySet<string>,
  files: Files,
): Promise<readonly string[]> {
  const changed: string[] = []
  let looks = 0
  for await (const found of walkProject(root, files)) {
    looks += found.length
    if (looks > mostLooks) break
    for (const { path, stat } of found) {
      if (stat.kind === 'file' && stat.changedMs >= sinceMs && !except.has(path)) changed.push(path)
    }
  }
  return changed.sort()
}
