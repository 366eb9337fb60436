import { join } from 'node:path'
import { claimsIn } from '../../flows/alone.ts'
import type { ProcessMark, System } from '../../ports.ts'
import { makeFolders, readNote, writeNote } from '../../state-files.ts'
import { runProgram } from '../checkout/program.ts'
import { refuseForeignState } from '../run/run-folder.ts'
import { ownersOf, type Sentence, workFolders } from './work-note.ts'

/** What the user says to a run from another terminal: sentences for its next envelope, and that it is to stop. */

/** A run under way, as it says itself in its mark. */
export interface SteeredRun {
  /** Its work folder. */
  readonly folder: string
  readonly owner: ProcessMark
  /** The file of its mark, which goes when it ends. */
  readonly mark: string
  /** The word by which the user names it. */
  readonly word: string
  /** The name of its book. */
  readonly name: string
}

export async function runsUnderWay(
  root: string,
  system: Pick<System, 'files' | 'shell' | 'stateFolder' | 'uid'>,
): Promise<readonly SteeredRun[]> {
  await refuseForeignState(system)
  const found: SteeredRun[] = []
  for (const folder of await workFolders(system)) {
    for (const { owner, path, about } of await claimsIn(ownersOf(folder), system)) {
      const { word, name } = about
      if (about['root'] === root) found.push({ folder, owner, mark: path, word: String(word), name: String(name) })
    }
  }
  return found
}

/** Whether a run is still under way. */
export async function isGoingOn(
  { owner, mark }: SteeredRun,
  { files, shell }: Pick<System, 'files' | 'shell'>,
): Promise<boolean> {
  return (await files.stat(mark)) !== null && (await shell.lifeOf(owner)) === 'alive'
}

/** Ends a run at once, as Ctrl+C in its terminal does. */
export async function interrupt({ owner }: SteeredRun, system: System): Promise<void> {
  await runProgram(['kill', '-INT', String(owner.pid)], { cwd: '/' }, system)
}

/** Bytes of a file in which nobody may put more than relay does. */
const mostBytes = 100_000
const ending = '.json'
const claimed = '.claimed'

function below(folder: string): string {
  return join(folder, 'said')
}

function pathOf({ id }: Pick<Sentence, 'id'>, folder: string): string {
  return join(below(folder), `${id}${ending}`)
}

/** Leaves a sentence for the next envelope of a run. */
export async function leaveSentence(
  folder: string,
  text: string,
  { files, clock, randomUuid }: Pick<System, 'files' | 'clock' | 'randomUuid'>,
): Promise<Sentence> {
  const sentence = { id: `${clock.now().toISOString().replaceAll(':', '')}-${randomUuid()}`, text }
  await putBack([sentence], folder, { files })
  return sentence
}

/** Leaves sentences that were claimed for the next envelope again. */
export async function putBack(
  sentences: readonly Sentence[],
  folder: string,
  doors: Pick<System, 'files'>,
): Promise<void> {
  if (sentences.length === 0) return
  await makeFolders(below(folder), doors.files)
  for (const { id, text } of sentences) await writeNote(pathOf({ id }, folder), { text }, doors)
}

/** Takes a sentence away again; `false`: a run has claimed it. */
export async function withdrawSentence(
  sentence: Sentence,
  folder: string,
  { files }: Pick<System, 'files'>,
): Promise<boolean> {
  return files.remove(pathOf(sentence, folder))
}

/** The sentences that wait for an envelope, oldest first. Claims none. */
export async function waitingSentences(folder: string, doors: Pick<System, 'files'>): Promise<readonly Sentence[]> {
  const names = ((await doors.files.list(below(folder))) ?? []).toSorted()
  const found = names
    .filter(name => name.endsWith(ending) || name.endsWith(claimed))
    .map(name => readSentence(join(below(folder), name), name, doors))
  return (await Promise.all(found)).flatMap(each => each ?? [])
}

/**
 * Claims the sentences that wait, by a rename each: whoever withdraws one at the same moment has it, or the run has. Call
 * `forgetClaimed` once they are noted elsewhere; a run that is killed before that claims them again.
 */
export async function claimSentences(folder: string, doors: Pick<System, 'files'>): Promise<readonly Sentence[]> {
  const { files } = doors
  for (const name of (await files.list(below(folder))) ?? []) {
    if (name.endsWith(ending)) await files.rename(join(below(folder), name), join(below(folder), `${name}${claimed}`))
  }
  const names = ((await files.list(below(folder))) ?? []).filter(name => name.endsWith(claimed)).toSorted()
  const found = names.map(name => readSentence(join(below(folder), name), name, doors))
  return (await Promise.all(found)).flatMap(each => each ?? [])
}

export async function forgetClaimed(folder: string, { files }: Pick<System, 'files'>): Promise<void> {
  for (const name of (await files.list(below(folder))) ?? []) {
    if (name.endsWith(claimed)) await files.remove(join(below(folder), name))
  }
}

async function readSentence(
  path: string,
  name: string,
  { files }: Pick<System, 'files'>,
): Promise<Sentence | undefined> {
  const note = await readNote(path, { files: { read: each => files.read(each, mostBytes) } })
  const text = note?.['text']
  return typeof text === 'string' ? { id: name.slice(0, name.indexOf(ending)), text } : undefined
}

/** Asks a run to end after the turn that is under way. */
export async function askToStop(folder: string, doors: Pick<System, 'files'>): Promise<void> {
  await writeNote(join(folder, stopName), {}, doors)
}

export async function isAskedToStop(folder: string, { files }: Pick<System, 'files'>): Promise<boolean> {
  return (await files.stat(join(folder, stopName))) !== null
}

/** For a run that begins or has ended: what was asked of another one does not hold for the next. */
export async function forgetStop(folder: string, { files }: Pick<System, 'files'>): Promise<void> {
  await files.remove(join(folder, stopName))
}

const stopName = 'stop.json'
