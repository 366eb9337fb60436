import { join } from 'node:path'
import { oldAmong } from '../../ground/collections.ts'
import type { Layout } from '../layout/layout.ts'
import { type LastDeclined, readDeclinedAt } from './last-declined.ts'

/** An answer that was not kept, and lies in the state folder. */
export interface DeclinedFile {
  readonly number: number
  readonly bytes: number
  readonly at: Date
}

const MOST = 20
const MOST_BYTES = 20_000_000

/**
 * Keeps the last declined answer under its number too, for when another takes its place; the oldest go. It is the same file:
 * what is written later replaces the name alone.
 */
export async function keepDeclined(number: number, layout: Layout): Promise<void> {
  const { files, declined, lastDeclined } = layout
  await files.makeFolder(declined, 0o700)
  // The same number once more: an earlier relay was killed in the middle.
  await files.remove(fileOf(number, layout))
  await files.link(lastDeclined, fileOf(number, layout))
  const old = oldAmong(await listDeclined(layout), { most: MOST, mostBytes: MOST_BYTES })
  for (const file of old) await dropDeclined(file.number, layout)
}

/** All of them, newest first. */
export async function listDeclined(layout: Layout): Promise<readonly DeclinedFile[]> {
  const found: DeclinedFile[] = []
  for (const name of (await layout.files.list(layout.declined)) ?? []) {
    const [, digits] = /^(\d+)\.yml$/.exec(name) ?? []
    const stat = digits === undefined ? null : await layout.files.stat(join(layout.declined, name))
    if (stat?.kind === 'file') found.push({ number: Number(digits), bytes: stat.size, at: new Date(stat.modifiedMs) })
  }
  return found.sort((a, b) => b.number - a.number)
}

/** `undefined` when it is not kept any more, or cannot be read. */
export async function readDeclined(number: number, layout: Layout): Promise<LastDeclined | undefined> {
  if ((await layout.files.stat(layout.declined))?.kind !== 'folder') return undefined
  return readDeclinedAt(fileOf(number, layout), layout)
}

export async function dropDeclined(number: number, layout: Layout): Promise<void> {
  await layout.files.remove(fileOf(number, layout))
}

function fileOf(number: number, { declined }: Layout): string {
  return join(declined, `${number}.yml`)
}
