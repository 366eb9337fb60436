import { join, posix } from 'node:path'
import { groupBy } from '../../ground/group-by.ts'
import type { Operation } from '../../model.ts'
import type { Files } from '../../ports.ts'

/**
 * Reads the project's texts as they are and as the operations would make them, where the tools would find them: a link is
 * followed out of the project as well. Nothing of it is shown, or kept; what cannot be read is not there. When `signal`
 * aborts its reason is thrown.
 */
export function projectTexts(root: string, operations: readonly Operation[], files: Files, signal: AbortSignal) {
  const written = new Map(operations.flatMap(each => (each.op === 'write' ? [[each.path, each.content]] : [])))
  const news = groupBy(written.keys(), path => posix.dirname(`/${path}`).slice(1))
  const onDisk = async (path: string): Promise<string | undefined> => {
    const real = await files.realPath(join(root, path))
    const stat = real === null ? null : await files.stat(real)
    // What has no size is empty, or has no end.
    if (real === null || stat?.kind !== 'file' || stat.size === 0 || stat.size > MOST) return undefined
    return Buffer.from((await files.read(real, MOST)) ?? []).toString()
  }
  return {
    read: async (path: string): Promise<readonly string[]> => {
      signal.throwIfAborted()
      const texts = [await onDisk(path).catch(() => undefined), written.get(path)]
      return texts.flatMap(text => (text === undefined || text.length > MOST ? [] : [text.replace(/^\ufeff/, '')]))
    },
    has: async (path: string) => {
      signal.throwIfAborted()
      return (await files.stat(join(root, path)).catch(() => null)) !== null
    },
    list: async (folder: string) => {
      const names = (await files.list(join(root, folder)).catch(() => null)) ?? []
      return [...new Set([...names, ...(news.get(folder) ?? []).map(path => posix.basename(path))])]
    },
  }
}

/** No file that says what runs is larger. */
const MOST = 1_048_576
