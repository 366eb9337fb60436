import { dirname, join } from 'node:path'
import { RelayError } from '../../../errors.ts'
import type { PathState } from '../../../model/plan.ts'
import type { System } from '../../../ports.ts'
import { type PrdFile, readPrd } from './prd-file.ts'

type Doors = Pick<System, 'files'>

/** Where a loop's files are, relative to the project's root. */
export interface LoopPaths {
  readonly prd: string
  readonly progress: string
  readonly prompt: string
  readonly lastBranch: string
  /** The folder of all of them; empty for the root itself. */
  readonly folder: string
}

/** The files beside a prd.json, which is named by its path. */
export function loopPaths(prd: string): LoopPaths {
  const folder = prd.includes('/') ? dirname(prd) : ''
  const beside = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  return {
    prd,
    progress: beside('progress.txt'),
    prompt: beside('prompt.md'),
    lastBranch: beside('.last-branch'),
    folder,
  }
}

/** Where a prd.json is looked for, in this order. */
export const usualPlaces = ['prd.json', 'scripts/ralph/prd.json']

/** The prd.json of a project; `undefined`: it has none. */
export async function findPrd(root: string, doors: Doors): Promise<string | undefined> {
  for (const path of usualPlaces) {
    if ((await textAt(join(root, path), doors)) !== undefined) return path
  }
  return undefined
}

/** Reads a prd.json; throws `usage` with what is wrong and where, for one that a loop cannot work with. */
export async function readPrdAt(root: string, path: string, doors: Doors): Promise<PrdFile> {
  const text = await textAt(join(root, path), doors)
  if (text === undefined) throw new RelayError('usage', `There is no ${path}`, { hint: 'Run `relay prd new`.' })
  const read = readPrd(text)
  if (read.kind === 'prd') return read.file
  throw new RelayError('usage', `${path} cannot be read: ${read.problems.join('; ')}`, {
    hint: `Mend it, then look with \`relay prd check\`.`,
  })
}

/** The text of a file; `undefined`: there is none. No link is followed: what is read goes to an agent. */
export async function textAt(path: string, { files }: Doors): Promise<string | undefined> {
  const found = await files.inspect(path)
  if (found === null) return undefined
  if (found.kind !== 'file') throw new RelayError('conflict', `${path} is no file`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(found.bytes)
}

/** What stands at a path, as a landing knows it. */
export async function stateAt(path: string, { files }: Doors): Promise<PathState> {
  const [stat, found] = [await files.stat(path), await files.inspect(path)]
  if (found?.kind === 'link') return { kind: 'link', to: found.to }
  return found?.kind === 'file' ? { kind: 'file', bytes: found.bytes, mode: stat?.mode ?? 0o644 } : null
}

/** Replaces a file in one step, unless it has this text; makes the folders that are missing. */
export async function writeText(path: string, text: string, { files }: Doors): Promise<void> {
  const found = await files.inspect(path)
  const bytes = new TextEncoder().encode(text)
  if (found?.kind === 'file' && Buffer.from(found.bytes).equals(bytes)) return
  await makeFolder(dirname(path), { files })
  const mode = found?.kind === 'file' ? (await files.stat(path))?.mode : undefined
  await files.replace(path, bytes, `${path}.relay-new`, { mode })
}

async function makeFolder(path: string, { files }: Doors): Promise<void> {
  if ((await files.stat(path)) !== null) return
  await makeFolder(dirname(path), { files })
  await files.makeFolder(path)
}
