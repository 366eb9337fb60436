import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ended } from './ended.ts'
import { hasProgram } from './has-program.ts'
import { until } from './until.ts'

/** A wlroots compositor without a screen. */
export interface WaylandDisplay {
  readonly env: NodeJS.ProcessEnv
  /** Puts bytes on its clipboard as another program does that stays; gives that program. */
  own(bytes: string | Uint8Array, type?: string): Promise<ChildProcess>
  stop(): Promise<void>
  /** The same display again after that. */
  restart(): Promise<void>
}

export const canStartWayland = process.platform === 'linux' && ['sway', 'wl-copy', 'setpriv'].every(hasProgram)

const nobody = 65534

/** sway does not run as root. */
export async function startWaylandDisplay(): Promise<WaylandDisplay> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-wayland-'))
  const isRoot = process.getuid?.() === 0
  const { DISPLAY: _x11, XAUTHORITY: _authority, ...rest } = process.env
  const env: NodeJS.ProcessEnv = { ...rest, XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-1' }
  let server: ChildProcess | undefined
  let owner: ChildProcess | undefined

  const start = async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isRoot) chownSync(folder, nobody, nobody)
    const own = { WLR_BACKENDS: 'headless', WLR_LIBINPUT_NO_DEVICES: '1', WLR_RENDERER: 'pixman', HOME: folder }
    const words = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
    const [program = 'sway', ...args] = [...words, 'sway', '-c', '/dev/null']
    server = spawn(program, args, { env: { ...env, WAYLAND_DISPLAY: undefined, ...own }, stdio: 'ignore' })
    const socket = join(folder, 'wayland-1')
    await until(
      () => existsSync(socket) && spawnSync('wl-paste', ['-l'], { env, timeout: 2000 }).error === undefined,
      'sway',
    )
  }
  await start()

  return {
    env,
    async own(bytes, type = 'text/plain;charset=utf-8') {
      const before = owner
      owner = spawn('wl-copy', ['--foreground', '--type', type], { env, stdio: ['pipe', 'ignore', 'ignore'] })
      // All of it first: the looks below let nothing else go on meanwhile.
      await new Promise<void>(resolve => {
        owner?.stdin?.once('error', () => resolve()).end(bytes, resolve)
      })
      const expected = Buffer.from(bytes)
      const read = () => spawnSync('wl-paste', ['-n', '-t', type], { env, timeout: 10_000, maxBuffer: 2 ** 27 }).stdout
      await until(() => expected.equals(read() ?? Buffer.alloc(0)), 'the content of wl-copy')
      if (before !== undefined) await ended(before)
      return owner
    },
    async stop() {
      for (const child of [owner, server]) if (child !== undefined) await ended(child)
      owner = undefined
      rmSync(folder, { force: true, recursive: true })
    },
    restart: start,
  }
}
