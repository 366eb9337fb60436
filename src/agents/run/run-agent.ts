import { basename, isAbsolute, resolve } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type {
  AgentEnd,
  AgentEvent,
  AgentRequest,
  AgentSettings,
  AgentStatus,
  Marker,
  TurnEnd,
} from '../../model/agent.ts'
import { lastMarker, markerOfWork } from '../../model/marker.ts'
import type { System } from '../../ports.ts'
import type { Backend } from '../backends/backend.ts'
import { agentEnv, keptFor } from './guard.ts'
import { keepEvent } from './keep-event.ts'
import { emptyFolder, openRunFolder } from './run-folder.ts'

export interface TurnOptions {
  readonly system: System
  /** How deep this agent is nested. */
  readonly depth: number
  /** Seconds: for the whole turn, without a sign of life, and after the agent has said that it is done. */
  readonly timeout: number
  readonly silence: number
  readonly grace: number
  /** Ends the turn when a limit of the whole run is reached; its reason says which one. */
  readonly limit?: AbortSignal
  /** Set when the agent works in a checkout: no process that it started goes on there. `tmp` is for its temporary files. */
  readonly checkout?: { readonly folder: string; readonly tmp: string }
  /** Where to look up the program, instead of the PATH that it gets. */
  readonly path?: string | undefined
  onEvent(event: AgentEvent): void
}

/**
 * Runs an agent on one request. The run ends by itself, or relay ends it: the time is over, the agent gives no sign of
 * life or cannot log in, or relay is interrupted. Processes that the agent started end with it. Output after the
 * agent's end event is ignored.
 *
 * Throws only when nothing can be started at all.
 */
export async function runAgent(backend: Backend, request: AgentRequest, options: TurnOptions): Promise<TurnEnd> {
  const { system } = options
  const start = backend.build(request, await settingsFor(backend, request, system))
  const folder = await openRunFolder(start.files ?? {}, system)
  const placed = (text: string) => text.replaceAll('{folder}', folder.path).replaceAll('{run}', basename(folder.path))
  const kept = await keptFor(backend, system)
  const tmp = options.checkout === undefined ? {} : { TMPDIR: options.checkout.tmp }
  const turn = new Turn(backend, request.cwd, options)
  const about = { agent: backend.name, cwd: request.cwd, title: request.title, folder: options.checkout?.folder }
  let isKept = false
  try {
    const running = await system.programs.start(start.argv.map(placed), {
      cwd: start.inEmptyFolder === true ? emptyFolder(folder) : request.cwd,
      env: agentEnv(system.env, options.depth, { ...tmp, ...mapped(start.env, placed) }, kept),
      stdin: start.stdin,
      // The turn looks at its limits itself, so that what the program says to the signal is not taken for its end.
      timeLimit: Number.POSITIVE_INFINITY,
      signal: turn.stop.signal,
      path: options.path,
      folder: options.checkout?.folder,
      onStart: (group, entry) => folder.note(group, entry, about),
      onLine: (line, from) => {
        folder.log(line, from)
        turn.take(line, from)
      },
    })
    const watching = turn.watch()
    const end = await running.ended
    turn.settled.abort()
    await watching
    isKept = await folder.close()
    return { ...turn.end(end), marker: turn.marker, log: isKept ? folder.path : undefined }
  } finally {
    turn.settled.abort()
    if (!isKept) await folder.close()
  }
}

/** What decides how the agent is started, beside the request. A file that cannot be read is none for its program, either. */
async function settingsFor(
  backend: Backend,
  { confirmed = [] }: AgentRequest,
  { env, home, files }: System,
): Promise<AgentSettings> {
  const paths = home === undefined ? [] : (backend.userFiles?.(env) ?? []).map(path => resolve(home, path))
  const found = await Promise.all(paths.map(path => files.read(path).catch(() => null)))
  const users = found.flatMap(bytes => (bytes === null ? [] : [new TextDecoder().decode(bytes)]))
  return { env, users, confirmed }
}

function mapped(texts: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))
}

/** Why relay ended a turn. */
type Stopped = Extract<AgentStatus, 'timeout' | 'over-limit' | 'stalled' | 'auth' | 'interrupted'>

/** Characters of the end of stderr that are kept: at least this many, at most twice as many. */
const mostKept = 64 * 1024

/** Milliseconds between two checks of the limits. */
const stepMs = 1000

/** The state of a running turn. */
class Turn {
  readonly stop = new AbortController()
  /** Aborts when the program has ended, so that nothing waits for it any longer. */
  readonly settled = new AbortController()
  readonly #backend: Backend
  readonly #cwd: string
  readonly #options: TurnOptions
  readonly #markers = new MarkerReader()
  readonly #began: number
  #events: readonly AgentEvent[] = []
  #stderr = ''
  #lastSign: number
  #endedAt: number | undefined
  #stopped: Stopped | undefined

  constructor(backend: Backend, cwd: string, options: TurnOptions) {
    this.#backend = backend
    this.#cwd = cwd
    this.#options = options
    this.#began = options.system.clock.monotonic()
    this.#lastSign = this.#began
    const { interruption } = options.system
    const interrupt = () => this.#stopFor('interrupted')
    interruption.addEventListener('abort', interrupt, { signal: this.settled.signal })
    if (interruption.aborted) interrupt()
    options.limit?.addEventListener('abort', () => this.#stopFor('over-limit'), { signal: this.settled.signal })
  }

  get marker() {
    return this.#markers.last
  }

  take(line: string, from: 'out' | 'err'): void {
    if (this.#endedAt !== undefined) return
    const { clock } = this.#options.system
    this.#lastSign = clock.monotonic()
    // What a program answers to a signal of relay's is no answer, but what it has used is paid for.
    const isStopped = this.stop.signal.aborted
    const events = this.#backend.read(line, from, clock.now()).filter(({ kind }) => !isStopped || kind === 'usage')
    if (from === 'err' && !isStopped) this.#keepError(line)
    for (const event of events) this.#add(seenFrom(this.#cwd, event))
  }

  #add(event: AgentEvent): void {
    this.#events = keepEvent(this.#events, event)
    if (event.kind === 'text') this.#markers.read(event.text, event.whole === true)
    if (event.kind === 'tool') this.#markers.read('', true)
    this.#options.onEvent(event)
    if (event.kind === 'end') this.#endedAt = this.#options.system.clock.monotonic()
    if (event.kind === 'retry' && event.isLogin === true) this.#stopFor('auth')
  }

  #keepError(line: string): void {
    const all = `${this.#stderr}${line.slice(-mostKept)}\n`
    this.#stderr = all.length > 2 * mostKept ? all.slice(-mostKept) : all
  }

  /** Ends a program whose time is over, that prints nothing any more, or that goes on after it has said that it is done. */
  async watch(): Promise<void> {
    const { clock } = this.#options.system
    while (!this.settled.signal.aborted && !this.stop.signal.aborted) {
      const [why, limit] = this.#nextLimit()
      const left = limit - clock.monotonic()
      if (left <= 0) this.#stopFor(why)
      else await clock.sleep(Math.min(left, stepMs), this.settled.signal)
    }
  }

  #nextLimit(): readonly [Stopped, number] {
    const { timeout, silence, grace } = this.#options
    if (this.#endedAt !== undefined) return ['timeout', this.#endedAt + 1000 * grace]
    const [over, silent] = [this.#began + 1000 * timeout, this.#lastSign + 1000 * silence]
    return over <= silent ? ['timeout', over] : ['stalled', silent]
  }

  #stopFor(why: Stopped): void {
    // Ending a program that has already said that it is done needs no reason.
    if (this.#endedAt === undefined) this.#stopped ??= why
    this.stop.abort()
  }

  end(how: { readonly kind: string; readonly code?: number }): AgentEnd {
    const { timeout, silence, limit } = this.#options
    const code = how.kind === 'exit' ? (how.code ?? null) : null
    const judged = this.#backend.end({ events: this.#events, code, stderr: this.#stderr })
    const as = (status: AgentStatus, why: string): AgentEnd => ({ ...judged, status, why })
    if (this.#stopped === 'interrupted') return as('interrupted', 'it was interrupted')
    if (this.#stopped === 'auth') return as('auth', 'it is not logged in')
    if (this.#stopped === 'over-limit') return as('over-limit', String(limit?.reason))
    const isShell = this.#backend.own === true
    if (code === 127 && this.#events.length === 0 && !isShell)
      return as('missing', `${this.#backend.program} was not found`)
    // For an agent that only waited for a usage limit, the limit says more than the clock.
    if (this.#stopped === undefined || judged.status === 'rate-limited') return judged
    if (this.#stopped === 'stalled') return as('stalled', `it gave no sign of life for ${silence} s`)
    return as('timeout', `it took more than ${timeout} s`)
  }
}

/** A file in the agent's folder by its path from there: where the folder lies says nothing, and a checkout is removed. */
function seenFrom(cwd: string, event: AgentEvent): AgentEvent {
  if (event.kind !== 'tool' || event.path === undefined || !isAbsolute(event.path)) return event
  return { ...event, path: insideOf(cwd, event.path) ?? event.path }
}

/** Finds what an assistant says of its work in its text, which comes in pieces. */
class MarkerReader {
  #against: Marker | undefined
  #message = ''
  #isOver = false

  /** That of its last message; FAILED and BLOCKED of an earlier one hold as long as no other marker follows. */
  get last(): Marker | undefined {
    return markerOfWork(this.#message) ?? this.#against
  }

  /** `isWhole`: a complete message. A marker never spans two messages. */
  read(text: string, isWhole: boolean): void {
    // Text without words, as between two tools, is no message.
    if (text.trim() !== '' || !(isWhole || this.#isOver)) {
      this.#message = (isWhole || this.#isOver ? '' : this.#message.slice(-longestEnd)) + text
      const marker = lastMarker(this.#message)
      if (marker !== undefined) this.#against = marker === 'COMPLETE' ? undefined : marker
    }
    this.#isOver = isWhole
  }
}

/** In characters: so much of the end of a message tells what it ends with. */
const longestEnd = 64 * 1024
