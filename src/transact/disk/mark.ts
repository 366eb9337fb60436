import type { CreateOptions, Files } from '../../ports.ts'

/** Not empty, because some commands remove empty files. */
export const markText = Buffer.from('relay needs this file while it works. Its name says everything.\n')

/**
 * Makes a file whose name says everything. A rollback must work on a full disk, which has no room for more than a name.
 */
export async function makeMark(
  path: string,
  files: Files,
  sync: false | 'name',
  { standsFor = path }: Pick<CreateOptions, 'standsFor'> = {},
): Promise<void> {
  const options = { mode: 0o600, sync, standsFor } as const
  await files.create(path, markText, options).catch(() => files.create(path, new Uint8Array(), options))
}
