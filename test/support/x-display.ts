import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Session } from '../../src/system/clipboard/x11/session.ts'
import { ended } from './ended.ts'

/** An X server without a screen, for real clipboards. */
export interface XDisplay {
  /** What a program needs to reach it, and nothing of the desktop that the tests may run on. */
  readonly env: NodeJS.ProcessEnv
  /** Puts bytes on its clipboard as another program does that stays; gives that program. */
  own(bytes: string | Uint8Array, target?: string): Promise<ChildProcess>
  /** As when the desktop's session ends. */
  stop(): Promise<void>
  /** The same display again after that, with nothing on its clipboard. */
  restart(): Promise<void>
}

/**
 * The server says when it is ready. Its number is none that a server picks by itself: while this one is away, no other
 * may take it.
 */
export async function startXDisplay(more: readonly string[] = ['-nolisten', 'tcp']): Promise<XDisplay> {
  let display = ''
  const start = async () => {
    const options = ['-displayfd', '3', '-screen', '0', '640x480x8', '-noreset']
    const server = spawn('Xvfb', [display, ...options, ...more], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    await ready(server, server.stdio[3] as Readable)
    return server
  }
  let server: ChildProcess | undefined
  for (let tries = 1; server === undefined; tries++) {
    display = `:${randomInt(1000, 20_000)}`
    // The number may be somebody's all the same.
    server = await start().catch(error => {
      if (tries === 3) throw error
      return undefined
    })
  }
  let running = server
  const { WAYLAND_DISPLAY: _wayland, XAUTHORITY: _authority, ...rest } = process.env
  const env = { ...rest, DISPLAY: display }
  let owner: ChildProcess | undefined

  return {
    env,
    async own(bytes, target) {
      const before = owner
      const type = target === undefined ? [] : ['-t', target]
      const session = await Session.open(env)
      const taken = new Promise<void>((resolve, reject) => {
        session.onNewOwner(({ owner }) => owner !== 0 && resolve())
        owner = spawn('xclip', ['-quiet', '-selection', 'clipboard', ...type, '-i'], {
          env,
          stdio: ['pipe', 'ignore', 'ignore'],
        })
        owner.once('exit', () => reject(new Error('xclip did not take the clipboard')))
        owner.stdin?.end(bytes)
      })
      await taken
      session.connection.close()
      if (before !== undefined) await ended(before)
      return owner as ChildProcess
    },
    async stop() {
      if (owner !== undefined) await ended(owner)
      // It takes its lock and its socket along.
      await ended(running, 'SIGTERM')
    },
    async restart() {
      owner = undefined
      running = await start()
    },
  }
}

function ready(server: ChildProcess, number: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', code => reject(new Error(`${server.spawnfile} ended with ${code}`)))
    number.once('data', () => resolve())
  })
}
