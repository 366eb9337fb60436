import { join } from 'node:path'
import { asError, RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import { type AgeRules, oldAmong } from '../../ground/collections.ts'
import { isShape, isText, isWhole, listOf, parseJson } from '../../ground/json.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { AboutKept, KeptNote } from '../../model/kept.ts'
import type { PathState } from '../../model/plan.ts'
import type { System } from '../../ports.ts'
import { makeFolders, writeNote } from '../../state-files.ts'
import { changesIn } from '../checkout/checkout.ts'
import type { Doors as CheckoutDoors } from '../checkout/program.ts'
import { removeAll } from '../checkout/remove-all.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'clock'>
type RunDoors = Doors & CheckoutDoors

/** Kept for each project, without any rule of the user. */
const mostOfProject = 50
/** Kept for all projects together, in bytes. */
const mostInAll = 1_000_000_000
/** In characters, of the agent's words. */
const mostSaid = 20_000
/** In milliseconds. A folder older than this without `kept.json` was never finished. */
const longEnough = 60 * 60 * 1000
const noteName = 'kept.json'

/**
 * Keeps work of an agent that did not land, outside of every project. Gives the number under which the user can land it later,
 * or `undefined` where nothing was changed. Removes old work to make room.
 *
 * Work with an `id` that is kept already is not kept again. `kept.json` is written last, in one step: a folder without it is no
 * kept work. Throws a `RelayError` where the work could not be kept. The caller shows it, and the run continues.
 */
export async function keepWork(
  root: string,
  about: AboutKept,
  changes: readonly AgentChange[],
  doors: RunDoors,
): Promise<number | undefined> {
  return changes.length === 0 ? undefined : keep(root, about, { changes }, doors)
}

/**
 * Keeps a checkout whose work cannot be taken now: it is to get the name `left`, and its work is read when it lands. Otherwise
 * like `keepWork`.
 */
export function keepCheckout(
  root: string,
  about: AboutKept,
  left: string,
  doors: RunDoors,
): Promise<number | undefined> {
  return keep(root, about, { changes: [], left }, doors)
}

interface ToKeep {
  readonly changes: readonly AgentChange[]
  readonly left?: string
}

async function keep(root: string, about: AboutKept, what: ToKeep, doors: RunDoors): Promise<number> {
  if (doors.stateFolder === undefined) {
    throw new RelayError('environment', 'There is no home folder to keep the work in', { hint: 'Set HOME.' })
  }
  try {
    const above = await makeFolders(folderOf(doors.stateFolder, root), doors.files)
    const kept = about.id === undefined ? undefined : (await notesIn(above, doors)).find(({ id }) => id === about.id)
    if (kept !== undefined) return kept.number
    const { number, folder } = await nextFolder(above, doors)
    await write(folder, root, about, what, doors).catch(async error => {
      await empty(folder, doors).catch(() => undefined)
      throw error
    })
    // The work is kept, even if relay cannot clear up old work.
    await clearUnfinished(above, number, doors)
      .then(() => makeRoom(above, number, doors))
      .catch(() => undefined)
    return number
  } catch (error) {
    const { message } = asError(error)
    throw new RelayError('environment', `The work on "${about.title}" could not be kept: ${message}`, { cause: error })
  }
}

function cutWords(said: string): string {
  return said.length > mostSaid ? `${said.slice(0, mostSaid)}…` : said
}

export const noKeptWork = 'No agent has left work here.'

/** All kept work of a project that can be landed, newest first. */
export async function listKept(root: string, doors: Doors): Promise<readonly KeptNote[]> {
  const above = await placeOf(root, doors)
  return above === undefined ? [] : notesIn(above, doors)
}

/** One kept work with its changes. Throws `usage` where there is none with this number, and `failed` where it is damaged. */
export async function readKept(
  root: string,
  number: number,
  doors: RunDoors,
): Promise<{ readonly note: KeptNote; readonly changes: readonly AgentChange[] }> {
  const above = await placeOf(root, doors)
  const folder = join(above ?? '', `${number}`)
  const text = above === undefined ? undefined : await readText(join(folder, noteName), doors)
  if (text === undefined) {
    const numbers = (await listKept(root, doors)).map(each => each.number)
    const hint = numbers.length === 0 ? noKeptWork : `There is: ${numbers.join(', ')}.`
    throw new RelayError('usage', `No kept work ${number}`, { hint })
  }
  const stored = parseJson(text)
  if (!isStored(stored)) throw damaged(number, folder)
  if (stored.left !== undefined) {
    return { note: noteOf(number, stored), changes: await changesLeft(number, root, stored.left, doors) }
  }
  const changes: AgentChange[] = []
  for (const { path, base, made } of stored.changes) {
    const states = [await stateOf(base, folder, doors), await stateOf(made, folder, doors)] as const
    if (states[0] === undefined || states[1] === undefined) throw damaged(number, folder)
    changes.push({ path, base: states[0], made: states[1] })
  }
  return { note: noteOf(number, stored), changes }
}

async function changesLeft(number: number, root: string, left: string, doors: RunDoors) {
  try {
    return (await changesIn({ root, folder: left }, doors)).changes
  } catch (error) {
    throw new RelayError('failed', `Kept work ${number} cannot be read: ${asError(error).message}`, {
      hint: `Its files lie in ${join(left, 'work')}`,
    })
  }
}

/** Removes kept work for good. */
export async function dropKept(root: string, number: number, doors: RunDoors): Promise<void> {
  const above = await placeOf(root, doors)
  if (above !== undefined) await drop(above, number, doors)
}

/** Kept work of a project that these rules remove, newest first. */
export async function oldKept(root: string, rules: AgeRules, doors: Doors): Promise<readonly KeptNote[]> {
  return oldAmong(await listKept(root, doors), rules)
}

/** Removes the kept work that these rules choose. */
export async function pruneKept(root: string, rules: AgeRules, doors: RunDoors): Promise<void> {
  for (const { number } of await oldKept(root, rules, doors)) await dropKept(root, number, doors)
}

/** One side of a change in `kept.json`. */
type StoredState =
  | null
  | { readonly link: string }
  | { readonly file: string; readonly mode: number; readonly sha256: string }

interface Stored extends AboutKept {
  readonly version: 1
  readonly root: string
  readonly at: string
  readonly bytes: number
  readonly left?: string | undefined
  readonly changes: readonly { readonly path: string; readonly base: StoredState; readonly made: StoredState }[]
}

const isLink = isShape<{ link: string }>({ link: isText })
const isFile = isShape<{ file: string; mode: number; sha256: string }>({
  // A plain name: it cannot lead out of the folder.
  file: value => isText(value) && /^\d+\.(?:base|made)$/.test(value),
  mode: isWhole,
  sha256: isText,
})
const isState = (value: unknown) => value === null || isLink(value) || isFile(value)
const isStored = isShape<Stored>({
  version: value => value === 1,
  agent: isText,
  title: isText,
  why: isText,
  reasoning: isText,
  at: value => isText(value) && !Number.isNaN(Date.parse(value)),
  bytes: isWhole,
  changes: listOf(isShape<Stored['changes'][number]>({ path: isText, base: isState, made: isState })),
})

async function write(
  folder: string,
  root: string,
  about: AboutKept,
  { changes, left }: ToKeep,
  { files, clock }: Doors,
): Promise<void> {
  let bytes = 0
  const store = async (name: string, state: PathState): Promise<StoredState> => {
    if (state === null) return null
    if (state.kind === 'link') return { link: state.to }
    await files.create(join(folder, name), state.bytes, { mode: 0o600 })
    bytes += state.bytes.length
    return { file: name, mode: state.mode, sha256: digest('sha256', state.bytes) }
  }
  const stored: Stored['changes'][number][] = []
  for (const [at, { path, base, made }] of changes.entries()) {
    stored.push({ path, base: await store(`${at}.base`, base), made: await store(`${at}.made`, made) })
  }
  const { id, agent, book, task, title, why, reasoning } = about
  const at = clock.now().toISOString()
  const said = cutWords(reasoning)
  const note: Stored = {
    version: 1,
    id,
    root,
    book,
    task,
    title,
    agent,
    why,
    at,
    reasoning: said,
    bytes,
    left,
    changes: stored,
  }
  await writeNote(join(folder, noteName), note, { files })
  await files.sync(folder)
}

/** Makes a folder with the next free number. Two relay runs that keep work at the same time get different numbers. */
async function nextFolder(above: string, { files }: Doors): Promise<{ number: number; folder: string }> {
  for (let number = Math.max(0, ...(await numbersIn(above, files))) + 1; ; number += 1) {
    const folder = join(above, `${number}`)
    if (await files.makeFolder(folder, 0o700)) {
      await files.sync(above)
      return { number, folder }
    }
  }
}

/** Removes folders that a killed relay run never finished. Keeps young ones: another relay run may still be writing them. */
async function clearUnfinished(above: string, newest: number, doors: RunDoors): Promise<void> {
  const { files, clock } = doors
  for (const number of await numbersIn(above, files)) {
    if (number === newest || (await files.stat(join(above, `${number}`, noteName))) !== null) continue
    const age = clock.now().getTime() - ((await files.stat(join(above, `${number}`)))?.modifiedMs ?? 0)
    if (age > longEnough) await drop(above, number, doors)
  }
}

/** Removes the oldest work beyond the limits. The newest stays, whatever its size. */
async function makeRoom(above: string, newest: number, doors: RunDoors): Promise<void> {
  for (const { number } of oldAmong(await notesIn(above, doors), { most: mostOfProject }))
    await drop(above, number, doors)
  const everywhere = join(above, '..')
  const all: { readonly in: string; readonly note: KeptNote; readonly isNewest: boolean }[] = []
  for (const name of (await doors.files.listKinds(everywhere))?.folders ?? []) {
    const folder = join(everywhere, name)
    for (const note of await notesIn(folder, doors)) {
      all.push({ in: folder, note, isNewest: folder === above && note.number === newest })
    }
  }
  all.sort((a, b) => Number(b.isNewest) - Number(a.isNewest) || b.note.at.getTime() - a.note.at.getTime())
  let room = mostInAll
  for (const each of all) {
    room -= each.note.bytes
    if (room < 0 && !each.isNewest) await drop(each.in, each.note.number, doors)
  }
}

/**
 * Removes kept work. The one with the highest number leaves an empty folder behind, so that its number, which may still be on
 * the user's screen, is never used for other work.
 */
async function drop(above: string, number: number, doors: RunDoors): Promise<void> {
  const stored = parseJson((await readText(join(above, `${number}`, noteName), doors)) ?? '')
  if (isStored(stored) && stored.left !== undefined) await removeAll([stored.left], '/', doors)
  await empty(join(above, `${number}`), doors)
  if (number < Math.max(...(await numbersIn(above, doors.files)))) {
    await doors.files.removeFolder(join(above, `${number}`))
  }
}

/** Removes `kept.json` first, so that work that is removed in part is never taken for complete. */
async function empty(folder: string, { files }: Doors): Promise<void> {
  await files.remove(join(folder, noteName))
  for (const name of (await files.list(folder)) ?? []) await files.remove(join(folder, name))
}

/** Newest first. Damaged work is not listed; `readKept` says why when the user names it. */
async function notesIn(above: string, doors: Doors): Promise<readonly KeptNote[]> {
  const notes: KeptNote[] = []
  for (const number of await numbersIn(above, doors.files)) {
    const text = await readText(join(above, `${number}`, noteName), doors).catch(() => undefined)
    const stored = parseJson(text ?? '')
    if (isStored(stored)) notes.push(noteOf(number, stored))
  }
  return notes.sort((a, b) => b.number - a.number)
}

async function numbersIn(above: string, files: Doors['files']): Promise<readonly number[]> {
  const { folders = [] } = (await files.listKinds(above)) ?? {}
  return folders.filter(name => /^[1-9]\d{0,8}$/.test(name)).map(Number)
}

function noteOf(number: number, stored: Stored): KeptNote {
  const { id, book, task, title, agent, why, reasoning, at, bytes, left, changes } = stored
  const paths = changes.map(({ path }) => path)
  return { number, id, book, task, title, agent, why, reasoning, at: new Date(at), bytes, left, paths }
}

/** Gives `undefined` where the content is not what relay wrote. */
async function stateOf(state: StoredState, folder: string, { files }: Doors): Promise<PathState | undefined> {
  if (state === null) return null
  if ('link' in state) return { kind: 'link', to: state.link }
  const bytes = await files.read(join(folder, state.file))
  const isWhole = bytes !== null && digest('sha256', bytes) === state.sha256
  return isWhole ? { kind: 'file', bytes, mode: state.mode } : undefined
}

function damaged(number: number, folder: string): RelayError {
  const hint = `What is left of it is in ${folder}`
  return new RelayError('failed', `Kept work ${number} is damaged, and cannot be landed`, { hint })
}

async function readText(path: string, { files }: Doors): Promise<string | undefined> {
  const bytes = await files.read(path)
  return bytes === null ? undefined : Buffer.from(bytes).toString('utf8')
}

/** The real path of a project's kept work; `undefined` where there is none. */
async function placeOf(root: string, { files, stateFolder }: Doors): Promise<string | undefined> {
  if (stateFolder === undefined) return undefined
  return (await files.realPath(folderOf(stateFolder, root))) ?? undefined
}

function folderOf(stateFolder: string, root: string): string {
  return join(stateFolder, 'kept', digest('sha256', root))
}
