import { decodeTaskId } from './ids.ts'
import { taskOf } from './names.ts'
import type { RafFile } from './state.ts'

/** What stands in a project's folder, by paths from there; `undefined`: no plain file. */
export type FolderFiles = ReadonlyMap<string, Uint8Array | undefined>

/** What an agent has planned, as far as relay takes it. */
export interface TakenPlan {
  /** New task files, by their names. */
  readonly plans: readonly RafFile[]
  /** The whole text, where it has changed. */
  readonly decisions: string | undefined
  readonly dropped: readonly Dropped[]
}

/** What an agent made that relay does not take. */
export interface Dropped {
  readonly path: string
  /** In a few words; empty: it is nothing of the plan. */
  readonly why: string
}

const decisionsPath = 'decisions.md'

/** What the envelope of a task has room for, in bytes. */
const mostBytes = 200_000

/**
 * Takes from a project's folder, as an agent has left it, the new task files and the decisions, and nothing else. Compared is
 * what the files hold: a task file that was there before stays as it was, and so do outcomes, which would say that a task is done.
 *
 * @param nextId the first id that a new task may have: an older one has an outcome, or had one
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
 * The same as it can come to a project that may have changed since: what the user has written meanwhile stays, and the agent's
 * decisions are added to the user's.
 *
 * @param known the project as the agent was given it
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
  return made.startsWith(known) ? `${home.trimEnd()}\n\n${made.slice(known.length).trimStart()}` : undefined
}

/** Why a changed path is not taken; `undefined`: it is. */
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
