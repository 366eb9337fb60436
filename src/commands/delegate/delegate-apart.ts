import { createSession, tidySessions } from '../../agents/session/sessions.ts'
import { shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { newSession, projectAt, readyFor } from './new-session.ts'
import { handOver } from './start-apart.ts'

interface Wish {
  readonly text: string
  readonly agent: string
  readonly gitDir: string
  readonly extra: string | undefined
}

/** Begins a session in the background, so that the user can go on here. */
export async function delegateApart(wish: Wish, events: WatchEvents, system: System): Promise<void> {
  const { text, agent, gitDir, extra } = wish
  const options = { agent, detach: true, ...(extra !== undefined && { extra }) }
  const ready = await readyFor(await projectAt(gitDir, system), options, system)
  await tidySessions(system)
  const known = await createSession(await newSession({ ...options, text, ready }, system), system)
  await handOver(known, system)
  const { session } = known
  events.say({ event: 'session', ...sessionJson(session) })
  system.terminal.err(`It goes on in the background: relay delegate status ${shortId(session)}`)
}
