import type { Entry } from '../../model/entry.ts'
import { readOwnBytes } from '../disk/read-own.ts'
import { printYaml } from '../entry/print-yaml.ts'
import type { Layout } from '../layout/layout.ts'

/** What an entry is told after its transaction was kept. */
export type Later = { readonly [Key in 'commit' | 'title']: Required<Pick<Entry, Key>> }['commit' | 'title']

/**
 * Writes into the entry of a kept transaction what became known later: behind all else, as its ending was put behind the
 * pending entry. In one step; whatever else stands in it stays byte for byte.
 *
 * For whoever holds the lock. `false`: there is no such entry any more.
 */
export async function writeLater(uuid: string, later: Later, layout: Layout): Promise<boolean> {
  const { files } = layout
  const bytes = await readOwnBytes(layout.applied(uuid), files)
  if (bytes === undefined) return false
  const line = printYaml(later)
  const [key = ''] = Object.keys(later)
  const end = bytes.subarray(-LONGEST).toString('latin1')
  const [, lines = ''] = laterLines.exec(end) ?? []
  const others = (lines.match(/[^\n]+\n/g) ?? []).filter(other => !other.startsWith(`${key}: `))
  const start = bytes.subarray(0, bytes.length - lines.length)
  const whole = Buffer.concat([start, Buffer.from(others.join(''), 'latin1'), Buffer.from(line)])
  if (whole.equals(bytes)) return true
  await files.replace(layout.applied(uuid), whole, layout.spare, { mode: 0o600 })
  await files.sync(layout.folder)
  return true
}

/** Both lines together have fewer bytes. */
const LONGEST = 8192
const laterLines = /\n((?:(?:commit|title): [^\n]*\n)+)$/
