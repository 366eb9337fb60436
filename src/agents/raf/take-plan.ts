import { decodeTaskId } from './ids.ts'
import { taskOf } from './names.ts'
import type { RafFile } from './state.ts'

/** The files of a project's folder, by relative path; `undefined`: not a plain file. */
export type FolderFiles = ReadonlyMap<string, Uint8Array | undefined>

/** The part of an agent's plan that relay accepts. */
export interface TakenPlan {
  /** New task files. */
  readonly plans: readonly RafFile[]
  /** The whole text, if it has changed. */
  readonly decisions: string | undefined
  readonly dropped: readonly Dropped[]
}

/** A file of the agent that relay does not accept. */
export interface Dropped {
  readonly path: string
  /** A few words; empty: the file is no part of a plan. */
  readonly why: string
}

const decisionsPath = 'decisions.md'

/** The size in bytes that the envelope of a task has room for. */
const mostBytes = 200_000

/**
 * Accepts from a project's folder, as an agent left it, the new task files and the decisions, and nothing else. Contents are
 * compared: an existing task file stays as it was, and so do outcomes, which would mark a task as done.
 *
 * @param nextId the first id for a new task: earlier ids have or had outcomes
 */
export function takePlan(before: FolderFiles, now: FolderFiles, nextId: string): TakenPlan {
  const paths = [...new Set([...before.keys(), ...now.keys()])].toSorted()
  const changed = paths.filter(path => before.has(path) !== now.has(path) || !isSame(before.get(path), now.get(path)))
  const judged = changed.map(path => ({ path, why: whyNot(path, before, now, nextId) }))
  const taken = judged.flatMap(({ path, why }) =>
    why === undefined ? [{ path, text: textOf(now.get(path)) ?? '' }] : [],
  )
  return {
    plans: taken.flatMap(({ path, text }) => {
      const name = planNameIn(path)
      return name === undefined ? [] : [{ name, text }]
    }),
    decisions: taken.find(({ path }) => path === decisionsPath)?.text,
    dropped: judged.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }])),
  }
}

/**
 * Fits an accepted plan to a project that may have changed since: the user's new files stay, and the agent's decisions
 * are appended to the user's.
 *
 * @param known the project as the agent got it
 * @param home the project as it is now
 */
export function takenBeside(
  { plans, decisions, dropped }: TakenPlan,
  known: { readonly decisions: string },
  home: { readonly plans: readonly RafFile[]; readonly decisions: string },
): TakenPlan {
  const isOther = ({ name, text }: RafFile) => home.plans.some(each => each.name === name && each.text !== text)
  const merged = decisions === undefined ? undefined : addedTo(home.decisions, known.decisions, decisions)
  const mine = plans.filter(isOther).map(({ name }) => `plans/${name}`)
  const all = [...mine, ...(decisions !== undefined && merged === undefined ? [decisionsPath] : [])]
  return {
    plans: plans.filter(plan => !isOther(plan)),
    decisions: merged,
    dropped: [...dropped, ...all.map(path => ({ path, why: 'there is another one by now' }))],
  }
}

function addedTo(home: string, known: string, made: string): string | undefined {
  if (home === known) return made
  if (!made.startsWith(known)) return undefined
  const behind = made.slice(known.length).trimStart()
  // A relay run that was stopped may have added them already.
  return home.endsWith(behind) ? home : `${home.trimEnd()}\n\n${behind}`
}

/** Why a changed path is not accepted; `undefined` when it is. */
function whyNot(path: string, before: FolderFiles, now: FolderFiles, nextId: string): string | undefined {
  if (!now.has(path)) return 'it stays'
  if (path === decisionsPath) return whyNoText(now.get(path))
  if (before.has(path)) return 'it stays as it was'
  return whyNoTask(planNameIn(path), now.get(path), nextId)
}

function planNameIn(path: string): string | undefined {
  return /^plans\/([^/]+)$/.exec(path)?.[1]
}

function whyNoTask(name: string | undefined, bytes: Uint8Array | undefined, nextId: string): string | undefined {
  if (name === undefined) return ''
  const id = taskOf(name)?.id
  if (id === undefined) return 'a task file is called <id>-<name>.md'
  if ((decodeTaskId(id) ?? 0) < (decodeTaskId(nextId) ?? 0)) return `its id has to be ${nextId} or a later one`
  return whyNoText(bytes)
}

function whyNoText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return 'it is no plain file'
  if (bytes.length > mostBytes) return `it has more than ${mostBytes / 1000} kB`
  return textOf(bytes) === undefined ? 'it is no text in UTF-8' : undefined
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
