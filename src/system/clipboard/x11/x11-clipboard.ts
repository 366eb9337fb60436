import type { ClipboardBackEnd } from '../../../ports.ts'
import { openDisplay } from './connection.ts'
import { Copies } from './copies.ts'
import { OwnText } from './own-text.ts'
import { readText } from './read-text.ts'
import { lost, Session } from './session.ts'

/**
 * The clipboard of an X server, which this process reaches by itself: a read costs a few packets, and the server
 * tells about each copy.
 *
 * @param writers `lasting` puts a text there so that it outlives this process; `otherwise` is the last resort
 */
export function x11Clipboard(
  env: NodeJS.ProcessEnv,
  why: string,
  writers: { readonly lasting: Write | undefined; readonly otherwise: Write },
): ClipboardBackEnd {
  /** Open while somebody listens. */
  let open: Session | undefined
  let leave = () => {}

  return {
    kind: 'events',
    name: `x11 events on ${env['DISPLAY']}`,
    why,

    async isThere() {
      const connection = await openDisplay(env).catch(() => undefined)
      if (connection === undefined) return false
      // A server starts anew when its last client goes, and throws out a client that comes at that moment. This one
      // stays until the next is there.
      const timer = setTimeout(() => leave(), mostWaitMs)
      leave = () => {
        clearTimeout(timer)
        connection.close()
      }
      return true
    },

    async read() {
      if (open !== undefined) return open.own?.text ?? readText(open)
      const session = await Session.open(env)
      try {
        return await readText(session)
      } finally {
        session.connection.close()
      }
    },

    async write(text) {
      if (writers.lasting !== undefined) await writers.lasting(text)
      else if (open !== undefined) await OwnText.put(open, text)
      else await writers.otherwise(text)
    },

    async *listen(signal) {
      const session = await Session.open(env).finally(() => leave())
      const copies = new Copies(session, signal)
      open = session
      try {
        // The server is too old to tell about copies, so relay has to look.
        if (!session.hears) return
        yield { read: () => readText(session) }
        for (let copy = await copies.next(); copy !== undefined; copy = await copies.next()) yield copy
        if (!signal.aborted) throw lost(session.connection.closed ?? new Error('closed'))
      } finally {
        if (open === session) open = undefined
        await saveText(session)
        session.connection.close()
      }
    },
  }
}

type Write = (text: string) => Promise<void>

const patienceMs = 1000

/** Asks the desktop's clipboard manager, where there is one, to keep our text, which would go with this process. */
async function saveText(session: Session): Promise<void> {
  const { connection, atoms, own } = session
  if (own === undefined || connection.closed !== undefined) return
  const request = session.openRequest()
  const timer = setTimeout(() => request.fail(new Error('no answer')), patienceMs)
  try {
    await request.convert(atoms.manager, atoms.saveTargets)
  } catch {
    // No program keeps it. It was a convenience.
  } finally {
    clearTimeout(timer)
  }
}

/** The next client comes sooner: a watch asks whether the display is there, and then listens at once. */
const mostWaitMs = 2000
