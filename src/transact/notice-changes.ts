import { join } from 'node:path'
import type { Files } from '../ports.ts'

/** More than this many files are not looked at: noticing must stay cheap. */
const mostLooks = 20_000

/** Folders that hold what tools make, not what people write. */
const passedOver = new Set(['.git', '.hg', '.svn', '.relaycode', 'node_modules', '.venv', 'target', '__pycache__'])

/**
 * The files below the root, sorted, that changed since a moment of the file system's own clock, the given ones left
 * out. They are only named: whether a command or the user changed them cannot be told. What cannot be looked at, such
 * as another user's folder, is passed over.
 */
export async function noticeChanges(
  root: string,
  sinceMs: number,
  except: ReadonlySet<string>,
  files: Files,
): Promise<readonly string[]> {
  const changed: string[] = []
  const folders = ['']
  let looks = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of (await files.list(join(root, folder)).catch(() => null)) ?? []) {
      if (passedOver.has(name)) continue
      looks += 1
      if (looks > mostLooks) return changed.sort()
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = await files.stat(join(root, path)).catch(() => null)
      if (stat?.kind === 'folder') folders.push(path)
      else if (stat?.kind === 'file' && stat.changedMs >= sinceMs && !except.has(path)) changed.push(path)
    }
  }
  return changed.sort()
}
