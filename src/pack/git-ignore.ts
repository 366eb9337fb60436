import { join, resolve } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { foldersFrom, insideOf } from '../ground/paths.ts'
import type { Files } from '../ports.ts'

/** What git leaves out in one folder and below it, as far as is known there. */
export interface IgnoreRules {
  /** The path is relative to the project's root; that of a folder ends with a slash. */
  ignores(path: string): boolean
  /** The rules one folder further in: those of its own `.gitignore` win over all above. */
  enter(folder: string): Promise<IgnoreRules>
}

/**
 * What git leaves out of a project: `.git/info/exclude`, and each `.gitignore` from the top of the repository to the root.
 *
 * Capitals do not count, as with the globs of the configuration: a name too many that is left out is asked for, but one too
 * many that is given away cannot be taken back. A project that its repository ignores as a whole goes by its own rules.
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

/** The rules with those of one file behind them; its patterns are meant from `folder` on. */
async function addFile(rules: Ignore, path: string | undefined, folder: string, files: Files): Promise<Ignore> {
  const text = path === undefined ? undefined : await textOf(path, files)
  if (text === undefined) return rules
  return ignore()
    .add(rules)
    .add(text.split(/\r?\n/).map(line => meantFrom(folder, line)))
}

/** A pattern as it would be written at the top of the repository. */
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

/** In a work tree `.git` is a file that names the folder, and that names the one which all work trees share. */
async function excludeFile(top: string, files: Files): Promise<string | undefined> {
  const git = join(top, '.git')
  if ((await files.stat(git))?.kind === 'folder') return join(git, 'info/exclude')
  const named = /^gitdir: (.+?)\s*$/.exec((await textOf(git, files)) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(top, named)
  const shared = (await textOf(join(own, 'commondir'), files))?.trim()
  return join(shared === undefined ? own : resolve(own, shared), 'info/exclude')
}

/** More than this in one of git's own files is nothing that people wrote. */
const mostBytes = 1_000_000

async function textOf(path: string, files: Files): Promise<string | undefined> {
  const stat = await files.stat(path).catch(() => null)
  if (stat?.kind !== 'file' || stat.size > mostBytes) return undefined
  const bytes = await files.read(path).catch(() => null)
  return bytes === null ? undefined : new TextDecoder().decode(bytes)
}
