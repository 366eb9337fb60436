import { spawn } from 'node:child_process'
import { built } from './built.js'

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
  // The program in which a person copies, as the tests have it.
  const { startCopier } = await built('test/support/x-owner.ts')
  const more = { DISPLAY: display, XAUTHORITY: '/nonexistent' }
  let copier = await startCopier(more)
  return {
    more,
    /** Answers when the server was told of it. */
    async copy(text) {
      const at = performance.now()
      await copier.copy(text)
      return at
    },
    copyPicture: () => copier.copyPicture(),
    reads: () => copier.reads(),
    /** The display goes away with all that was on it, and comes back. */
    async restart() {
      copier.end()
      await end()
      ;({ server } = await start(display))
      copier = await startCopier(more)
    },
    async stop() {
      copier.end()
      await end()
    },
  }
}
