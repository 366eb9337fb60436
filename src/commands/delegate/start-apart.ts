import { join } from 'node:path'
import { readSession, writeSession } from '../../agents/session/session-file.ts'
import type { KnownSession } from '../../agents/session/sessions.ts'
import { RelayError } from '../../errors.ts'
import { shortId } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { sessionJson } from '../../report/json/session-json.ts'
import { jsonText } from '../../report/text/json-text.ts'

/** Hands a session to a relay run in the background, and prints its id. */
export async function startApart(known: KnownSession, json: boolean, system: System): Promise<number> {
  await handOver(known, system)
  const session = (await readSession(known.folder, system)) ?? known.session
  const { terminal } = system
  terminal.out(json ? jsonText(sessionJson(session), 0) : shortId(session))
  terminal.err(`It goes on in the background: relay delegate status ${shortId(session)}`)
  return 0
}

/** Starts the background run for a session, and waits until it takes over. Until then this run owns the session. */
export async function handOver({ session, folder }: KnownSession, system: System): Promise<void> {
  const { shell, programs, clock, env } = system
  const self = await shell.self()
  await writeSession(folder, { ...session, status: 'initializing', error: undefined, owner: self }, system)
  const log = join(folder, 'log.txt')
  const words = ['delegate', 'run', session.id, '--no-input']
  await programs.startApart(words, { cwd: session.gitDirectory, env, log })
  for (let waited = 0; waited < patience; waited += 50) {
    const now = await readSession(folder, system)
    if (now === undefined || now.owner?.pid !== self.pid) return
    await clock.sleep(50, system.interruption)
    if (system.interruption.aborted) return
  }
  throw new RelayError('environment', `The relay for session ${shortId(session)} did not start`, {
    hint: `Look at ${log}, then: \`relay delegate retry ${shortId(session)}\`.`,
  })
}

/** In milliseconds; long, since the machine may be busy. */
const patience = 30_000

export async function takeOver({ session, folder }: KnownSession, system: System): Promise<void> {
  const owner = await system.shell.self()
  await writeSession(folder, { ...session, status: 'initializing', error: undefined, owner }, system)
}
