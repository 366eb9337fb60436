import { join } from 'node:path'
import type { Files, Stat } from '../ports.ts'
import { inFlight } from './in-flight.ts'

/** One thing below the root: its path relative to it, with `/`. */
export interface Found {
  readonly path: string
  readonly stat: Stat
}

/** Folders that hold what tools make, not what people write. */
const passedOver = new Set(['.git', '.hg', '.svn', '.relaycode', 'node_modules', '.venv', 'target', '__pycache__'])

/**
 * All that people write below the root, a folder at a time, in no order; the folders that tools fill are named and not
 * entered. What cannot be looked at, such as another user's folder, is passed over.
 */
export async function* walkProject(root: string, files: Files): AsyncGenerator<readonly Found[]> {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = (await files.list(join(root, folder)).catch(() => null)) ?? []
    const found: Found[] = []
    const look = async (name: string) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = await files.stat(join(root, path)).catch(() => null)
      if (stat === null) return
      found.push({ path, stat })
      if (stat.kind === 'folder' && !passedOver.has(name)) folders.push(path)
    }
    await inFlight(names, look)
    yield found
  }
}
