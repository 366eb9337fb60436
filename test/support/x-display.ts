import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Session } from '../../src/system/clipboard/x11/session.ts'

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

/** The server picks a free number by itself and says when it is ready. */
export async function startXDisplay(more: readonly string[] = ['-nolisten', 'tcp']): Promise<XDisplay> {
  const start = async (...number: readonly string[]) => {
    const options = ['-displayfd', '3', '-screen', '0', '640x480x8', '-noreset']
    const started = spawn('Xvfb', [...number, ...options, ...more], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    return { started, number: await firstLine(started, started.stdio[3] as Readable) }
  }
  let { started: server, number } = await start()
  const { WAYLAND_DISPLAY: _wayland, XAUTHORITY: _authority, ...rest } = process.env
  const env = { ...rest, DISPLAY: `:${number}` }
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
      await ended(server)
    },
    async restart() {
      owner = undefined
      ;({ started: server, number } = await start(`:${number}`))
    },
  }
}

export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, name)))
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

function firstLine(child: ChildProcess, stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = ''
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`${child.spawnfile} ended with ${code}: ${seen}`)))
    stream.on('data', chunk => {
      seen += chunk
      if (seen.includes('\n')) resolve(seen.slice(0, seen.indexOf('\n')))
    })
  })
}
