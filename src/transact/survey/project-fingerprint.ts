import { join } from 'node:path'
import { foldersFrom, insideOf } from '../../ground/paths.ts'
import type { Files } from '../../ports.ts'
import { sha256 } from '../entry/hash.ts'
import type { Layout } from '../layout/layout.ts'
import { type Found, walkProject } from './walk-project.ts'

/**
 * A hash that stays the same as long as no file of the project is touched; `undefined` when relay cannot see all files
 * that a linter reads.
 */
export async function fingerprintOf({ root, files }: Layout, signal: AbortSignal): Promise<string | undefined> {
  const seen = await whatLintersSee(root, files, signal)
  if (seen === undefined) return undefined
  const lines = [...seen.map(lineOf), ...(await installedLines(root, files))]
  return sha256(lines.sort().join('\n'))
}

/** `undefined` if there are too many files, or if a linter reads files outside the project. */
async function whatLintersSee(root: string, files: Files, signal: AbortSignal): Promise<readonly Found[] | undefined> {
  if (await isPartOfLarger(root, files)) return undefined
  const seen: Found[] = []
  for await (const found of walkProject(root, files, { signal })) {
    if (found === undefined) return undefined
    for (const each of found) {
      // A folder changes only with the files in it.
      if (each.stat.kind === 'folder' || leftBehind.test(each.path)) continue
      if (each.stat.kind === 'link' && (await leadsOut(each.path, root, files))) return undefined
      seen.push(each)
    }
  }
  return seen
}

function lineOf({ path, stat }: Found): string {
  return `${path}\0${stat.kind}\0${stat.size}\0${stat.inode}\0${stat.mode}\0${stat.modifiedMs}`
}

/** Caches that linters write, and logs in the root: they change with each run and say nothing. */
const leftBehind = /(?:^|\/)(?:\.eslintcache|\.stylelintcache|\.DS_Store|[^/]*\.(?:tsbuildinfo|pyc))$|^[^/]+\.log$/

/** Installing packages changes these; relay does not look into the folders themselves. */
const installed = [
  ...['node_modules', 'node_modules/.package-lock.json', 'node_modules/.yarn-state.yml', 'node_modules/.modules.yaml'],
  ...['.venv', '.venv/pyvenv.cfg', '.venv/Lib/site-packages'],
]

async function installedLines(root: string, files: Files): Promise<readonly string[]> {
  const pythons = (await files.list(join(root, '.venv/lib')).catch(() => null)) ?? []
  const lines: string[] = []
  for (const path of [...installed, ...pythons.map(name => `.venv/lib/${name}/site-packages`)]) {
    const stat = await files.stat(join(root, path)).catch(() => null)
    if (stat !== null) lines.push(`${path}\0${stat.inode}\0${stat.modifiedMs}`)
  }
  return lines
}

/** A linter also reads the packages beside this one in a larger repository, and the fingerprint does not. */
async function isPartOfLarger(root: string, files: Files): Promise<boolean> {
  for (const folder of foldersFrom(root)) {
    if ((await files.stat(join(folder, '.git')).catch(() => null)) !== null) return folder !== root
  }
  return false
}

/** A linter reads the files behind such a link too, and they can change unseen. */
async function leadsOut(path: string, root: string, files: Files): Promise<boolean> {
  const real = await files.realPath(join(root, path)).catch(() => null)
  return real !== null && insideOf(root, real) === undefined
}
