import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { textAt } from '../work/user-files.ts'
import { type PrdFile, readPrd } from './prd-file.ts'

type Doors = Pick<System, 'files'>

/** The paths of a loop's files, relative to the project's root. */
export interface LoopPaths {
  readonly prd: string
  readonly progress: string
  readonly prompt: string
  readonly lastBranch: string
  /** The folder of all these files; empty for the root itself. */
  readonly folder: string
}

/** The paths of a loop's files, from the path of its prd.json. */
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

/** The places to look for a prd.json, in this order. */
export const usualPlaces = ['prd.json', 'scripts/ralph/prd.json']

/** The path of a project's prd.json; `undefined` when it has none. */
export async function findPrd(root: string, doors: Doors): Promise<string | undefined> {
  for (const path of usualPlaces) {
    if ((await textAt(join(root, path), doors)) !== undefined) return path
  }
  return undefined
}

/** Reads a prd.json. Throws `usage`, with every problem and its line, when a loop cannot work with it. */
export async function readPrdAt(root: string, path: string, doors: Doors): Promise<PrdFile> {
  return prdOf(path, await textAt(join(root, path), doors))
}

/** The same for a text that was read already; `undefined`: there is no file. */
export function prdOf(path: string, text: string | undefined): PrdFile {
  if (text === undefined) throw new RelayError('usage', `There is no ${path}`, { hint: 'Run `relay prd new`.' })
  const read = readPrd(text)
  if (read.kind === 'prd') return read.file
  throw new RelayError('usage', `${path} cannot be read: ${read.problems.join('; ')}`, {
    hint: 'Correct it, then run `relay prd check`.',
  })
}
