import type { CreateOptions, Files } from '../../ports.ts'

/** A text, for a command that clears away empty files must not take a mark for one. */
export const markText = Buffer.from('relay needs this file while it works. Its name says everything.\n')

/**
 * Makes a file whose name says everything. A full disk, on which going back still works, has no room for more than that
 * name.
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
