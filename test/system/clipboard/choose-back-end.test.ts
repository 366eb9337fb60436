import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { byLibrary } from '../../../src/system/clipboard/choose-back-end.ts'
import { systemClipboard } from '../../../src/system/clipboard/system-clipboard.ts'
import { builtSource } from '../../support/built-source.ts'
import { canRunWith, hasProgram } from '../../support/has-program.ts'
import { isRunning } from '../../support/is-running.ts'
import { until } from '../../support/until.ts'
import { startXDisplay, type XDisplay } from '../../support/x-display.ts'

const folders: string[] = []
const folder = (...programs: readonly string[]) => {
  const path = mkdtempSync(join(tmpdir(), 'relay-clip-'))
  folders.push(path)
  for (const name of programs) program(path, name, '')
  return path
}
const program = (where: string, name: string, script: string) => {
  writeFileSync(join(where, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(where, name), 0o755)
}
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** A compositor that says what it offers, and no more. */
async function compositor(...interfaces: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const run = folder()
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      const packets = interfaces.map((name, at) => {
        const padded = Buffer.alloc(Math.ceil((name.length + 1) / 4) * 4)
        padded.write(name)
        const body = [words(at + 1, name.length + 1), padded, words(1)]
        const size = 8 + body.reduce((sum, part) => sum + part.length, 0)
        return Buffer.concat([words(2, size << 16), ...body])
      })
      socket.write(Buffer.concat([...packets, words(3, 12 << 16, 0)]))
    })
  })
  ends.push(() => server.close())
  await new Promise<void>(resolve => server.listen(join(run, 'wayland-0'), resolve))
  return { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: run }
}

/** However busy this process is, the compositor in it answers in time. */
async function backEndOf(env: NodeJS.ProcessEnv, wish: 'auto' | 'poll' = 'auto') {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    return await systemClipboard(env).backEnd(wish)
  } finally {
    vi.useRealTimers()
  }
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer)
}

describe.runIf(process.platform === 'linux')('the way to the clipboard', () => {
  it.each([
    [[], 'Install xclip.'],
    [['xclip'], undefined],
    [['xsel'], undefined],
  ])('knows with the programs %j whether a text stays there when relay has ended', async (programs, hint) => {
    const env = { PATH: folder(...programs), DISPLAY: ':0' }
    for (const wish of ['auto', 'poll'] as const) {
      expect((await systemClipboard(env).backEnd(wish)).fleeting?.hint).toBe(hint)
    }
  })

  it('starts no program of the project, whatever the PATH', async () => {
    const project = folder()
    for (const name of ['xsel', 'wl-copy', 'wl-paste']) program(project, name, `: > ${project}/ran`)
    vi.stubEnv('PATH', `${relative(process.cwd(), project)}:/usr/bin:/bin`)
    for (const display of [{ WAYLAND_DISPLAY: 'gone' }, {}]) {
      const env = { PATH: process.env['PATH'], DISPLAY: ':0', ...display }
      await systemClipboard(env)
        .write('x')
        .catch(() => {})
    }
    // As on macOS.
    await byLibrary('another', 'relay checks it at intervals')
      .read()
      .catch(() => {})
    vi.unstubAllEnvs()
    expect(existsSync(join(project, 'ran'))).toBe(false)
  })

  it('says as relay doctor does what is missing where a text would not stay', async () => {
    await expect(systemClipboard({ PATH: folder(), DISPLAY: ':0' }).write('x')).rejects.toMatchObject({
      kind: 'environment',
      message: 'Cannot write the clipboard: without xclip or xsel, a text is lost when relay ends (install xclip)',
      hint: 'Install xclip.',
    })
  })

  it('is none where the compositor is gone and its socket is not', async () => {
    const run = folder()
    writeFileSync(join(run, 'wayland-0'), '')
    const env = { PATH: folder('wl-paste'), WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: run }
    expect(await systemClipboard(env).backEnd('auto')).toMatchObject({
      kind: 'none',
      why: 'no Wayland compositor answers',
    })
  })

  it('is chosen by the session, by what it offers, and by the programs that are there', async () => {
    const all = folder('xclip', 'wl-paste')
    const none = folder()
    const sway = await compositor('wl_seat', 'zwlr_data_control_manager_v1', 'xdg_wm_base')
    const newer = await compositor('ext_data_control_manager_v1')
    const gnome = await compositor('wl_seat', 'gtk_shell1')
    const x11 = { DISPLAY: ':0' }
    const chosen = async (env: NodeJS.ProcessEnv, wish: 'auto' | 'poll' = 'auto') => {
      const { kind, name, why, caution } = await backEndOf(env, wish)
      return [kind, name, ...(kind === 'none' ? [why] : []), ...(caution === undefined ? [] : [caution])].join(' | ')
    }
    expect({
      X11: await chosen({ PATH: all, ...x11 }),
      'X11, poll': await chosen({ PATH: all, ...x11 }, 'poll'),
      'X11, poll, no xclip': await chosen({ PATH: none, ...x11 }, 'poll'),
      'X11, no programs': await chosen({ PATH: none, ...x11 }),
      sway: await chosen({ PATH: all, ...sway, ...x11 }),
      'sway, poll': await chosen({ PATH: all, ...sway, ...x11 }, 'poll'),
      'sway, no wl-paste': await chosen({ PATH: none, ...sway, ...x11 }),
      'sway, nothing': await chosen({ PATH: none, ...sway }),
      newer: await chosen({ PATH: all, ...newer }),
      GNOME: await chosen({ PATH: all, ...gnome, ...x11 }),
      'GNOME, no wl-paste': await chosen({ PATH: none, ...gnome, ...x11 }),
      'GNOME, no X11': await chosen({ PATH: all, ...gnome }),
      'GNOME, no X11, poll': await chosen({ PATH: all, ...gnome }, 'poll'),
      'a session that has ended': await chosen({ PATH: all, ...sway, WAYLAND_DISPLAY: 'gone', ...x11 }),
      WSL: await chosen({ PATH: none, WSL_DISTRO_NAME: 'Debian' }),
      WSLg: await chosen({ PATH: none, WSL_DISTRO_NAME: 'Debian', ...x11 }),
      'WSLg, poll': await chosen({ PATH: none, WSL_DISTRO_NAME: 'Debian', ...x11 }, 'poll'),
      nothing: await chosen({ PATH: all }),
    }).toMatchInlineSnapshot(`
      {
        "GNOME": "events | x11 events on :0",
        "GNOME, no X11": "none | none | this Wayland compositor shows copies only to the program with the keyboard focus; with "clipboard": "poll" relay takes the focus at each check",
        "GNOME, no X11, poll": "looks | wl-paste",
        "GNOME, no wl-paste": "events | x11 events on :0",
        "WSL": "looks | powershell.exe",
        "WSLg": "events | x11 events on :0",
        "WSLg, poll": "looks | powershell.exe",
        "X11": "events | x11 events on :0",
        "X11, no programs": "events | x11 events on :0",
        "X11, poll": "looks | xclip",
        "X11, poll, no xclip": "looks | x11 on :0",
        "a session that has ended": "events | x11 events on :0",
        "newer": "events | wl-paste --watch",
        "nothing": "none | none | neither DISPLAY nor WAYLAND_DISPLAY names a desktop",
        "sway": "events | wl-paste --watch",
        "sway, no wl-paste": "events | x11 events on :0 | relay may miss copies of Wayland programs without wl-paste: install wl-clipboard",
        "sway, nothing": "none | none | wl-paste is missing: install wl-clipboard",
        "sway, poll": "looks | wl-paste",
      }
    `)
  })

  it('does not wait for a compositor that does not answer', async () => {
    const run = folder()
    const server = createServer(() => {})
    ends.push(() => server.close())
    await new Promise<void>(resolve => server.listen(join(run, 'wayland-0'), resolve))
    const env = { PATH: folder('wl-paste'), WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: run, DISPLAY: ':0' }
    expect(await systemClipboard(env).backEnd('auto')).toMatchObject({
      name: 'x11 events on :0',
      why: 'no Wayland compositor answers',
      caution: 'relay may miss copies of Wayland programs, for no Wayland compositor answers',
    })
  })

  it('says what else can be done where there is none', async () => {
    const clipboard = systemClipboard({ PATH: process.env['PATH'] })
    const error = {
      kind: 'environment',
      message: 'Cannot reach the clipboard: neither DISPLAY nor WAYLAND_DISPLAY names a desktop',
      hint: 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.',
    }
    await expect(clipboard.read()).rejects.toMatchObject(error)
    await expect(clipboard.write('x')).rejects.toMatchObject(error)
  })
})

describe.runIf(process.platform === 'linux')('wl-paste', () => {
  const wlPaste = async (script: string) => {
    const bin = folder()
    program(bin, 'wl-paste', script)
    const env = { PATH: `${bin}:/bin:/usr/bin`, ...(await compositor('zwlr_data_control_manager_v1')) }
    return backEndOf(env)
  }

  it('has its own words for an empty clipboard', async () => {
    expect(await (await wlPaste('printf "%s\\n" "$*"')).read()).toBe('--no-newline --type text\n')
    expect(await (await wlPaste('echo "Nothing is copied" >&2; exit 1')).read()).toBeNull()
    expect(await (await wlPaste('echo "No suitable type of content copied" >&2; exit 1')).read()).toBeNull()
    await expect((await wlPaste('echo "Failed to connect" >&2; exit 1')).read()).rejects.toMatchObject({
      message: 'Cannot read the clipboard: wl-paste says "Failed to connect"',
    })
  })

  it('waits for a copy where KWin has none, which is no text; a program that hangs is told', async () => {
    expect(await (await wlPaste('exec sleep 50')).read()).toBeNull()
    await expect((await wlPaste('[ "$1" = --list-types ] || exec sleep 50')).read()).rejects.toMatchObject({
      message: 'Cannot read the clipboard: no answer within 2 s',
    })
  })

  it('is not waited for when what it started keeps its stream open', async () => {
    await expect((await wlPaste('sleep 50')).read()).rejects.toMatchObject({
      message: 'Cannot read the clipboard: no answer within 2 s',
    })
  }, 40_000)

  it('that is too old for the compositor says so, and what helps', async () => {
    const { listen } = await wlPaste(
      'echo "Watch mode requires a compositor that supports wlroots data-control protocol" >&2; exit 1',
    )
    const listening = async () => {
      // On a busy machine it says so only after it has begun.
      for await (const _ of listen?.(new AbortController().signal) ?? []);
    }
    await expect(listening()).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringContaining('Watch mode requires a compositor'),
      hint: expect.stringContaining('a newer wl-clipboard'),
    })
  })

  it('that watches ends with relay, however relay ends', async () => {
    const bin = folder()
    const pid = join(bin, 'pid')
    program(
      bin,
      'wl-paste',
      `[ "$1" = --watch ] || exit 1; echo $$ > ${pid}.new; mv ${pid}.new ${pid}; exec sleep 1000`,
    )
    const built = builtSource()
    ends.push(() => built.remove())
    const script = `
      import { existsSync } from 'node:fs'
      import { systemClipboard } from ${JSON.stringify(built.url('system/clipboard/system-clipboard.js'))}
      const { listen } = await systemClipboard().backEnd('auto')
      for await (const _ of listen(new AbortController().signal)) {
        while (!existsSync('${pid}')) await new Promise(resolve => setTimeout(resolve, 10))
        process.kill(process.pid, 'SIGKILL')
      }`
    const env = { PATH: `${bin}:/bin:/usr/bin`, ...(await compositor('zwlr_data_control_manager_v1')) }
    // Not the synchronous kind: the compositor lives in this process.
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: 'ignore' })
    await new Promise(resolve => child.once('exit', resolve))
    await until(() => !isRunning(Number(readFileSync(pid, 'utf8'))), 'the end of wl-paste')
  })
})

// In CI what cannot run is a failure.
describe.runIf(canRunWith('Xvfb', 'xclip'))('a text that relay wrote', () => {
  const start = async (): Promise<XDisplay> => {
    const display = await startXDisplay()
    ends.push(() => display.stop())
    return display
  }
  const built = builtSource()
  ends.push(() => built.remove())
  const run = (body: string, env: NodeJS.ProcessEnv) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { systemClipboard } from ${JSON.stringify(built.url('system/clipboard/system-clipboard.js'))}
         const clipboard = systemClipboard()
         ${body}`,
      ],
      { env },
    ).toString()

  it('stays when relay has ended, and relay does not wait for it', async () => {
    const { env } = await start()
    run(`await clipboard.write('it stays\\n')`, env)
    expect(await systemClipboard(env).read()).toBe('it stays\n')
  })

  it.runIf(hasProgram('xsel'))('gets there by xsel where xclip is missing', async () => {
    const { env } = await start()
    const PATH = folder()
    program(PATH, 'xsel', 'PATH=/usr/bin:/bin exec xsel "$@"')
    expect(
      run(`await clipboard.write('by xsel ✅\\n'); console.log(JSON.stringify(await clipboard.read()))`, {
        ...env,
        PATH,
      }),
    ).toBe('"by xsel ✅\\n"\n')
  })
})
