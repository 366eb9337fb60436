import type { Config } from '../../model/project.ts'
import type { Files } from '../../ports.ts'

/** With `"fast"` no write waits for the disk, and changes may not survive a power cut. */
export function durable(files: Files, { durability }: Pick<Config, 'durability'>): Files {
  if (durability === 'full') return files
  return {
    ...files,
    create: (path, bytes, options) => files.create(path, bytes, { ...options, sync: false }),
    replace: (path, bytes, temporary, options) => files.replace(path, bytes, temporary, { ...options, sync: false }),
    append: (path, bytes) => files.append(path, bytes, { sync: false }),
    sync: async () => undefined,
  }
}
