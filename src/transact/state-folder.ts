import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Files } from '../ports.ts'
import type { Layout } from './layout.ts'

/** Makes `.relaycode/` where it is missing: private, ignored by git, and never a link that leads elsewhere. */
export async function ensureStateFolder(layout: Layout, files: Files): Promise<void> {
  if (await files.makeFolder(layout.folder, 0o700)) {
    await files.sync(layout.root)
  } else if ((await files.stat(layout.folder))?.kind !== 'folder') {
    throw new RelayError('environment', `${layout.folder} is not a folder`, {
      hint: 'relay keeps its state there and follows no link. Move it away, then run `relay --init`.',
    })
  }
  // Made beforehand: when something has to be rescued the disk may be too full for it.
  await files.makeFolder(layout.rescues, 0o700)
  const ignore = join(layout.folder, '.gitignore')
  const text = Buffer.from('*\n')
  if ((await files.create(ignore, text, { mode: 0o600, sync: false })) === 'created') return
  // Empty: a relay was killed, or the power cut, between making it and filling it.
  if ((await files.stat(ignore))?.size === 0) await files.append(ignore, text)
}
