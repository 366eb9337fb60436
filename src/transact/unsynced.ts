import type { Files } from '../ports.ts'

/** The same files without waiting for the disk: `durability: "fast"`. A kill is still survived, a power cut is not. */
export function unsynced(files: Files): Files {
  return {
    ...files,
    create: (path, bytes, options) => files.create(path, bytes, { ...options, sync: false }),
    replace: (path, bytes, temporary, options) => files.replace(path, bytes, temporary, { ...options, sync: false }),
    append: (path, bytes) => files.append(path, bytes, { sync: false }),
    sync: async () => undefined,
  }
}
