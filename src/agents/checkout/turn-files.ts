import { dirname, join, resolve } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import { foldersFrom } from '../../ground/paths.ts'
import type { ConfirmedFile, ConfirmedFiles } from '../../model/agent.ts'
import { readNote, writeNote } from '../../state-files.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'
import { makeFolders } from './sides.ts'

/** Where a turn is run: the agent's folder, the top of its checkout, and relay's own folder for what is taken out. */
export interface TurnPlace {
  readonly cwd: string
  readonly folder: string
  readonly aside: string
}

/** The folder for what is taken out, in relay's folder for a checkout. */
export function asideIn(folder: string): string {
  return join(folder, 'aside')
}

/**
 * Runs a turn with the project's files for agents as they were confirmed. What the work holds in their place is taken out
 * before, and is there again afterwards, unless the turn changed the same file: then what the turn wrote stays.
 *
 * So no attempt makes the rules for the next one. What is taken out is never lost: after a kill `bringBack` finds it.
 */
export async function withConfirmed<T>(
  confirmed: ConfirmedFiles | undefined,
  place: TurnPlace,
  system: Doors,
  turn: () => Promise<T>,
): Promise<T> {
  if (confirmed === undefined) return turn()
  await takeOut(await entriesOf(confirmed, place, system), place.aside, system)
  try {
    return await turn()
  } finally {
    await bringBack(place.aside, system)
  }
}

/** A path that differs from what was confirmed. */
interface Entry {
  readonly path: string
  /** The place in the checkout to which the file belongs. */
  readonly below: string
  /** The work holds something there: its name in relay's folder. */
  readonly taken?: string
  /** A file was confirmed there. */
  readonly laid?: { readonly bytes: Uint8Array; readonly digest: string }
}

type NotedEntry = Pick<Entry, 'path' | 'below' | 'taken'> & { readonly digest?: string | undefined }

interface Note {
  /** `moving`: each entry goes back as it was. `out`: a turn runs, or ran, and may have changed an entry. */
  readonly is: 'moving' | 'out'
  readonly entries: readonly NotedEntry[]
}

async function entriesOf({ root, names, files }: ConfirmedFiles, place: TurnPlace, system: Doors) {
  const users = foldersFrom(root)
  // A project's folder in a checkout may end with a slash.
  const places = foldersFrom(resolve(place.cwd)).filter(
    each => each === place.folder || each.startsWith(`${place.folder}/`),
  )
  const found: Entry[] = []
  for (const [at, below] of places.entries()) {
    const confirmed = files.filter(({ folder }) => folder === users[at])
    found.push(...(await entriesBelow(below, names, confirmed, system)))
  }
  return found.map((entry, at) => ({ ...entry, ...(entry.taken !== undefined && { taken: String(at) }) }))
}

async function entriesBelow(
  below: string,
  names: readonly string[],
  files: readonly ConfirmedFile[],
  system: Doors,
): Promise<readonly Entry[]> {
  if ((await system.files.realPath(below)) !== below)
    throw new RelayError('agent', 'The agent has moved or replaced the folder that it works in')
  const held = new Set<string>()
  for (const name of names) for (const path of await heldAt(below, name, system)) held.add(path)
  const isNamed = (path: string) => names.some(name => path === name || path.startsWith(`${name}/`))
  const laid = new Map<string, Uint8Array>()
  for (const { path, bytes } of files.filter(each => isNamed(each.path))) {
    if (await isFileOf(join(below, path), bytes, system)) held.delete(path)
    else if (held.has(path) || !isSecret(path)) laid.set(path, bytes)
  }
  return [...new Set([...held, ...laid.keys()])].map(path => {
    const bytes = laid.get(path)
    return {
      ...{ path: join(below, path), below },
      ...(held.has(path) && { taken: path }),
      ...(bytes !== undefined && { laid: { bytes, digest: digest('sha256', bytes) } }),
    }
  })
}

/** What git ignores is not in a checkout. Files with secrets are not brought in this way, either. */
function isSecret(path: string): boolean {
  return /(?:^|\/)\.env[^/]*$/.test(path)
}

/** More than this in one folder is taken out as a whole. */
const mostPaths = 200

/** All files and links below a name, by their paths. Where a part of the name is no folder, that part alone. */
async function heldAt(below: string, name: string, { files }: Doors): Promise<readonly string[]> {
  const parts = name.split('/')
  for (const depth of parts.keys()) {
    const path = parts.slice(0, depth + 1).join('/')
    const kind = (await files.stat(join(below, path)))?.kind
    if (kind === undefined) return []
    if (kind !== 'folder') return [path]
  }
  const found: string[] = []
  const walk = async (path: string): Promise<void> => {
    for (const each of (await files.list(join(below, path))) ?? []) {
      if (found.length > mostPaths) return
      const inner = `${path}/${each}`
      if ((await files.stat(join(below, inner)))?.kind === 'folder') await walk(inner)
      else found.push(inner)
    }
  }
  await walk(name)
  return found.length > mostPaths ? [name] : found
}

async function isFileOf(path: string, bytes: Uint8Array, { files }: Doors): Promise<boolean> {
  const stat = await files.stat(path)
  if (stat?.kind !== 'file' || stat.size !== bytes.length) return false
  return digest('sha256', (await files.read(path)) ?? new Uint8Array()) === digest('sha256', bytes)
}

async function takeOut(entries: readonly Entry[], aside: string, system: Doors): Promise<void> {
  if (entries.length === 0) return
  const { files } = system
  const noted = entries.map(({ laid, ...entry }) => ({ ...entry, digest: laid?.digest }))
  await files.makeFolder(aside, 0o700)
  await note(aside, { is: 'moving', entries: noted }, system)
  for (const { path, taken } of entries) if (taken !== undefined) await move(path, join(aside, taken), system)
  for (const { path, below, laid } of entries) {
    if (laid === undefined || !(await makeFolders(dirname(path.slice(below.length + 1)), below, files))) continue
    await files.create(path, laid.bytes, { sync: false })
  }
  await note(aside, { is: 'out', entries: noted }, system)
}

/** Ends what a turn began. Safe to call twice, and after a kill at any step. */
export async function bringBack(aside: string, given: Doors): Promise<void> {
  const found = (await readNote(noteIn(aside), given)) as Note | undefined
  // Also after Ctrl+C, which ends only the turn.
  const system = { ...given, interruption: new AbortController().signal }
  if (found !== undefined) {
    const entries = found.is === 'moving' ? found.entries : await unchangedOf(found.entries, system)
    await note(aside, { is: 'moving', entries }, system)
    for (const entry of entries) await removeLaid(entry, system)
    for (const entry of entries) await putBack(entry, aside, system)
    await system.files.remove(noteIn(aside))
  }
  await removeAll([aside], '/', system)
}

/** The entries that are still as they were when the turn began. */
async function unchangedOf(entries: readonly NotedEntry[], system: Doors): Promise<readonly NotedEntry[]> {
  const laid = new Map(entries.map(({ path, digest: known }) => [path, known]))
  const isUnchanged = async (path: string): Promise<boolean> => {
    const now = await digestAt(path, system)
    if (now !== 'folder' || laid.get(path) !== undefined) return now === laid.get(path)
    // A whole folder was taken out, and files were laid there.
    const names = (await system.files.list(path)) ?? []
    return (await Promise.all(names.map(name => isUnchanged(join(path, name))))).every(Boolean)
  }
  const are = await Promise.all(entries.map(({ path }) => isUnchanged(path)))
  return entries.filter((_, at) => are[at])
}

/** What the work holds is never the same as what was laid in its place. */
async function removeLaid({ path, below, digest: laid }: NotedEntry, system: Doors): Promise<void> {
  if (laid === undefined || (await digestAt(path, system)) !== laid) return
  await system.files.remove(path)
  for (const folder of foldersFrom(dirname(path))) {
    if (folder === below || (await system.files.removeFolder(folder)) !== 'removed') return
  }
}

async function putBack({ path, below, taken }: NotedEntry, aside: string, system: Doors): Promise<void> {
  const { files } = system
  if (taken === undefined) return
  const [from, half] = [join(aside, taken), `${path}.relay-back`]
  if ((await files.stat(from)) !== null) {
    // On another disk a kill leaves a half of it.
    await removeAll([half], '/', system)
    if (await makeFolders(dirname(path.slice(below.length + 1)), below, files)) await move(from, half, system)
  }
  if ((await files.stat(half)) !== null && (await files.stat(path)) === null) await files.rename(half, path)
}

/** `undefined`: nothing is there. */
async function digestAt(path: string, { files }: Doors): Promise<string | undefined> {
  const kind = (await files.stat(path))?.kind
  if (kind === undefined) return undefined
  if (kind !== 'file') return kind
  return digest('sha256', (await files.read(path).catch(() => null)) ?? new Uint8Array())
}

/** The work tree of a branch may lie on another disk than relay's folder. */
async function move(from: string, to: string, system: Doors): Promise<void> {
  const { code, err } = await runProgram(['mv', '-f', '--', from, to], { cwd: '/' }, system)
  if (code !== 0) throw new RelayError('agent', `Cannot take ${from} out of the way of a turn: ${err}`)
}

function noteIn(aside: string): string {
  return join(aside, 'note.json')
}

async function note(aside: string, what: Note, system: Doors): Promise<void> {
  await writeNote(noteIn(aside), what, system)
}
