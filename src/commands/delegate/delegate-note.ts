import { resolve } from 'node:path'
import { editNote, ownersOfNote, readNoteFile } from '../../agents/session/edit-note.ts'
import { headAround } from '../../agents/session/note-head.ts'
import { type NoteLine, readNote, withSession, withState } from '../../agents/session/note-lines.ts'
import {
  createSession,
  isUnbegun,
  isUnderWay,
  type KnownSession,
  listSessions,
  removeSession,
  sessionsAtWork,
  tidySessions,
} from '../../agents/session/sessions.ts'
import { bringBackSaved } from '../../agents/work/replace-users-file.ts'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import type { Project } from '../../model/project.ts'
import { mostSessions, type Session, shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { noteState, stateWords } from '../../report/agents/session-lines.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import { indented } from '../../report/text/hanging.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { askKey } from '../talk/ask-key.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { sayFailure } from '../talk/say-failure.ts'
import { showNotes } from '../talk/show-notes.ts'
import { styleOf } from '../talk/style-of.ts'
import { createWatchEvents, type WatchEvents } from '../talk/watch-events.ts'
import { agentNamesOf, newSession, projectAt, type ReadyDelegation, readyFor } from './new-session.ts'
import type { DelegateOptions } from './options.ts'
import { handOver } from './start-apart.ts'

type Wish = Extract<NoteLine, { kind: 'wish' }>

/** How often relay looks at the note, in milliseconds. */
const rhythm = 1000

/**
 * `relay delegate --note`: carries out each line that ends with ` /claude` in the background. Keeps the lines up to date until
 * all are done, or with `--watch` until Ctrl+C. Sessions under way go on without this run, and the next run finds them.
 */
export async function delegateNote(given: string, options: DelegateOptions, system: System): Promise<number> {
  const path = await system.files.realPath(resolve(system.cwd, given))
  if (path === null) throw new RelayError('usage', `There is no note ${resolve(system.cwd, given)}`)
  const project = await projectAt(options.gitDir, system)
  const leave = await takeAlone(await ownersOfNote(path, system), given, system)
  try {
    await bringBackSaved(path, system)
    const events = createWatchEvents(system, options.json === true)
    return await new Note(path, project, options, events, system).follow()
  } finally {
    await leave()
  }
}

/**
 * Which lines may start: those that the user agreed to. What stands in the note at the start is shown first, since it may have
 * come with a clone. A line that is written while relay watches starts by itself, but not one that came with another commit.
 */
class Approval {
  readonly #path: string
  readonly #options: ApprovalOptions
  readonly #system: System
  readonly #answers = new Map<string, 'yes' | 'no'>()
  /** Those of the last look: git changes the files first, and the commit that is checked out a moment later. */
  #earlier = new Set<string>()
  #head: string | undefined

  constructor(path: string, options: ApprovalOptions, system: System) {
    this.#path = path
    this.#options = options
    this.#system = system
  }

  /** `isOpen`: for some it is too early to tell. */
  async of(wishes: readonly Wish[]): Promise<{ readonly begun: readonly Wish[]; readonly isOpen: boolean }> {
    const open = wishes.filter(wish => !this.#answers.has(keyOf(wish)))
    const isFirst = this.#head === undefined
    const head = open.length > 0 || isFirst ? await headAround(this.#path, this.#system) : this.#head
    const isMoved = !isFirst && head !== undefined && head !== this.#head
    if (head !== undefined) {
      this.#head = head
      const ripe = isFirst || isMoved ? open : open.filter(wish => this.#earlier.has(keyOf(wish)))
      const answer = isFirst || isMoved ? await this.#ask(ripe, isMoved) : 'yes'
      for (const wish of ripe) this.#answers.set(keyOf(wish), answer)
    }
    this.#earlier = new Set(wishes.map(keyOf))
    return {
      begun: wishes.filter(wish => this.#answers.get(keyOf(wish)) === 'yes'),
      isOpen: wishes.some(wish => !this.#answers.has(keyOf(wish))),
    }
  }

  async #ask(wishes: readonly Wish[], isMoved: boolean): Promise<'yes' | 'no'> {
    const { terminal } = this.#system
    if (wishes.length === 0 || this.#options.yes === true) return 'yes'
    const style = styleOf(terminal)
    const what = wishes.length === 1 ? 'this line starts an agent' : `these ${wishes.length} lines start agents`
    showNotes([isMoved ? `${what}, and came with another commit` : what], this.#system)
    for (const { text, agent } of wishes) {
      for (const line of indented(visibleLine(`${text} /${agent}`), style)) terminal.err(line)
    }
    const keys = [
      ['y', wishes.length === 1 ? 'start it' : 'start them'],
      ['n', 'start none of them'],
    ] as const
    if ((await askKey('Start? (y/n/?)', keys, this.#options, terminal)) === 'y') return 'yes'
    if (this.#options.watch !== true) throw notStarted(terminal)
    showNotes(['not started; `relay delegate --note … --yes` starts them'], this.#system)
    return 'no'
  }
}

type ApprovalOptions = Pick<DelegateOptions, 'yes' | 'watch'> & { readonly singleKey: boolean }

function keyOf({ agent, text }: Wish): string {
  return `${agent}\0${text}`
}

function notStarted({ canAsk, whyUnasked }: System['terminal']): RelayError {
  const why = whyUnasked === undefined ? '' : ` (${whyUnasked})`
  return new RelayError('declined', 'No line of the note was started', {
    hint: canAsk
      ? 'Take out the lines that you do not want.'
      : `Nobody could be asked${why}. Look at the lines, and add \`--yes\`.`,
  })
}

class Note {
  readonly #path: string
  readonly #project: Project
  readonly #options: DelegateOptions
  readonly #events: WatchEvents
  readonly #system: System
  readonly #ready = new Map<string, ReadyDelegation | 'not'>()
  /** The last state shown for each session. */
  readonly #said = new Map<string, string>()
  readonly #approval: Approval
  #code = 0

  constructor(path: string, project: Project, options: DelegateOptions, events: WatchEvents, system: System) {
    this.#path = path
    this.#project = project
    this.#options = options
    this.#events = events
    this.#system = system
    this.#approval = new Approval(path, { ...options, singleKey: project.config.singleKey }, system)
  }

  async follow(): Promise<number> {
    const { clock, interruption } = this.#system
    await tidySessions(this.#system)
    for (;;) {
      const isBusy = await this.#look()
      if (interruption.aborted) {
        showNotes(['what is under way goes on: `relay delegate list`'], this.#system)
        return exitCodeOfInterruption(this.#system)
      }
      if (!isBusy && this.#options.watch !== true) return this.#code
      await clock.sleep(rhythm, interruption)
    }
  }

  /** Looks once at the note and its sessions. Gives whether anything is still to come. */
  async #look(): Promise<boolean> {
    const text = await this.#read()
    if (text === undefined) return true
    const lines = readNote(text, agentNamesOf(this.#project))
    const sessions = await listSessions(this.#system)
    let isBusy = false
    for (const line of lines) {
      if (line.kind === 'session' && (await this.#update(line, sessions))) isBusy = true
    }
    const known = new Set(lines.flatMap(line => (line.kind === 'session' ? line.shortId : [])))
    const wishes = lines.filter(line => line.kind === 'wish')
    const { begun, isOpen } = await this.#approval.of(wishes)
    if (isOpen) isBusy = true
    for (const line of begun) {
      if (await this.#begin(line, known)) isBusy = true
      if (this.#system.interruption.aborted) return true
    }
    return isBusy
  }

  /** The note's text; `undefined` while an editor replaces the file, because it is missing for a moment. */
  async #read(): Promise<string | undefined> {
    try {
      return await readNoteFile(this.#path, this.#system)
    } catch (error) {
      const isGone = (await this.#system.files.stat(this.#path)) === null
      if (!isGone || !(await this.#system.files.stays(this.#path, found => found === null))) return undefined
      throw error
    }
  }

  /** Writes the state of a session into its line. Gives whether the session is under way. */
  async #update(line: Extract<NoteLine, { kind: 'session' }>, sessions: readonly KnownSession[]): Promise<boolean> {
    if (line.isFinished) return false
    const known = sessions.find(({ session }) => shortId(session) === line.shortId)
    if (known === undefined) {
      // A failed line says why already.
      if (!line.state.startsWith('Error: ')) await this.#change(line.shortId, 'Error: Session interrupted')
      return false
    }
    const { session } = known
    if (isUnbegun(session) && session.note?.path === this.#path) {
      await handOver(known, this.#system)
      return true
    }
    const state = noteState(session)
    if (state !== line.state) await this.#change(line.shortId, state)
    this.#say(session)
    if (session.status === 'error') this.#code = exitCodeByKind.agent
    return isUnderWay(session)
  }

  async #change(id: string, state: string): Promise<void> {
    await editNote(this.#path, text => withState(text, { shortId: id, state }), this.#system)
  }

  /** Begins a session for a line. Gives whether it is under way, or waits for others. */
  async #begin(wish: Wish, known: Set<string>): Promise<boolean> {
    const ready = await this.#readyFor(wish.agent)
    if (ready === 'not') return false
    const earlier = await this.#sessionOf(wish, known)
    if (earlier !== undefined && isUnderWay(earlier.session)) return this.#write(wish, earlier, known)
    if ((await sessionsAtWork(this.#system)).length >= mostSessions) return true
    const made = earlier ?? (await this.#make(wish, ready))
    if (made === undefined) return true
    if (!(await this.#write(wish, made, known))) {
      // The user removed the line at this moment.
      if (!this.#system.interruption.aborted) await removeSession(made, this.#system)
      return false
    }
    await handOver(made, this.#system)
    this.#say(made.session)
    return true
  }

  /** Replaces a line by its session. Gives whether the line was still there. */
  #write(wish: Wish, { session }: KnownSession, known: Set<string>): Promise<boolean> {
    const status = isUnderWay(session) ? session.status : 'initializing'
    const replaced = { shortId: shortId(session), state: noteState({ ...session, status }) }
    known.add(replaced.shortId)
    return editNote(this.#path, text => withSession(text, wish, replaced), this.#system)
  }

  /**
   * A session of this line that the note does not show: an editor saved an old text over it, or an earlier relay run made it
   * and did not write it down.
   */
  async #sessionOf(wish: Wish, known: ReadonlySet<string>): Promise<KnownSession | undefined> {
    return (await listSessions(this.#system)).find(({ session }) => {
      const { note, agent } = session
      const isIts = note?.path === this.#path && note.text === wish.text && agent === wish.agent
      return isIts && (isUnderWay(session) || isUnbegun(session)) && !known.has(shortId(session))
    })
  }

  async #make(wish: Wish, ready: ReadyDelegation): Promise<KnownSession | undefined> {
    const line = { path: this.#path, text: wish.text }
    const session = await newSession({ ...this.#options, text: wish.text, ready, line }, this.#system)
    try {
      return await createSession(session, this.#system)
    } catch (error) {
      // Other sessions took the last free place.
      if (error instanceof RelayError && error.kind === 'environment') return undefined
      throw error
    }
  }

  /** Checks an agent's needs once, before its first line. Where something is missing, its lines stay as they are. */
  async #readyFor(agent: string): Promise<ReadyDelegation | 'not'> {
    const known = this.#ready.get(agent)
    if (known !== undefined) return known
    const ready = await readyFor(this.#project, { ...this.#options, agent }, this.#system).catch(error => {
      this.#code = sayFailure(error, this.#system)
      return 'not' as const
    })
    this.#ready.set(agent, ready)
    return ready
  }

  #say(session: Session): void {
    const state = stateWords(session)
    if (this.#said.get(session.id) === state) return
    this.#said.set(session.id, state)
    this.#events.say({ event: 'session', ...sessionJson(session) })
    const url = session.prUrl === undefined ? '' : `: ${session.prUrl}`
    this.#system.terminal.err(`${shortId(session)}  ${state}${url}`)
  }
}
