import { basename } from 'node:path'
import { takenBy } from '../../flows/alone.ts'
import { insideOf } from '../../ground/paths.ts'
import type { UnderWay } from '../../model/under-way.ts'
import type { System } from '../../ports.ts'
import { headOf, type RunHead, readRun, runPlaces } from '../run/run-events.ts'
import { type RunningAgent, refuseForeignState, runningAgents } from '../run/run-folder.ts'
import { standOf, untold } from '../run/run-stand.ts'
import { isAskedToStop, waitingSentences } from './steering.ts'
import { ownersOf, placeOfWork, readWorkNote, type WorkNote, workFolders } from './work-note.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'shell'> & Partial<Pick<System, 'uid'>>

/** Work that is under way somewhere on this machine. */
export interface FoundWork extends UnderWay {
  /** The root of its project; for a question, the folder that it is about. */
  readonly root: string
  /** Its work folder; `undefined` for a question, which has none. */
  readonly folder: string | undefined
}

/**
 * All work of agents that is under way, and all that was when its relay was stopped: from the notes of the work, from what each
 * run has written down, and from the processes that live. Changes nothing.
 */
export async function workUnderWay(doors: Doors): Promise<readonly FoundWork[]> {
  await refuseForeignState(doors)
  const [folders, agents] = [await foldersNow(doors), await runningAgents(doors)]
  const runs = folders.some(({ pid }) => pid !== undefined) ? await newestRuns(doors) : []
  const works: FoundWork[] = []
  for (const { folder, note, pid } of folders) {
    const isIts = ({ root, key, process }: FoundRun) => {
      return process.pid === pid && placeOfWork(root, key, doors) === folder
    }
    const run = runs.find(isIts)
    const about = note ?? (run && betweenTasks(run))
    if (about === undefined) continue
    const { root, agent, book, task, attempt, ms, usage } = about
    const agentPid = agents.find(each => isIn(each, folder))?.pid
    const stand = run === undefined ? untold : standOf((await readRun(run.place, doors))?.events ?? [])
    // A run that was stopped has to say again what its last envelope said.
    const said = pid === undefined ? (note?.said ?? []) : []
    const sentences = [...said, ...(await waitingSentences(folder, doors))].map(({ text }) => text)
    const isStopping = pid !== undefined && (await isAskedToStop(folder, doors))
    works.push({ root, folder, agent, book, task, attempt, ms, usage, sentences, isStopping, pid, agentPid, ...stand })
  }
  const asked = agents.filter(({ title }) => title !== undefined)
  return [...works, ...asked.map(questionOf)]
}

/** The work that is under way in a project. */
export async function workIn(root: string, doors: Doors): Promise<readonly FoundWork[]> {
  return (await workUnderWay(doors)).filter(work => insideOf(root, work.root) !== undefined)
}

interface WorkFolder {
  readonly folder: string
  readonly note: WorkNote | undefined
  /** The relay process that works there. */
  readonly pid: number | undefined
}

async function foldersNow(doors: Doors): Promise<readonly WorkFolder[]> {
  const folders = (await workFolders(doors)).map(async folder => {
    return { folder, note: await readWorkNote(folder, doors), pid: await takenBy(ownersOf(folder), doors) }
  })
  return Promise.all(folders)
}

type FoundRun = RunHead & { readonly place: string }

/** The newest first. */
async function newestRuns(doors: Doors): Promise<readonly FoundRun[]> {
  const places = await runPlaces(doors)
  const heads = await Promise.all(places.map(async place => ({ place, head: await headOf(place, doors) })))
  return heads.flatMap(({ place, head }) => (head === undefined ? [] : { ...head, place }))
}

/** No turn has ended yet, or whose it was is not known. */
const unused = { ms: 0, usage: {}, sentences: [], isStopping: false }

/** A run that has no task now: it looks for the next one, or ships its branch. */
function betweenTasks({ root, agent, book }: FoundRun) {
  return { root, agent, book, task: { id: '', title: book }, attempt: 1, ...unused }
}

/** The name of a work folder is a hash, which stands in no other path. */
function isIn({ folder }: RunningAgent, work: string): boolean {
  return folder?.split('/').includes(basename(work)) === true
}

function questionOf({ agent, cwd, title = '', at, relay, pid }: RunningAgent): FoundWork {
  const about = { root: cwd, folder: undefined, agent, book: title, task: { id: '', title }, attempt: 1, ...unused }
  return { ...untold, ...about, pid: relay, agentPid: pid, since: at, step: 'turn' }
}
