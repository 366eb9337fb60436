import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Stat } from '../../ports.ts'
import type { Layout } from './layout.ts'

/** Makes `.relaycode/` where it is missing: private, ignored by git, and never a link that leads elsewhere. */
export async function ensureRelayFolder(layout: Layout): Promise<void> {
  const { files } = layout
  if (await files.makeFolder(layout.folder, 0o700)) {
    await files.sync(layout.root)
  } else {
    const found = await mustBeFolder(layout)
    // A clone or a copy can bring one that others may read, and entries hold the content of the project's files.
    if (found !== null && (found.mode & 0o077) !== 0) await files.makePrivate(layout.folder)
  }
  await mustBeOurs(layout)
  // Made now, because the disk may be too full for it when something has to be rescued.
  await files.makeFolder(layout.rescues, 0o700)
  const ignore = ignoreIn(layout)
  const text = Buffer.from('*\n')
  if ((await files.create(ignore, text, { mode: 0o600, sync: false })) === 'created') return
  // It is empty if relay was killed, or the power failed, between making and filling it.
  if ((await files.stat(ignore))?.size === 0) await files.append(ignore, text)
}

/**
 * Refuses a `.relaycode` that is a link or a file, without reading anything of it. Answers `null` where there is none.
 */
export async function mustBeFolder({ folder, files }: Layout): Promise<Stat | null> {
  const found = await files.stat(folder)
  if (found === null || found.kind === 'folder') return found
  throw new RelayError('environment', `${folder} is not a folder`, {
    hint: 'relay keeps its state there and follows no link. Move it away, then run `relay --init`.',
  })
}

function ignoreIn({ folder }: Layout): string {
  return join(folder, '.gitignore')
}

/** A cloned project can bring a `.relaycode/` of its own: through a link in it relay would write somewhere else. */
async function mustBeOurs(layout: Layout): Promise<void> {
  const folders = [
    layout.locks,
    layout.watchers,
    layout.askers,
    layout.rescues,
    layout.outputs,
    layout.seen,
    layout.declined,
  ]
  const plain = [layout.history, layout.spare, layout.allEnded, ignoreIn(layout)]
  for (const [kind, paths] of [
    ['folder', folders],
    ['file', plain],
  ] as const) {
    for (const path of paths) {
      const found = (await layout.files.stat(path))?.kind
      if (found === undefined || found === kind) continue
      throw new RelayError('environment', `${path} is not a ${kind}`, {
        hint: 'relay keeps its state there and follows no link. Look at where it came from, and move it away.',
      })
    }
  }
}
