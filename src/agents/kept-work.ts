import { join } from 'node:path'
import { asError, RelayError } from '../errors.ts'
import { digest } from '../ground/digest.ts'
import { isShape, isText, isWhole, listOf } from '../ground/is-shape.ts'
import { parseJson } from '../ground/parse-json.ts'
import { makeFolders, writeNote } from '../kept-outside.ts'
import type { AboutKept, KeptNote } from '../model/kept.ts'
import type { MadeChange } from '../model/made.ts'
import type { PathState } from '../model/plan.ts'
import type { System } from '../ports.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'clock'>

/** Which kept work may go. */
export interface KeptRules {
  readonly before?: Date
  /** What is more than this; the oldest go first. */
  readonly mostBytes?: number
  /** So many of the newest stay. */
  readonly most?: number
}

/** What of a project is kept by itself. */
const mostOfProject = 50
/** The same in all projects together, in bytes. */
const mostInAll = 1_000_000_000
/** Characters of what an agent said. */
const mostSaid = 20_000
/** What has no `kept.json` after so long was never finished: milliseconds. */
const longEnough = 60 * 60 * 1000
const noteName = 'kept.json'

/**
 * Keeps what an agent made and did not come home, outside of every project, and gives the number under which it can be
 * landed; `undefined` where nothing was changed. Older work makes room.
 *
 * What is kept under its `id` already is not kept again. `kept.json` comes last, in one step: without it a folder is no kept
 * work. Throws a `RelayError` where it could not be kept, for the caller to show: the run goes on.
 */
export async function keepWork(
  root: string,
  about: AboutKept,
  changes: readonly MadeChange[],
  doors: Doors,
): Promise<number | undefined> {
  if (changes.length === 0) return undefined
  if (doors.stateFolder === undefined) {
    throw new RelayError('environment', 'There is no home folder to keep the work in', { hint: 'Set HOME.' })
  }
  try {
    const above = await makeFolders(folderOf(doors.stateFolder, root), doors.files)
    const kept = about.id === undefined ? undefined : (await notesIn(above, doors)).find(({ id }) => id === about.id)
    if (kept !== undefined) return kept.number
    const { number, folder } = await nextFolder(above, doors)
    await write(folder, root, about, changes, doors).catch(async error => {
      await empty(folder, doors).catch(() => undefined)
      throw error
    })
    // What cannot be cleared up is no reason to say that this was not kept.
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

/** All kept work of a project that can be landed, newest first. */
export async function listKept(root: string, doors: Doors): Promise<readonly KeptNote[]> {
  const above = await placeOf(root, doors)
  return above === undefined ? [] : notesIn(above, doors)
}

export const noKeptWork = 'No agent has left work here.'

/** One kept work with what was made. Throws a `usage` where there is none of this number. */
export async function readKept(
  root: string,
  number: number,
  doors: Doors,
): Promise<{ readonly note: KeptNote; readonly changes: readonly MadeChange[] }> {
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
  const changes: MadeChange[] = []
  for (const { path, base, made } of stored.changes) {
    const states = [await stateOf(base, folder, doors), await stateOf(made, folder, doors)] as const
    if (states[0] === undefined || states[1] === undefined) throw damaged(number, folder)
    changes.push({ path, base: states[0], made: states[1] })
  }
  return { note: noteOf(number, stored), changes }
}

/** Removes kept work for good. */
export async function dropKept(root: string, number: number, doors: Doors): Promise<void> {
  const above = await placeOf(root, doors)
  if (above !== undefined) await drop(above, number, doors)
}

/** Which kept work of a project goes by these rules, the newest first. */
export async function oldKept(root: string, rules: KeptRules, doors: Doors): Promise<readonly KeptNote[]> {
  return oldOf(await listKept(root, doors), rules)
}

/** Removes what goes by these rules. */
export async function pruneKept(root: string, rules: KeptRules, doors: Doors): Promise<void> {
  for (const { number } of await oldKept(root, rules, doors)) await dropKept(root, number, doors)
}

/** A side of a change as `kept.json` has it. */
type StoredState =
  | null
  | { readonly link: string }
  | { readonly file: string; readonly mode: number; readonly sha256: string }

interface Stored extends AboutKept {
  readonly version: 1
  readonly root: string
  readonly at: string
  readonly bytes: number
  readonly changes: readonly { readonly path: string; readonly base: StoredState; readonly made: StoredState }[]
}

const isLink = isShape<{ link: string }>({ link: isText })
const isFile = isShape<{ file: string; mode: number; sha256: string }>({
  // It is a name in the folder, and leads nowhere else.
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
  changes: readonly MadeChange[],
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
    changes: stored,
  }
  await writeNote(join(folder, noteName), note, { files })
  await files.sync(folder)
}

/** A folder of its own under the next number: of two that keep at the same time each gets another. */
async function nextFolder(above: string, { files }: Doors): Promise<{ number: number; folder: string }> {
  for (let number = Math.max(0, ...(await numbersIn(above, files))) + 1; ; number += 1) {
    const folder = join(above, `${number}`)
    if (await files.makeFolder(folder, 0o700)) {
      await files.sync(above)
      return { number, folder }
    }
  }
}

/** What a killed relay never finished goes. What is young may still become kept work, of a relay that runs beside this one. */
async function clearUnfinished(above: string, newest: number, doors: Doors): Promise<void> {
  const { files, clock } = doors
  for (const number of await numbersIn(above, files)) {
    if (number === newest || (await files.stat(join(above, `${number}`, noteName))) !== null) continue
    const age = clock.now().getTime() - ((await files.stat(join(above, `${number}`)))?.modifiedMs ?? 0)
    if (age > longEnough) await drop(above, number, doors)
  }
}

/** Work that is more than is kept goes. The newest stays, however large it is. */
async function makeRoom(above: string, newest: number, doors: Doors): Promise<void> {
  for (const { number } of oldOf(await notesIn(above, doors), { most: mostOfProject })) await drop(above, number, doors)
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

function oldOf(notes: readonly KeptNote[], { before, mostBytes, most }: KeptRules): readonly KeptNote[] {
  let bytes = 0
  return notes.filter((note, index) => {
    bytes += note.bytes
    const isTooOld = before !== undefined && note.at < before
    return isTooOld || (most !== undefined && index >= most) || (mostBytes !== undefined && bytes > mostBytes)
  })
}

/** The newest leaves its empty folder behind: nobody who still has its number on the screen gets other work for it. */
async function drop(above: string, number: number, doors: Doors): Promise<void> {
  await empty(join(above, `${number}`), doors)
  if (number < Math.max(...(await numbersIn(above, doors.files)))) {
    await doors.files.removeFolder(join(above, `${number}`))
  }
}

/** What makes it kept work goes first: half of it is never taken for the whole. */
async function empty(folder: string, { files }: Doors): Promise<void> {
  await files.remove(join(folder, noteName))
  for (const name of (await files.list(folder)) ?? []) await files.remove(join(folder, name))
}

/** Newest first. What cannot be read is not listed: whoever names it is told why. */
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
  const { id, book, task, title, agent, why, reasoning, at, bytes, changes } = stored
  const paths = changes.map(({ path }) => path)
  return { number, id, book, task, title, agent, why, reasoning, at: new Date(at), bytes, paths }
}

/** `undefined`: its content is not what was written. */
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

/** Where the kept work of a project really is; `undefined` where there is none. */
async function placeOf(root: string, { files, stateFolder }: Doors): Promise<string | undefined> {
  if (stateFolder === undefined) return undefined
  return (await files.realPath(folderOf(stateFolder, root))) ?? undefined
}

function folderOf(stateFolder: string, root: string): string {
  return join(stateFolder, 'kept', digest('sha256', root))
}
