import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { built } from './built.js'
import { env } from './measure.js'

/** What of these programs is not here. */
export function missing(...programs) {
  return programs.filter(name => !(env.PATH ?? '').split(':').some(folder => existsSync(join(folder, name))))
}

/** An X server without a screen, and a program on it that copies. */
export async function startDesktop() {
  const start = async (...number) => {
    const options = ['-displayfd', '3', '-screen', '0', '640x480x8', '-noreset', '-nolisten', 'tcp']
    const server = spawn('Xvfb', [...number, ...options], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const display = await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.once('exit', code => reject(new Error(`Xvfb ended with ${code}`)))
      server.stdio[3].once('data', text => resolve(`:${String(text).trim()}`))
    })
    return { server, display }
  }
  let { server, display } = await start()
  const end = async () => {
    const ended = new Promise(resolve => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }
  process.once('exit', () => server.kill('SIGKILL'))
  const parts = await built('bench/x11-parts.js')
  const more = { DISPLAY: display, XAUTHORITY: '/nonexistent' }
  let copier = await startCopier(parts, more)
  return {
    more,
    parts,
    copy: text => copier.copy(text),
    copyPicture: () => copier.copyPicture(),
    reads: () => copier.reads(),
    /** The display goes away with all that was on it, and comes back. */
    async restart() {
      copier.end()
      await end()
      ;({ server } = await start(display))
      copier = await startCopier(parts, more)
    },
    async stop() {
      copier.end()
      await end()
    },
  }
}

async function startCopier({ Session, OwnText }, more) {
  const session = await Session.open(more)
  let reads = 0
  return {
    /** Ends when the server knows of it; answers when it was told to it. */
    async copy(text) {
      reads = 0
      const at = performance.now()
      const taken = OwnText.put(session, text)
      const { own } = session
      session.own = {
        text,
        onProperty: event => own.onProperty(event),
        onRequest(request) {
          if (request.target === session.atoms.utf8) reads += 1
          own.onRequest(request)
        },
      }
      await taken
      return at
    },
    /** As a program copies that has no text to give. */
    async copyPicture() {
      await this.copy('')
      const { own } = session
      session.own = { ...own, onRequest: request => own.onRequest({ ...request, target: 0 }) }
    },
    reads: () => reads,
    end: () => session.connection.close(),
  }
}
