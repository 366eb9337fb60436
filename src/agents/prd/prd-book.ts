import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Book } from '../../model/book.ts'
import { printMarker } from '../../model/marker.ts'
import type { PathState } from '../../model/plan.ts'
import type { Story } from '../../model/prd.ts'
import type { AttemptFacts, Settled, Task, TaskEnd, Turned } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { storyEnvelope } from '../envelope/story-envelope.ts'
import { replaceUsersFile } from '../work/replace-users-file.ts'
import { stateAt, textAt, writeCopy } from '../work/user-files.ts'
import { type LoopPaths, prdOf, readPrdAt } from './loop-files.ts'
import { forgetLoop, type LoopTexts, noteLoop, readLoopNote, type SettledTexts } from './loop-note.ts'
import { loopPrompt } from './loop-prompt.ts'
import { mergePrd } from './merge-prd.ts'
import { mergeProgress, withEntry } from './merge-progress.ts'
import { minimalEntry } from './minimal-entry.ts'
import { inOrder, nextStory } from './next-story.ts'
import { type PrdFile, readPrd, setStory } from './prd-file.ts'
import { agentsEntry } from './progress-entry.ts'
import { progressHeader } from './progress-header.ts'
import { splitProgress } from './split-progress.ts'
import { takeAgentsChanges } from './take-agents-changes.ts'

/** A prd.json, and where its stories land. */
interface PrdBookParts {
  /** The project's root in the user's folder. */
  readonly root: string
  readonly paths: LoopPaths
  /** relay's own folder for this loop. */
  readonly folder: string
  /** The path of the copy of this run's prd.json: the user replaces the file before the next run. */
  readonly lastPrd: string
  readonly branch: string
  /** Stories land in the user's folder, not on a branch elsewhere. */
  readonly isHere: boolean
  /** The loop's files that git ignores: relay copies them to the agent and back, and never commits them. */
  readonly ignored: ReadonlySet<string>
  /** Commands that an agent may run. */
  readonly allow: readonly string[] | 'any'
}

type Doors = Pick<System, 'files' | 'clock'>

/** The number of attempts in a row without progress that ends a loop. */
const mostIdle = 3

/**
 * A prd.json as a book: its tasks are the user stories, the lowest priority number first, each until it passes.
 *
 * The files in the user's folder are authoritative. An agent gets copies, and its permitted changes are merged, by story and
 * key, with the user's changes since then. Only relay marks a story as passed.
 */
export function prdBook(parts: PrdBookParts, doors: Doors): Book {
  return new PrdBook(parts, doors)
}

/** The book's key: another branch, or another place to land, is another loop. */
export function loopKey({ paths, branch, isHere }: Pick<PrdBookParts, 'paths' | 'branch' | 'isHere'>): string {
  return ['loop', paths.prd, branch, ...(isHere ? ['here'] : [])].join(' ')
}

class PrdBook implements Book {
  readonly name: string
  readonly key: string
  readonly tasks = undefined
  readonly #parts: PrdBookParts
  readonly #doors: Doors
  /** The agent's folder. */
  #cwd = ''
  /** The state of the work after the last attempt, and how many attempts in a row have not changed it. */
  #stood: string | undefined
  #idle = 0

  constructor(parts: PrdBookParts, doors: Doors) {
    this.name = parts.paths.prd
    this.key = loopKey(parts)
    this.#parts = parts
    this.#doors = doors
  }

  async next(ended: readonly TaskEnd[]): Promise<Task | undefined> {
    const { prd } = await this.#usersPrd()
    const story = nextStory(prd)
    // A failed story would come first again, and the following ones may build on it.
    if (story === undefined || ended.some(({ task, result }) => result.kind === 'failed' && task.id === story.id)) {
      return undefined
    }
    return { id: story.id, title: story.title }
  }

  async isWanted({ id }: Task): Promise<boolean> {
    return (await this.#usersPrd()).prd.stories.some(story => story.id === id && !story.passes)
  }

  owns(path: string): boolean {
    return Object.values(this.#parts.paths).includes(path)
  }

  async envelope({ id }: Task, facts: AttemptFacts): Promise<string> {
    const { root, paths, folder, allow } = this.#parts
    const { cwd } = facts
    this.#cwd = cwd
    const users = await this.#usersPrd()
    const given = { prd: users.text, progress: await this.#usersProgress() }
    const earlier = await this.#takenBack(id, users, given)
    await noteLoop(folder, { story: id, given }, this.#doors)
    await writeCopy(join(cwd, paths.prd), earlier.prd, this.#doors)
    await writeCopy(join(cwd, paths.progress), earlier.progress, this.#doors)
    this.#stood ??= standing(given.prd, await this.#notesOf(id), [])
    const prompt = (await textAt(join(root, paths.prompt), this.#doors)) ?? loopPrompt
    return envelopeOf(storyOf(id, users), { paths, allow, texts: earlier, prompt, facts })
  }

  /** The user's files, with the agent's notes from an attempt that did not count: they may help the next attempt. */
  async #takenBack(id: string, users: PrdFile, given: LoopTexts): Promise<LoopTexts> {
    const note = await readLoopNote(this.#parts.folder, this.#doors)
    if (note?.story !== id) return given
    const [old, theirs] = [parsed(note.given.prd), await this.#agentsTexts()]
    if (old === undefined) return given
    const { file } = takeAgentsChanges(old, theirs.prd === undefined ? undefined : readPrd(theirs.prd), id)
    const entry = agentsEntry(note.given.progress, theirs.progress ?? note.given.progress)
    return {
      prd: mergePrd(old, file, users).file.text,
      progress: entry === '' ? given.progress : withEntry(given.progress, entry),
    }
  }

  async settle(task: Task, turn: Turned, changes: readonly AgentChange[], facts: AttemptFacts): Promise<Settled> {
    const { folder, paths } = this.#parts
    const { id } = task
    this.#cwd = facts.cwd
    if (turn.marker === 'FAILED' || turn.marker === 'BLOCKED') return { kind: 'not-done', why: saysNo(turn) }
    const note = await readLoopNote(folder, this.#doors)
    const others = changes.filter(({ path }) => !this.owns(path))
    // They instruct the agents that come after, and tell relay what was done.
    const dropped = [paths.prompt, paths.lastBranch].filter(path => changes.some(each => each.path === path))
    // The story was settled before relay was stopped, and may have landed since.
    const known = note?.story === id ? note.settled : undefined
    const settled = known ?? (await this.#settledNow(task, turn, note?.story === id ? note.given : undefined, others))
    if (typeof settled === 'string') return { kind: 'not-done', why: settled }
    if (settled === undefined) {
      return { kind: 'not-done', why: `${id} is not in ${paths.prd} any more, or passes already.`, isFinal: true }
    }
    const [title, message] = [`${id} - ${task.title}`, `feat: ${oneLine(`${id} - ${task.title}`)}`]
    const all = [...others, ...(await this.#filesThatLand(settled, changes))]
    return { kind: 'done', changes: all, title, message, own: [paths.prd, paths.progress], dropped }
  }

  /**
   * The loop's own files as they land. A string: why the attempt does not count. `undefined`: the story is no longer wanted.
   */
  async #settledNow(
    task: Task,
    { marker }: Turned,
    given: LoopTexts | undefined,
    others: readonly AgentChange[],
  ): Promise<SettledTexts | string | undefined> {
    const { folder, paths } = this.#parts
    const { id } = task
    if (!(await this.isWanted(task))) return undefined
    const usersPrd = await this.#usersPrd()
    const users = { prd: usersPrd.text, progress: await this.#usersProgress() }
    const before = given ?? users
    const old = parsed(before.prd) ?? usersPrd
    const theirs = await this.#agentsTexts()
    const taken = takeAgentsChanges(old, theirs.prd === undefined ? undefined : readPrd(theirs.prd), id)
    if (!taken.saysPasses && marker !== 'COMPLETE') {
      const said = `The agent neither set "passes" of ${id} to true in ${paths.prd}, nor said ${printMarker('COMPLETE')}.`
      return [said, ...taken.putBack.map(what => `Put back in ${paths.prd}: ${what}`)].join('\n')
    }
    // An agent whose story was already done says so in one of the two files.
    if (!taken.saysPasses && others.length === 0 && agentsEntry(before.progress, theirs.progress ?? '') === '') {
      return `The agent says that ${id} is done, and has changed no file. If it was done before, say so in ${paths.progress}.`
    }
    const passing = setStory(taken.file, id, { passes: true }) ?? taken.file
    const files = others.map(({ path }) => path)
    const otherwise = minimalEntry({ at: this.#doors.clock.now(), storyId: id, what: task.title, files })
    const sides = { before: before.progress, after: theirs.progress, users: users.progress, otherwise }
    const lands = { prd: mergePrd(old, passing, usersPrd).file.text, progress: mergeProgress(sides) }
    await noteLoop(folder, { story: id, given: before, settled: { users, lands } }, this.#doors)
    return { users, lands }
  }

  /** The changes to prd.json and progress.txt, each based on the file in the place where it lands. */
  async #filesThatLand(
    { users, lands }: SettledTexts,
    changes: readonly AgentChange[],
  ): Promise<readonly AgentChange[]> {
    const { root, paths, isHere, ignored } = this.#parts
    const all: AgentChange[] = []
    for (const name of ['prd', 'progress'] as const) {
      const path = paths[name]
      // A file that git ignores is in no commit: `write` puts it into the user's folder.
      if (ignored.has(path)) continue
      const there = await stateAt(join(isHere ? root : this.#cwd, path), this.#doors)
      const own = changes.find(change => change.path === path)
      const base = isHere ? fileWith(users[name], there) : own === undefined ? there : own.base
      const made = fileWith(lands[name], base)
      if (!isSame(base, made)) all.push({ path, base, made })
    }
    return all
  }

  async write({ task, result }: TaskEnd): Promise<void> {
    const { folder, lastPrd } = this.#parts
    const note = await readLoopNote(folder, this.#doors)
    if (result.kind !== 'failed') this.#stood = undefined
    this.#idle = 0
    if (result.kind !== 'failed' && note?.story === task.id && note.settled !== undefined) {
      await this.#mergePrd(note.settled)
      await this.#mergeProgress(note.settled)
    }
    const { text } = await this.#usersPrd()
    await writeCopy(lastPrd, text, this.#doors)
    await forgetLoop(folder, this.#doors)
  }

  async #mergePrd({ users, lands }: SettledTexts): Promise<void> {
    const { root, paths } = this.#parts
    const [base, theirs] = [parsed(users.prd), parsed(lands.prd)]
    if (base === undefined || theirs === undefined) return
    const merged = (text: string | undefined) =>
      mergePrd(base, theirs, this.#ofThisLoop(prdOf(paths.prd, text))).file.text
    await replaceUsersFile(join(root, paths.prd), merged, this.#doors)
  }

  async #mergeProgress({ users, lands }: SettledTexts): Promise<void> {
    const { root, paths } = this.#parts
    const entry = agentsEntry(users.progress, lands.progress).trim()
    const sides = { before: users.progress, after: lands.progress, otherwise: '' }
    const merged = (text: string = progressHeader(this.#doors.clock.now())) => {
      const isThere = text.includes(entry) && text !== users.progress
      return isThere ? text : mergeProgress({ ...sides, users: text })
    }
    await replaceUsersFile(join(root, paths.progress), merged, this.#doors)
  }

  /**
   * Ends the loop after three attempts in a row that changed neither files nor the story: the next would only cost money.
   * Notes in progress.txt do not count as work.
   */
  async stuck({ id }: Task, why: string, changes: readonly AgentChange[]): Promise<string | undefined> {
    const { stands, idle } = await this.#standsAfter(id, changes)
    this.#stood = stands
    this.#idle = idle
    if (idle < mostIdle) return undefined
    return `${id} made no progress ${mostIdle} times in a row: ${why}`
  }

  async isStuckAfter({ id }: Task, changes: readonly AgentChange[]): Promise<boolean> {
    return (await this.#standsAfter(id, changes)).idle >= mostIdle
  }

  async #standsAfter(id: string, changes: readonly AgentChange[]) {
    const others = changes.filter(({ path }) => !this.owns(path))
    const stands = standing((await this.#usersPrd()).text, await this.#notesOf(id), others)
    return { stands, idle: stands === this.#stood ? this.#idle + 1 : 0 }
  }

  async #notesOf(id: string): Promise<string> {
    const { prd } = await this.#agentsTexts()
    const read = prd === undefined ? undefined : parsed(prd)
    return read?.prd.stories.find(story => story.id === id)?.notes ?? ''
  }

  async #usersPrd(): Promise<PrdFile> {
    const { root, paths } = this.#parts
    return this.#ofThisLoop(await readPrdAt(root, paths.prd, this.#doors))
  }

  /** Throws `conflict` where the user has begun with another branch. */
  #ofThisLoop(file: PrdFile): PrdFile {
    const { paths, branch } = this.#parts
    const now = file.prd.branchName
    if (now === branch) return file
    throw new RelayError('conflict', `"branchName" of ${paths.prd} is ${now || 'empty'} now, and was ${branch}`, {
      hint: 'Run `relay loop` again for the other branch.',
    })
  }

  async #usersProgress(): Promise<string> {
    const { root, paths } = this.#parts
    return (await textAt(join(root, paths.progress), this.#doors)) ?? progressHeader(this.#doors.clock.now())
  }

  /** The agent's copies; `undefined` for one that is gone, or is no file any more. */
  async #agentsTexts(): Promise<{ readonly prd: string | undefined; readonly progress: string | undefined }> {
    const { paths } = this.#parts
    const textOf = (path: string) => textAt(join(this.#cwd, path), this.#doors).catch(() => undefined)
    return { prd: await textOf(paths.prd), progress: await textOf(paths.progress) }
  }
}

interface ToTell {
  readonly paths: LoopPaths
  readonly allow: PrdBookParts['allow']
  readonly texts: LoopTexts
  readonly prompt: string
  readonly facts: AttemptFacts
}

function envelopeOf(story: Story, { paths, allow, texts, prompt, facts }: ToTell): string {
  const { above, patterns, below } = splitProgress(texts.progress)
  return storyEnvelope({
    prompt,
    story,
    prd: { path: paths.prd, text: texts.prd },
    progress: { path: paths.progress, patterns, log: above + below },
    allow,
    facts,
  })
}

/** The stories that do not pass, in order, each with the size of its envelope in a first attempt. */
export async function storiesToCome(
  { root, paths, allow }: Pick<PrdBookParts, 'root' | 'paths' | 'allow'>,
  doors: Doors,
): Promise<readonly (Task & { readonly bytes: number })[]> {
  const { text, prd } = await readPrdAt(root, paths.prd, doors)
  const texts = { prd: text, progress: (await textAt(join(root, paths.progress), doors)) ?? '' }
  const prompt = (await textAt(join(root, paths.prompt), doors)) ?? loopPrompt
  const facts = { cwd: root, attempt: 1, before: [], isResumed: false }
  return inOrder(prd)
    .filter(({ passes }) => !passes)
    .map(story => ({
      id: story.id,
      title: story.title,
      bytes: Buffer.byteLength(envelopeOf(story, { paths, allow, texts, prompt, facts })),
    }))
}

function storyOf(id: string, { prd }: PrdFile): Story {
  const story = inOrder(prd).find(each => each.id === id)
  if (story === undefined) throw new RelayError('conflict', `${id} is not in the prd.json any more`)
  return story
}

function parsed(text: string): PrdFile | undefined {
  const read = readPrd(text)
  return read.kind === 'prd' ? read.file : undefined
}

function saysNo({ marker, text }: Turned): string {
  const reason = /^\W*Reason:\s*(.+)$/im.exec(text)?.[1]?.trim()
  const what = marker === 'BLOCKED' ? 'that something is missing' : 'that it cannot be done'
  return `The agent says ${what}${reason === undefined ? '.' : `: ${reason}`}`
}

/** A hash of the state of the work: two equal ones mean that nothing has changed. */
function standing(prd: string, notes: string, changes: readonly AgentChange[]): string {
  const files = changes.map(({ path, made }) => [
    path,
    made?.kind,
    made?.kind === 'file' ? made.mode : made?.to,
    digestOf(made),
  ])
  return digest('sha256', JSON.stringify([prd, notes, files.toSorted()]))
}

function digestOf(state: PathState): string {
  return state?.kind === 'file' ? digest('sha256', state.bytes) : ''
}

function fileWith(text: string, base: PathState): PathState {
  return { kind: 'file', bytes: new TextEncoder().encode(text), mode: base?.kind === 'file' ? base.mode : 0o644 }
}

function isSame(one: PathState, other: PathState): boolean {
  return one?.kind === 'file' && other?.kind === 'file' && Buffer.from(one.bytes).equals(other.bytes)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
