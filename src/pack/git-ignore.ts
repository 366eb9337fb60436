import { join, resolve } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { foldersFrom, insideOf } from '../ground/paths.ts'
import type { Files } from '../ports.ts'

/** git's rules for one folder and the folders below it. */
export interface IgnoreRules {
  /** The path is relative to the project's root; that of a folder ends with a slash. */
  ignores(path: string): boolean
  /** The rules in a folder below: its own `.gitignore` wins over those above. */
  enter(folder: string): Promise<IgnoreRules>
}

/**
 * git's rules for a project: `.git/info/exclude`, and each `.gitignore` from the top of the repository to the root.
 *
 * Capitals do not count, as in the globs of the configuration: the user can still ask for a file that is left out
 * wrongly, but a file that was given away cannot be taken back. If the repository ignores the whole project, only the
 * project's own rules count.
 */
export async function ignoreRules(root: string, files: Files): Promise<IgnoreRules> {
  const top = await repositoryAround(root, files)
  const inTop = top === undefined ? '' : (insideOf(top, root) ?? '')
  const prefix = inTop === '' ? '' : `${inTop}/`
  let known = ignore()
  if (top !== undefined) {
    known = await addFile(known, await excludeFile(top, files), '', files)
    for (const folder of foldersFrom(root).toReversed()) {
      const path = insideOf(top, folder)
      if (path !== undefined && folder !== root) known = await addFile(known, join(folder, '.gitignore'), path, files)
    }
  }
  if (prefix !== '' && known.ignores(prefix)) known = ignore()
  const rulesOf = (rules: Ignore): IgnoreRules => ({
    ignores: path => rules.ignores(prefix + path),
    enter: async folder =>
      rulesOf(await addFile(rules, join(root, folder, '.gitignore'), `${prefix}${folder}`.replace(/\/$/, ''), files)),
  })
  return rulesOf(known).enter('')
}

/** Adds the rules of one file, whose patterns are relative to `folder`. */
async function addFile(rules: Ignore, path: string | undefined, folder: string, files: Files): Promise<Ignore> {
  const text = path === undefined ? undefined : await textOf(path, files)
  if (text === undefined) return rules
  return ignore()
    .add(rules)
    .add(text.split(/\r?\n/).map(line => meantFrom(folder, line)))
}

/** The pattern as it would be at the top of the repository. */
function meantFrom(folder: string, line: string): string {
  if (folder === '' || line.trim() === '' || line.startsWith('#')) return line
  const not = line.startsWith('!') ? '!' : ''
  const body = line.slice(not.length)
  const isAnchored = /\/./.test(body.trimEnd())
  const place = folder.replaceAll(/[*?[\]\\!# ]/g, '\\$&')
  return `${not}/${place}/${isAnchored ? body.replace(/^\//, '') : `**/${body}`}`
}

async function repositoryAround(root: string, files: Files): Promise<string | undefined> {
  for (const folder of foldersFrom(root)) if ((await files.stat(join(folder, '.git'))) !== null) return folder
  return undefined
}

/** In a worktree `.git` is a file that names a folder, which names the folder that all worktrees share. */
async function excludeFile(top: string, files: Files): Promise<string | undefined> {
  const git = join(top, '.git')
  if ((await files.stat(git))?.kind === 'folder') return join(git, 'info/exclude')
  const named = /^gitdir: (.+?)\s*$/.exec((await textOf(git, files)) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(top, named)
  const shared = (await textOf(join(own, 'commondir'), files))?.trim()
  return join(shared === undefined ? own : resolve(own, shared), 'info/exclude')
}

/** People do not write more than this into one of git's own files. */
const mostBytes = 1_000_000

async function textOf(path: string, files: Files): Promise<string | undefined> {
  const stat = await files.stat(path).catch(() => null)
  if (stat?.kind !== 'file' || stat.size > mostBytes) return undefined
  const bytes = await files.read(path).catch(() => null)
  return bytes === null ? undefined : new TextDecoder().decode(bytes)
}
