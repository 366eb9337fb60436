import { join } from 'node:path'
import type { Files } from '../../ports.ts'
import type { PrivateRepository } from './private-repository.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'

/** Folders in which a command finds programs and packages, and which git ignores as a rule. */
const toolFolders = new Set(['node_modules', '.venv', 'venv', 'vendor', '__pypackages__', 'bower_components'])

/** Whether a path leads into such a folder, or is one. */
export function isTool(path: string): boolean {
  return path.split('/').some(part => toolFolders.has(part))
}

/** Files and links of a checkout that git does not know, by path from the top. It looks into no other repository. */
export async function untrackedIn(work: string, { git }: PrivateRepository): Promise<readonly string[]> {
  const all = await git('index', work)(['ls-files', '-z', '--others'])
  return all.split('\0').flatMap(path => (path === '' ? [] : path.replace(/\/$/, '')))
}

/**
 * Removes what git does not know and `isStrange` names. A folder with nothing else in it goes as a whole, but only one that is
 * strange itself.
 */
export async function dropUntracked(
  isStrange: (path: string) => boolean,
  work: string,
  own: PrivateRepository,
  system: Doors,
): Promise<void> {
  const untracked = await untrackedIn(work, own)
  const strange = untracked.filter(isStrange)
  if (strange.length === 0) return
  const tracked = (await own.git('index', work)(['ls-files', '-z'])).split('\0')
  const above = new Set([...tracked, ...untracked.filter(path => !isStrange(path))].flatMap(prefixesOf))
  const whole = (path: string) => prefixesOf(path).find(each => isStrange(each) && !above.has(each)) ?? path
  const gone = [...new Set(strange.map(whole))].map(path => join(work, path))
  for (let at = 0; at < gone.length; at += atOnce) await removeAll(gone.slice(at, at + atOnce), '/', system)
}

/** `a`, `a/b`, `a/b/c`. */
export function prefixesOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/**
 * Removes each pipe, device or socket in the place of a rules file, in any folder, and gives their paths from the top. Git would
 * wait for ever to read one. `find` opens no file.
 */
export async function dropFalseRules(work: string, system: Doors): Promise<readonly string[]> {
  const names = ['(', '-iname', '.gitignore', '-o', '-iname', '.gitattributes', ')']
  const kinds = ['!', '-type', 'f', '!', '-type', 'l', '!', '-type', 'd']
  const { out } = await runProgram(['find', work, ...names, ...kinds, '-print'], { cwd: '/' }, system)
  const paths = out.split('\n').filter(path => path.startsWith(`${work}/`))
  await removeAll(paths, '/', system)
  return paths.map(path => path.slice(work.length + 1))
}

/** What tells of a file whether anybody has written it since. No program can set the time of the last change. */
export type Stamps = ReadonlyMap<string, string>

export async function stampsOf(paths: readonly string[], work: string, files: Files): Promise<Stamps> {
  const stamps = new Map<string, string>()
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = paths.slice(at, at + atOnce).map(async path => [path, await files.stat(join(work, path))] as const)
    for (const [path, found] of await Promise.all(some)) {
      if (found !== null) stamps.set(path, `${found.kind} ${found.inode} ${found.size} ${found.changedMs}`)
    }
  }
  return stamps
}

/** Files that are looked at, or removed, at the same time. */
const atOnce = 500
