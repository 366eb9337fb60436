import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClipboard } from '../../src/system/clipboard.ts'
import { builtSource } from '../support/built-source.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { hasProgram, startXDisplay, type XDisplay } from '../support/x-display.ts'
import { clipboardContract } from './clipboard.contract.ts'

const displays: XDisplay[] = []
const newDisplay = async () => {
  const display = await startXDisplay()
  displays.push(display)
  return display
}
const folders: string[] = []
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'relay-clip-'))
  folders.push(path)
  return path
}
afterAll(async () => {
  for (const display of displays) await display.stop()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

clipboardContract('fake', async () => {
  const { clipboard } = fakeSystem()
  return {
    clipboard,
    clear: async () => {
      clipboard.text = null
    },
    stop: async () => {},
  }
})

// In CI what cannot run is a failure.
const canRun = (hasProgram('Xvfb') && hasProgram('xclip')) || Boolean(process.env['CI'])

if (canRun) {
  clipboardContract('X11', async () => {
    const display = await startXDisplay()
    return { clipboard: systemClipboard(display.env), clear: async () => {}, stop: () => display.stop() }
  })
}

describe.runIf(canRun)('the X11 clipboard', () => {
  let display: XDisplay
  beforeAll(async () => {
    display = await newDisplay()
  })
  const clipboard = () => systemClipboard(display.env)

  it('is read through xclip', () => {
    expect(clipboard().name).toBe('xclip')
  })

  it('gives the whole of a text of 20 MB from another program', async () => {
    const text = 'wörld\n'.repeat(3_000_000)
    await display.own(text)
    expect((await clipboard().read()) === text).toBe(true)
  })

  it('replaces what is no UTF-8', async () => {
    await display.own(Uint8Array.from([0x61, 0xff, 0x62]))
    expect(await clipboard().read()).toBe('a\ufffdb')
  })

  it('takes a picture for no text', async () => {
    await display.own(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png')
    expect(await clipboard().read()).toBeNull()
  })

  it('refuses what is too large to be a response', async () => {
    await display.own(Buffer.alloc(65 * 1024 * 1024, 'x'))
    await expect(clipboard().read()).rejects.toMatchObject({
      kind: 'environment',
      message: 'Cannot read the clipboard: it holds more than 64 MB',
    })
  })

  it('gives up after two seconds on a program that does not answer, and works again after that', async () => {
    const owner = await display.own('never told')
    owner.kill('SIGSTOP')
    const begin = performance.now()
    await expect(clipboard().read()).rejects.toMatchObject({
      kind: 'environment',
      message: 'Cannot read the clipboard: no answer within 2 s',
    })
    expect(performance.now() - begin).toBeLessThan(5000)
    owner.kill('SIGKILL')
    await clipboard().write('told')
    expect(await clipboard().read()).toBe('told')
  })

  it('keeps what relay wrote after relay has ended, and relay does not wait for it', async () => {
    const built = builtSource()
    const script = `
      import { systemClipboard } from ${JSON.stringify(built.url('system/clipboard.js'))}
      await systemClipboard().write('it stays\\n')`
    const begin = performance.now()
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: display.env })
    expect(performance.now() - begin).toBeLessThan(10_000)
    built.remove()
    expect(await clipboard().read()).toBe('it stays\n')
  })

  it('falls back on the library where xclip is missing', () => {
    const built = builtSource()
    const script = `
      import { systemClipboard } from ${JSON.stringify(built.url('system/clipboard.js'))}
      const clipboard = systemClipboard()
      await clipboard.write('by the library ✅\\n')
      console.log(clipboard.name, JSON.stringify(await clipboard.read()))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...display.env, PATH: folder() },
    })
    built.remove()
    expect(output.toString()).toBe('xsel "by the library ✅\\n"\n')
  })

  it('says so when the display is gone', async () => {
    const other = await newDisplay()
    await other.own('text')
    const clipboard = systemClipboard(other.env)
    expect(await clipboard.read()).toBe('text')
    await other.stop()
    const error = { kind: 'environment', message: expect.stringContaining("Can't open display") }
    await expect(clipboard.read()).rejects.toMatchObject(error)
    await expect(clipboard.write('text')).rejects.toMatchObject({ kind: 'environment' })
  })
})

describe('the way to the clipboard', () => {
  it('says what else can be done where there is no display', async () => {
    const clipboard = systemClipboard({ PATH: process.env['PATH'] })
    const error = {
      kind: 'environment',
      message: 'Cannot reach the clipboard: no display',
      hint: 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.',
    }
    expect(clipboard.name).toBe('none')
    await expect(clipboard.read()).rejects.toMatchObject(error)
    await expect(clipboard.write('x')).rejects.toMatchObject(error)
  })

  it.runIf(process.platform === 'linux')('is chosen by the session and the programs that are there', () => {
    const bin = folder()
    const run = folder()
    const none = folder()
    for (const name of ['xclip', 'wl-paste']) {
      writeFileSync(join(bin, name), '')
      chmodSync(join(bin, name), 0o755)
    }
    writeFileSync(join(run, 'wayland-0'), '')
    const wayland = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: run }
    const name = (env: NodeJS.ProcessEnv) => systemClipboard(env).name
    expect([
      name({ PATH: bin, DISPLAY: ':0' }),
      name({ PATH: bin, ...wayland }),
      name({ PATH: bin, ...wayland, DISPLAY: ':0' }),
      name({ PATH: bin, ...wayland, DISPLAY: ':0', XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }),
      name({ PATH: bin, ...wayland, WAYLAND_DISPLAY: 'gone', DISPLAY: ':0' }),
      name({ PATH: none, DISPLAY: ':0' }),
      name({ PATH: none, WSL_DISTRO_NAME: 'Debian' }),
      name({ PATH: none }),
    ]).toEqual(['xclip', 'wl-paste', 'wl-paste', 'xclip', 'xclip', 'xsel', 'powershell.exe', 'none'])
  })

  it.runIf(process.platform === 'linux')('takes the words of wl-paste for an empty clipboard', async () => {
    const bin = folder()
    const run = folder()
    writeFileSync(join(run, 'wayland-0'), '')
    const wlPaste = (script: string) => {
      writeFileSync(join(bin, 'wl-paste'), `#!/bin/sh\n${script}\n`)
      chmodSync(join(bin, 'wl-paste'), 0o755)
      return systemClipboard({ PATH: `${bin}:/bin:/usr/bin`, WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: run })
    }
    expect(await wlPaste('printf "%s\\n" "$*"').read()).toBe('--no-newline --type text\n')
    expect(await wlPaste('echo "Nothing is copied" >&2; exit 1').read()).toBeNull()
    expect(await wlPaste('echo "No suitable type of content copied" >&2; exit 1').read()).toBeNull()
    await expect(wlPaste('echo "Failed to connect" >&2; exit 1').read()).rejects.toMatchObject({
      message: 'Cannot read the clipboard: wl-paste says "Failed to connect"',
    })
    // Whatever it started keeps its stream open, and must not keep the read waiting.
    const begin = performance.now()
    await expect(wlPaste('sleep 8').read()).rejects.toMatchObject({
      message: 'Cannot read the clipboard: no answer within 2 s',
    })
    expect(performance.now() - begin).toBeLessThan(5000)
  })
})
