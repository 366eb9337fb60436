import { join, resolve } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type { Doors } from './program.ts'

/**
 * Finds the file, relative to the environment's folder, through which Python would import from the project, or which says that
 * a copy of the project is installed. Gives `undefined` where the environment does not refer to the project.
 */
export async function whatNames(top: string, environment: string, system: Doors): Promise<string | undefined> {
  for (const path of await tellingFiles(environment, system)) {
    if (await namesProject(join(environment, path), top, environment, system)) return path
  }
  return undefined
}

async function tellingFiles(environment: string, { files }: Doors): Promise<readonly string[]> {
  const list = async (folder: string) => ((await files.list(join(environment, folder))) ?? []).toSorted()
  const versions = (await list('lib')).filter(name => /^python\d/.test(name))
  const folders = versions.map(version => join('lib', version, 'site-packages'))
  const found = folders.map(async folder =>
    (await list(folder)).flatMap(name => {
      if (name.endsWith('.dist-info')) return join(folder, name, 'direct_url.json')
      return leading.test(name) ? join(folder, name) : []
    }),
  )
  return (await Promise.all(found)).flat()
}

/** Files that pip, setuptools and others write for a package that is imported from elsewhere (an editable install). */
const leading = /^__editable__|\.(?:pth|egg-link)$/

/** In bytes, more than such a file ever has. */
const mostBytes = 1024 * 1024

async function namesProject(path: string, top: string, environment: string, { files }: Doors): Promise<boolean> {
  const found = await files.stat(path)
  // A folder of links can be skipped: another of these files leads to it.
  if (found?.kind === 'folder' || found === null) return false
  if (found.size > mostBytes) return true
  const text = new TextDecoder().decode((await files.read(path)) ?? undefined)
  for (const named of placesIn(text)) {
    const place = resolve(path, '..', named)
    const real = (await files.realPath(place)) ?? place
    if (insideOf(top, real) !== undefined && insideOf(environment, real) === undefined) return true
  }
  return false
}

/** Each line, and each text in quotes, that may be a path. */
function placesIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map(([, double, single]) => double ?? single ?? '')
  return [...text.split(/\r?\n/).map(line => line.trim()), ...quoted]
    .filter(part => part.includes('/'))
    .map(part => (part.startsWith('file://') ? decoded(part.slice('file://'.length)) : part))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
