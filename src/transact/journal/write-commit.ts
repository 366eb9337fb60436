import { readOwnBytes } from '../disk/read-own.ts'
import { printYaml } from '../entry/print-yaml.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * Writes into the entry of a kept transaction in which commit of git its files are: behind all else, as its ending was put
 * behind the pending entry. In one step; whatever else stands in it stays byte for byte.
 *
 * For whoever holds the lock. `false`: there is no such entry any more.
 */
export async function writeCommit(uuid: string, commit: string, layout: Layout): Promise<boolean> {
  const { files } = layout
  const bytes = await readOwnBytes(layout.applied(uuid), files)
  if (bytes === undefined) return false
  const line = printYaml({ commit })
  const end = bytes.subarray(-longest).toString('latin1')
  if (end.endsWith(`\n${line}`)) return true
  const earlier = lastLine.exec(end)?.[1]?.length ?? 0
  const whole = Buffer.concat([bytes.subarray(0, bytes.length - earlier), Buffer.from(line)])
  await files.replace(layout.applied(uuid), whole, layout.spare, { mode: 0o600 })
  await files.sync(layout.folder)
  return true
}

/** The line has fewer bytes. */
const longest = 100
const lastLine = /\n(commit: [^\n]*\n)$/
