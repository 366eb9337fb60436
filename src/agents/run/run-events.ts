import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { type AgeRules, oldAmong } from '../../ground/collections.ts'
import { isRecord, parseJson } from '../../ground/json.ts'
import type { ProcessMark, System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { stateFolderFor } from './run-folder.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'shell' | 'clock' | 'randomUuid' | 'version'>

/** What a run works on. */
export interface RunAbout {
  /** The root of the book's project. */
  readonly root: string
  /** The book: a name for people, and its key. */
  readonly book: string
  readonly key: string
  readonly agent: string
}

/** The first line of a run's events. */
export interface RunHead extends RunAbout {
  readonly at: string
  readonly version: string
  /** The relay process of the run. */
  readonly process: ProcessMark
}

/** One line of the events, as a program gets it with `--json`. */
export type RunEvent = Readonly<Record<string, unknown>> & { readonly event: string; readonly at: string }

export interface RunEvents {
  /** Adds a line, without waiting for the disk. */
  add(line: string, event: string): void
  /** Waits for the disk. */
  close(): Promise<void>
}

/** The number of runs whose events are kept. */
export const mostRuns = 20
/** In bytes: after so much, only what the story of a run needs is added, in a second file. */
const mostBytes = 10 * 1000 * 1000
/** The file with all that happened, and the one that goes on where that is full. */
const names = ['events.ndjson', 'events-2.ndjson'] as const

/** Begins, ends and their reasons. */
const story: ReadonlySet<string> = new Set([
  ...['work-begun', 'work-resumed', 'work-ended', 'attempt-begun', 'attempt-failed', 'task-ended', 'step'],
  ...['agent-answered', 'limit-waited', 'asked', 'answered', 'kept', 'rolled-back', 'held', 'overlap'],
])

/**
 * Keeps on the disk what a run does, as it happens, so that others can look at it: a folder for each run, which outlives it. Is
 * made with the first event, and then only ever added to. What cannot be written ends nothing: the first failure is told, once.
 */
export function keepRunEvents(about: RunAbout, onFailure: (why: string) => void, doors: Doors): RunEvents {
  let place: string | undefined
  let file = 0
  let bytes = 0
  let hasFailed = false
  const append = async (line: string, event: string) => {
    place ??= await makePlace(about, doors)
    if (file === 1 && !story.has(event)) return
    // A line that came to the disk in part must not spoil the next one.
    const text = Buffer.from(`${hasFailed ? '\n' : ''}${line}\n`)
    await doors.files.append(join(place, names[file] ?? names[1]), text, { sync: false })
    bytes += text.length
    if (bytes >= mostBytes) file = 1
  }
  let writing = Promise.resolve()
  return {
    add(line, event) {
      writing = writing
        .then(() => append(line, event))
        .catch((error: Error) => {
          if (!hasFailed) onFailure(error.message)
          hasFailed = true
        })
    },
    close: () => writing,
  }
}

/** Makes the folder of a run with the first line of its events, and removes the oldest folders. */
async function makePlace(about: RunAbout, doors: Doors): Promise<string> {
  const { files, shell, clock, randomUuid, version } = doors
  const above = await makeFolders(runsFolder(doors), files)
  const at = clock.now().toISOString()
  const place = join(above, `${at.replace(/\.\d+Z$/, 'Z').replaceAll(/[-:]/g, '')}-${randomUuid()}`)
  await files.makeFolder(place, 0o700)
  const head = { event: 'run', at, ...about, process: await shell.self(), version }
  await files.append(join(place, names[0]), Buffer.from(`${JSON.stringify(head)}\n`), { sync: false })
  // What cannot be removed is no reason not to go on.
  await dropOldRuns(doors).catch(() => undefined)
  return place
}

async function dropOldRuns(doors: Doors): Promise<void> {
  const places = await runPlaces(doors)
  for (const place of places.slice(mostRuns)) {
    const head = await headOf(place, doors)
    if (head === undefined || (await doors.shell.lifeOf(head.process)) === 'dead') await dropRun(place, doors)
  }
}

export interface OldRun {
  readonly place: string
  readonly bytes: number
}

/** The runs of a project that these rules remove, newest first; none that goes on. */
export async function oldRuns(root: string, rules: AgeRules, doors: Doors): Promise<readonly OldRun[]> {
  const runs: (OldRun & { readonly at: Date; readonly head: RunHead })[] = []
  for (const place of await runPlaces(doors)) {
    const run = await readRun(place, doors)
    if (run?.head.root === root) runs.push({ place, bytes: run.bytes, at: new Date(run.head.at), head: run.head })
  }
  const old: OldRun[] = []
  for (const { place, bytes, head } of oldAmong(runs, rules)) {
    if ((await doors.shell.lifeOf(head.process)) === 'dead') old.push({ place, bytes })
  }
  return old
}

/** Removes the events of a run. */
export async function dropRun(place: string, { files }: Pick<Doors, 'files'>): Promise<void> {
  for (const name of (await files.list(place)) ?? []) await files.remove(join(place, name))
  await files.removeFolder(place)
}

function runsFolder(doors: Pick<Doors, 'stateFolder'>): string {
  return join(stateFolderFor(doors), 'runs')
}

/** The folders of all runs, newest first. */
export async function runPlaces(doors: Pick<Doors, 'files' | 'stateFolder'>): Promise<readonly string[]> {
  if (doors.stateFolder === undefined) return []
  const above = runsFolder(doors)
  const { folders = [] } = (await doors.files.listKinds(above)) ?? {}
  return folders
    .toSorted()
    .toReversed()
    .map(name => join(above, name))
}

/** What a run is about; `undefined` where that cannot be read. */
export async function headOf(place: string, doors: Pick<Doors, 'files'>): Promise<RunHead | undefined> {
  const bytes = await doors.files.read(join(place, names[0])).catch(() => null)
  const line = bytes?.subarray(0, bytes.indexOf(10)) ?? new Uint8Array()
  const head = eventIn(new TextDecoder().decode(line))
  return isHead(head) ? head : undefined
}

/** A run with all its events so far. A line that was not written whole is left out. */
export async function readRun(
  place: string,
  { files }: Pick<Doors, 'files'>,
): Promise<{ readonly head: RunHead; readonly events: readonly RunEvent[]; readonly bytes: number } | undefined> {
  const found = await Promise.all(names.map(name => files.read(join(place, name)).catch(() => null)))
  const texts = found.map(bytes => (bytes === null ? '' : new TextDecoder().decode(bytes)))
  const [head, ...events] = texts.flatMap(text => text.split('\n')).flatMap(line => eventIn(line) ?? [])
  if (!isHead(head)) return undefined
  return { head, events, bytes: found.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) }
}

function eventIn(line: string): RunEvent | undefined {
  const found = line === '' ? undefined : parseJson(line)
  return isRecord(found) && typeof found['event'] === 'string' ? (found as RunEvent) : undefined
}

function isHead(found: RunEvent | undefined): found is RunEvent & RunHead {
  return found?.event === 'run' && isRecord(found['process']) && typeof found['root'] === 'string'
}
