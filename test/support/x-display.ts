import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** An X server without a screen, for real clipboards. */
export interface XDisplay {
  /** What a program needs to reach it, and nothing of the desktop that the tests may run on. */
  readonly env: NodeJS.ProcessEnv
  /** Puts bytes on its clipboard as another program does that stays; gives that program. */
  own(bytes: string | Uint8Array, target?: string): Promise<ChildProcess>
  stop(): Promise<void>
}

/** The server picks a free number by itself and says when it is ready. */
export async function startXDisplay(): Promise<XDisplay> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '640x480x8', '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await firstLine(server, server.stdio[3] as Readable)
  const { WAYLAND_DISPLAY: _wayland, XAUTHORITY: _authority, ...rest } = process.env
  const env = { ...rest, DISPLAY: `:${number}` }
  let owner: ChildProcess | undefined

  return {
    env,
    async own(bytes, target) {
      if (owner !== undefined) await ended(owner)
      const type = target === undefined ? [] : ['-t', target]
      owner = spawn('xclip', ['-quiet', '-selection', 'clipboard', ...type, '-i'], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      owner.stdin?.end(bytes)
      const asked = ['-selection', 'clipboard', '-o', '-t', 'TARGETS']
      while (spawnSync('xclip', asked, { env, stdio: 'ignore' }).status !== 0) {
        if (owner.exitCode !== null) throw new Error('xclip did not take the clipboard')
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      return owner
    },
    async stop() {
      if (owner !== undefined) await ended(owner)
      await ended(server)
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
