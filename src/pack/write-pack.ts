import { Buffer } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import { RelayError } from '../errors.ts'
import { isOwnText } from '../lines/own-text.ts'
import type { System } from '../ports.ts'

/** Writes a pack into a new file, or in place of an earlier one; nothing else is overwritten. */
export async function writePack(
  path: string,
  text: string,
  { files, randomUuid }: Pick<System, 'files' | 'randomUuid'>,
): Promise<void> {
  // The folder may be below a link.
  const folder = await files.realPath(dirname(path))
  if (folder === null || (await files.stat(folder))?.kind !== 'folder') {
    throw new RelayError('usage', `There is no folder ${dirname(path)}`, {
      hint: 'Create it first, or name another file.',
    })
  }
  const real = join(folder, basename(path))
  const bytes = Buffer.from(text)
  if ((await files.create(real, bytes)) === 'created') return
  const found = await files.inspect(real)
  if (found?.kind !== 'file' || !isOwnText(Buffer.from(found.bytes).toString('utf8', 0, 2000))) {
    throw new RelayError('usage', `${path} already exists, and is not a pack`, { hint: 'Name another file.' })
  }
  await files.replace(real, bytes, `${real}.${randomUuid()}.tmp`, { mode: (await files.stat(real))?.mode })
}
