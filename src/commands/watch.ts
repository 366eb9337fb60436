import { RelayError } from '../errors.ts'
import type { Outcome, Project, SignalName } from '../model.ts'
import { parseResponse } from '../parse/parse-response.ts'
import { titleOf } from '../plan/title.ts'
import type { ClipboardBackEnd, System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { isTrackedByGit, trackedNote } from '../project/tracked-by-git.ts'
import { type RelayOptions, relay } from '../relay.ts'
import { bannerLines } from '../report/banner-lines.ts'
import { errorLines } from '../report/error-lines.ts'
import type { WatchEvent } from '../report/event-json.ts'
import { noteLines } from '../report/note-lines.ts'
import type { Style } from '../report/style.ts'
import { idleLine, untakenLine } from '../report/watch-lines.ts'
import type { Copied } from '../source/watch-clipboard.ts'
import { hashOperations } from '../transact/hash.ts'
import { Journal } from '../transact/journal.ts'
import { layoutOf } from '../transact/layout.ts'
import { withLock } from '../transact/lock.ts'
import { recover } from '../transact/recover.ts'
import { ensureStateFolder } from '../transact/state-folder.ts'
import { announceWatcher } from '../transact/watchers.ts'
import { confirmCommands, type TrustOptions } from './confirm-commands.ts'
import { copyIfWished } from './copy-follow-up.ts'
import { Desk } from './desk.ts'
import { exitCodeOf, exitCodeOfSignal } from './exit-code.ts'
import { createReload } from './reload-project.ts'
import { isScreen, sayOutcome } from './say-outcome.ts'
import { settleHeld } from './settle-held.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'
import { createTalk } from './talk.ts'
import { createWatchEvents, type WatchEvents } from './watch-events.ts'
import { offerWayOut, type WayOut } from './way-out.ts'

export interface WatchOptions extends TrustOptions {
  /** Tell a program what happens as well. */
  readonly json?: boolean
}

type WatchTalk = ReturnType<typeof createTalk>

/** The way that every response is tried first. */
const asCopied: RelayOptions = {}

/**
 * `relay watch`: takes each patch that is copied, one after the other in the order of copying, until Ctrl+C.
 *
 * Looking at the clipboard goes on while a patch is handled or asked about. Nothing that a response does ends the
 * watch, and neither does a clipboard that fails.
 */
export async function watch(system: System, options: WatchOptions = {}): Promise<number> {
  const { terminal, interruption } = system
  const style = styleOf(terminal)
  const events = createWatchEvents(system, options.json === true)
  const talk = events.around(createTalk(system, {}, isScreen(terminal) ? 'screen' : 'log', () => project))
  const loaded = await loadProject(system)
  let { project } = loaded
  // First of all: where others have a say, they decide what a recovery restores.
  await confirmCommands(project, system, options)
  await recoverFirst(project, system, talk, options)
  const backEnd = await system.clipboard.backEnd(project.config.clipboard)
  await showBanner(project, backEnd, system, style)
  showNotes(loaded.notes, system)
  if (await isTrackedByGit(project.root, system.files)) showNotes([trackedNote], system)

  if (backEnd.kind === 'none' && !(terminal.canAsk && !terminal.piped)) throw nothingToWatch(backEnd)
  const leave = await announceWatcher(layoutOf(project.root), system)
  const stop = new AbortController()
  const stopped = AbortSignal.any([interruption, stop.signal])
  const desk = new Desk({ ...system, interruption: stopped }, style, events, () => project)
  const reload = createReload(system)
  const copying = desk.receive(backEnd)
  // Awaited below; until then a defect in it must not end the process in the middle of a transaction.
  copying.catch(() => undefined)
  await Promise.race([desk.watches, copying])
  terminal.err(idleLine(style))
  events.say(await watchingEvent(project, backEnd, system))
  let code = 0
  let untaken = 0
  for await (const copied of desk.queue) {
    if (stopped.aborted) {
      untaken += 1
      continue
    }
    project = await reload(project)
    if (interruption.aborted) {
      untaken += 1
      continue
    }
    let outcome: Outcome | undefined
    for (let way: WayOut = asCopied; way !== undefined; ) {
      desk.busy = true
      outcome = await take(copied, project, system, talk, style, events, way)
      talk.close()
      await copyIfWished(outcome, project, system)
      desk.busy = false
      // Left open with `q`: nothing else may be written before it is settled.
      if (outcome?.kind === 'held') stop.abort()
      const isOver = outcome === undefined || stopped.aborted
      way = isOver ? undefined : await offerWayOut(outcome, project, system, style, desk.queue.arrival())
    }
    if (stopped.aborted) code = outcome?.kind === 'rolled-back' || outcome?.kind === 'held' ? exitCodeOf(outcome) : 0
    else if (isScreen(terminal)) terminal.err(idleLine(style))
  }
  await copying
  await leave()
  if (untaken > 0) terminal.err(untakenLine(untaken, style))
  events.say({ event: 'stopped', signal: interruption.aborted ? String(interruption.reason) : null, untaken })
  return code !== 0 || interruption.reason === 'SIGINT' || !interruption.aborted
    ? code
    : exitCodeOfSignal(interruption.reason as SignalName)
}

/** Takes one response; `undefined` when it was set aside without a word of its own. */
async function take(
  { response, initial }: Copied,
  project: Project,
  system: System,
  talk: WatchTalk,
  style: Style,
  events: WatchEvents,
  way: RelayOptions,
): Promise<Outcome | undefined> {
  const { terminal } = system
  try {
    if (initial && way === asCopied && !(await isWanted(response.text, project, system, talk))) return undefined
    const outcome = await relay(response, project, system, talk, way)
    sayOutcome(outcome, response.source, project.config.projectId, system, style, events)
    return outcome
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    for (const line of errorLines(error, style)) terminal.err(line)
    events.say({ event: 'error', kind: error.kind, message: error.message, hint: error.hint ?? null })
    return undefined
  }
}

async function watchingEvent(
  { config, root }: Project,
  { name }: ClipboardBackEnd,
  { shell, version }: System,
): Promise<WatchEvent> {
  const { pid } = await shell.self()
  return { event: 'watching', version, projectId: config.projectId, root, pid, clipboard: name }
}

/** What was on the clipboard before watching began is offered, never applied by itself; a known patch is passed over. */
async function isWanted(text: string, project: Project, system: System, talk: WatchTalk): Promise<boolean> {
  const parsed = parseResponse(text, project.config.projectId)
  if (parsed.kind !== 'patch') return true
  const { patch } = parsed
  const journal = await Journal.open(layoutOf(project.root), system.files)
  const operations = hashOperations(patch.operations)
  if ((await journal.lookUp(patch.control.uuid, operations))?.operations === operations) return true
  return (await talk.ask({ kind: 'offered', title: titleOf(patch), operations: patch.operations })) === 'yes'
}

async function recoverFirst(project: Project, system: System, talk: WatchTalk, options: TrustOptions): Promise<void> {
  const layout = layoutOf(project.root)
  await ensureStateFolder(layout, system.files)
  await settleHeld(project, system, talk, options)
  await withLock(layout, system, talk, () => recover(layout, system.files, system, talk))
  talk.close()
}

async function showBanner(
  project: Project,
  backEnd: ClipboardBackEnd,
  { clock, files, home, terminal, version }: System,
  style: Style,
): Promise<void> {
  const journal = await Journal.open(layoutOf(project.root), files)
  const last = journal.lastCommitted()
  const lines = bannerLines(
    {
      version,
      project,
      home,
      clipboard: backEnd,
      last: last === undefined ? undefined : { number: last.number, at: new Date(last.at) },
      now: clock.now(),
    },
    style,
  )
  for (const line of lines) terminal.err(line)
  const none = `No clipboard here: ${backEnd.why}. Paste each answer into this window.`
  const caution = backEnd.kind === 'none' ? none : backEnd.caution
  if (caution !== undefined) for (const line of noteLines(caution, style)) terminal.err(line)
}

function nothingToWatch({ why }: ClipboardBackEnd): RelayError {
  return new RelayError('environment', `Nothing to watch: no clipboard here (${why}), and no terminal to paste into`, {
    hint: 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.',
  })
}
