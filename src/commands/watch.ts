import { RelayError } from '../errors.ts'
import { judgeRecovery } from '../flows/judge-recovery.ts'
import { relay } from '../flows/relay.ts'
import type { RelayOptions } from '../flows/understood-answer.ts'
import type { Project } from '../model/project.ts'
import type { Outcome } from '../model/talk.ts'
import type { ClipboardBackEnd, System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { isTrackedByGit, trackedNote } from '../project/tracked-by-git.ts'
import type { WatchEvent } from '../report/json/event-json.ts'
import { bannerLines } from '../report/screens/banner-lines.ts'
import { idleLine, queuedLine, untakenLine } from '../report/screens/watch-lines.ts'
import type { Copied } from '../source/watch-clipboard.ts'
import { layoutOf } from '../transact/layout/layout.ts'
import { ensureRelayFolder } from '../transact/layout/relay-folder.ts'
import { withLock } from '../transact/lock/lock.ts'
import { recover } from '../transact/recover/recover.ts'
import { askingProject } from './follow-up/asking-project.ts'
import { copyIfWished } from './follow-up/copy-follow-up.ts'
import { committerFor } from './open/committer.ts'
import { lastKept } from './open/last-kept.ts'
import { readJournal } from './open/read-journal.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmCommands, type TrustOptions } from './talk/confirm-commands.ts'
import { exitCodeOf, exitCodeOfInterruption } from './talk/exit-code.ts'
import { createReload, type Reload } from './talk/reload-project.ts'
import { sayTrouble } from './talk/say-failure.ts'
import { sayOutcome } from './talk/say-outcome.ts'
import { showNotes } from './talk/show-notes.ts'
import { isScreen, styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'
import { createWatchEvents } from './talk/watch-events.ts'
import { accept, offersFor, offerWayOut, showOffers } from './talk/way-out.ts'
import { tellUser } from './talk/with-waiting-mark.ts'
import { type Announced, announce } from './watch/announce.ts'
import { Inbox, type OpenOffer, type Pressed, type Wished } from './watch/inbox.ts'
import { isWanted } from './watch/is-wanted.ts'
import { offerDelegation } from './watch/offer-delegation.ts'
import { type Pressing, pressIdleKey } from './watch/press-idle-key.ts'

interface WatchOptions extends TrustOptions {
  /** Tell a program what happens as well. */
  readonly json?: boolean
}

/** What the turns of a watcher have in common. */
interface Watcher extends Pressing {
  /** As it was at the last turn that needed it. */
  project: Project
  readonly talk: ReturnType<typeof createTalk>
  readonly reload: Reload
  /** Ends watching, as the user wants it. */
  readonly stop: AbortController
  /** Watching ends: by that, or since relay is interrupted. */
  readonly stopped: AbortSignal
}

/** The way that every response is tried first. */
const asCopied: RelayOptions = {}

/**
 * `relay watch`: takes each patch that is copied, one after the other in the order of copying, until Ctrl+C.
 *
 * Looking at the clipboard goes on while a patch is handled or asked about. Nothing that a response does ends the
 * watch, and neither does a clipboard that fails.
 */
export async function watch(system: System, options: WatchOptions): Promise<number> {
  const { terminal } = system
  const { project, notes } = await loadProject(system)
  const watcher = createWatcher(project, system, options)
  // First of all: where others have a say, they decide what a recovery restores.
  await confirmCommands(project, system, options)
  await recoverFirst(project, system, watcher.talk, options)
  const backEnd = await system.clipboard.backEnd(project.config.clipboard)
  if (backEnd.kind === 'none' && !canType(terminal)) throw nothingToWatch(backEnd)
  await showBanner(project, backEnd, system)
  showNotes(notes, system)
  if (await isTrackedByGit(project.root, system.files)) showNotes([trackedNote], system)

  const mark = await announce(project, system)
  showNotes(mark.notes, system)
  const { inbox, events } = watcher
  const copying = inbox.receive(backEnd)
  // Awaited below; until then a defect in it must not end the process in the middle of a transaction.
  copying.catch(() => undefined)
  await Promise.race([inbox.watches, copying])
  terminal.err(idleLine(styleOf(terminal)))
  events.say(await watchingEvent(project, backEnd, system))
  const { code, untaken } = await takeOneByOne(watcher, mark, copying)
  if (untaken > 0) terminal.err(untakenLine(untaken, styleOf(terminal)))
  const { aborted, reason } = system.interruption
  events.say({ event: 'stopped', signal: aborted ? String(reason) : null, untaken })
  const isByOthers = aborted && reason !== 'SIGINT'
  return code === 0 && isByOthers ? exitCodeOfInterruption(system) : code
}

function createWatcher(project: Project, system: System, { json }: WatchOptions): Watcher {
  const events = createWatchEvents(system, json === true)
  const stop = new AbortController()
  const stopped = AbortSignal.any([system.interruption, stop.signal])
  const latest = () => watcher.project
  /** Above each question stands how many answers wait behind it. */
  const withQueue = (talk: Watcher['talk']): Watcher['talk'] => ({
    ...talk,
    ask: question => {
      const { waiting } = watcher.inbox.queue
      if (waiting > 0) system.terminal.err(queuedLine(waiting, undefined, styleOf(system.terminal)))
      return talk.ask(question)
    },
  })
  const watcher: Watcher = {
    project,
    system,
    events,
    stop,
    stopped,
    talk: events.around(withQueue(createTalk(system, latest, {}, isScreen(system.terminal) ? 'screen' : 'log'))),
    inbox: new Inbox({ ...system, interruption: stopped }, events, latest),
    reload: createReload(system),
  }
  return watcher
}

/** Does one thing after the other until watching ends; `untaken`: so many patches came too late for that. */
async function takeOneByOne(watcher: Watcher, mark: Announced, copying: Promise<void>) {
  const { inbox, stop, stopped } = watcher
  let [code, untaken] = [0, 0]
  try {
    for await (const current of inbox.queue) {
      inbox.current = current
      const end = await takeTurn(current, watcher)
      inbox.current = undefined
      if (end === 'too late') {
        if (isCopied(current)) untaken++
        continue
      }
      await mark.renew()
      // Left open with `q`: nothing else may be written before it is settled.
      if (end === 'quit' || end?.kind === 'held') stop.abort()
      if (stopped.aborted) code = codeAtStop(end)
      else if (!isOldNews(current, end)) rest(watcher)
    }
    await copying
  } finally {
    // Whatever went wrong: nothing goes on behind the words about it.
    stop.abort()
    await mark.remove()
  }
  return { code, untaken }
}

/** Says that nothing is under way any more, unless something waits. */
function rest({ inbox }: Watcher): void {
  if (inbox.queue.waiting === 0) inbox.sayIdle()
}

/** Does what was copied or pressed, by the project as it is by now; `too late` once watching ends. */
async function takeTurn(
  current: Copied | Wished | Pressed,
  watcher: Watcher,
): Promise<Outcome | 'quit' | 'too late' | undefined> {
  const { system, events, stopped } = watcher
  const next = !stopped.aborted && needsProject(current) ? await watcher.reload(watcher.project) : watcher.project
  if (stopped.aborted) return 'too late'
  if (next instanceof RelayError) {
    sayTrouble(nothingDone(next, current), system, events)
    return undefined
  }
  watcher.project = next
  if (!isCopied(current)) return pressKey(current.key, watcher)
  watcher.inbox.offer = undefined
  if (!('wish' in current)) return takeCopied(current, asCopied, watcher)
  await takeWish(current, watcher)
  return undefined
}

/** Answers that are copied meanwhile come first, and the question after them. */
async function takeWish(current: Wished, watcher: Watcher): Promise<void> {
  const { queue } = watcher.inbox
  const wish = await offerDelegation(current.wish, { ...watcher, arrival: queue.arrival() })
  if (wish !== undefined) queue.addLate({ ...current, wish })
}

function isCopied(current: Copied | Wished | Pressed): current is Copied | Wished {
  return 'response' in current
}

/** Only these run what the project brings, and go by its configuration. */
function needsProject(current: Copied | Pressed): boolean {
  return isCopied(current) || takesBack(current)
}

function takesBack({ key }: Pressed): boolean {
  return ['u', 'r'].includes(key.toLowerCase())
}

/** What had its turn while the configuration could not be read, and so cannot be judged: it says how to go on. */
function nothingDone(why: RelayError, current: Copied | Pressed): RelayError {
  const again = isCopied(current)
    ? againWords[current.response.source === 'paste' ? 'paste' : 'copy']
    : againKey(current)
  const hint = [why.hint ?? [], `Then ${again.how}.`].flat().join('\n')
  return new RelayError(why.kind, `${again.what}: ${why.message}`, { hint, cause: why })
}

const againWords = {
  copy: { what: 'The answer was not applied', how: 'copy the answer again, or run `relay apply`' },
  paste: { what: 'The answer was not applied', how: 'paste the answer again' },
} as const

function againKey({ key }: Pressed) {
  const done = key.toLowerCase() === 'u' ? 'undone' : 'redone'
  return { what: `Nothing was ${done}`, how: `press ${key.toLowerCase()} again` }
}

/** A key of the offer comes before the same key of a watcher that waits. */
async function pressKey(key: string, watcher: Watcher): Promise<Outcome | 'quit' | undefined> {
  const { inbox, system } = watcher
  const open = inbox.offer
  const offer = open?.offers.find(each => each.key === key.toLowerCase())
  if (open === undefined || offer === undefined) return pressIdleKey(key, watcher)
  const isOver = await accept(offer, system)
  if (isOver || offer.options !== undefined) inbox.offer = undefined
  if (offer.options === undefined) return undefined
  inbox.current = open.copied
  return takeCopied(open.copied, { ...open.way, ...offer.options }, watcher)
}

/** Takes a response, and then in another way if the user wants that, until its turn is over. */
async function takeCopied(copied: Copied, first: RelayOptions, watcher: Watcher): Promise<Outcome | undefined> {
  const { inbox, project, system, talk, stopped } = watcher
  for (let way = first; ; ) {
    const outcome = await take(copied, way, watcher)
    talk.close()
    await copyIfWished(outcome, project, system)
    if (outcome === undefined || outcome.kind === 'held' || stopped.aborted) return outcome
    // What is copied meanwhile does not wait behind anything: it ends the offer.
    inbox.current = undefined
    const offers = offersFor(outcome, project)
    if (inbox.hasKeys && offers.length > 0) {
      await openOffer({ copied, way, offers }, watcher)
      return outcome
    }
    const next = await offerWayOut(outcome, way, projectFor(way, project), system, inbox.queue.arrival())
    if (next === undefined) return outcome
    way = next
    inbox.current = copied
  }
}

/** Nothing was written, so nothing has to be asked: the offer adds its keys to those of a watcher that waits. */
async function openOffer(offer: OpenOffer, { inbox, project, system }: Watcher): Promise<void> {
  // What waits already would end it at once.
  if (inbox.queue.waiting > 0) return
  inbox.offer = offer
  showOffers(offer.offers, system)
  // Who wants no questions wants no bell either.
  if (project.config.approval === 'never') return
  const over = await tellUser(project, undefined, system)
  over()
}

/** Takes one response; `undefined` when it was set aside without a word of its own. */
async function take(copied: Copied, way: RelayOptions, watcher: Watcher): Promise<Outcome | undefined> {
  const { inbox, project: before, system, events, talk, reload } = watcher
  const { response, initial } = copied
  const isOffered = initial && way === asCopied
  try {
    if (isOffered && !(await isWanted(response.text, before, system, talk))) return undefined
    // An offer may have stood there for hours.
    const project = isOffered || way !== asCopied ? await reload(before) : before
    if (system.interruption.aborted) return undefined
    if (project instanceof RelayError) throw nothingDone(project, copied)
    const committer = await committerFor(project, system, talk)
    const outcome = await relay(response, projectFor(way, project), system, talk, way, committer)
    const { hasKeys } = inbox
    const willAsk = system.terminal.canAsk && project.config.approval !== 'never'
    const about = { source: response.source, projectId: project.config.projectId, hasKeys, willAsk }
    if (isOldNews(copied, outcome)) events.ended(outcome)
    else sayOutcome(outcome, about, system, events)
    return outcome
  } catch (error) {
    sayTrouble(error, system, events)
    return undefined
  }
}

function projectFor({ asks }: RelayOptions, project: Project): Project {
  return asks === true ? askingProject(project) : project
}

/** What has had its turn is still on the clipboard when watching begins: nobody has copied it again. */
function isOldNews(current: Copied | Pressed, end: Outcome | 'quit' | undefined): boolean {
  return isCopied(current) && current.initial && typeof end === 'object' && end.kind === 'skipped'
}

/** What was under way when watching was ended says how it ended. */
function codeAtStop(end: Outcome | 'quit' | undefined): number {
  if (end === undefined || end === 'quit') return 0
  return end.kind === 'rolled-back' || end.kind === 'held' ? exitCodeOf(end) : 0
}

async function watchingEvent(
  { config, root }: Project,
  { name }: ClipboardBackEnd,
  { shell, version }: System,
): Promise<WatchEvent> {
  const { pid } = await shell.self()
  return { event: 'watching', version, projectId: config.projectId, root, pid, clipboard: name }
}

async function recoverFirst(
  project: Project,
  system: System,
  talk: Watcher['talk'],
  options: TrustOptions,
): Promise<void> {
  const layout = layoutOf(project.root, system.files)
  await ensureRelayFolder(layout)
  await resumeHeldFirst(project, system, talk, options)
  await withLock(layout, system, talk, () => recover(layout, system, talk, { judge: judgeRecovery(project.config) }))
  talk.close()
}

async function showBanner(project: Project, backEnd: ClipboardBackEnd, system: System): Promise<void> {
  const { clock, home, terminal, version } = system
  const style = styleOf(terminal)
  const layout = layoutOf(project.root, system.files)
  const journal = await readJournal(project, system)
  const lines = bannerLines(
    {
      version,
      project,
      home,
      clipboard: { kind: backEnd.kind, name: backEnd.name, isAway: (await backEnd.isThere?.()) === false },
      last: await lastKept(journal, layout),
      hasKeys: canType(terminal),
      now: clock.now(),
    },
    style,
  )
  for (const line of lines) terminal.err(line)
  const none = `No clipboard here: ${backEnd.why}. Paste each answer into this window.`
  const caution = backEnd.kind === 'none' ? none : backEnd.caution
  if (caution !== undefined) showNotes([caution], { terminal })
}

/** Into the window itself: a question that is answered elsewhere is not enough. */
function canType({ canAsk, piped }: System['terminal']): boolean {
  return canAsk && !piped
}

function nothingToWatch({ why }: ClipboardBackEnd): RelayError {
  return new RelayError('environment', `Nothing to watch: no clipboard here (${why}), and no terminal to paste into`, {
    hint: 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.',
  })
}
