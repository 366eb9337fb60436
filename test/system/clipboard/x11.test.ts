import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ByteQueue } from '../../../src/system/clipboard/byte-queue.ts'
import type { LineListener } from '../../../src/system/clipboard/line.ts'
import { cookiesFor } from '../../../src/system/clipboard/x11/authority.ts'
import { Connection } from '../../../src/system/clipboard/x11/connection.ts'
import { readDisplay } from '../../../src/system/clipboard/x11/display-address.ts'
import * as wire from '../../../src/system/clipboard/x11/wire.ts'
import { x11Clipboard } from '../../../src/system/clipboard/x11/x11-clipboard.ts'
import { canRunWith, hasProgram } from '../../support/has-program.ts'
import { until } from '../../support/until.ts'
import { startXDisplay, type XDisplay } from '../../support/x-display.ts'
import { ownAs, ownXClipboard, startCopier } from '../../support/x-owner.ts'

describe('the address of a display', () => {
  it.each([
    [':0', '0', undefined, [{ path: '/tmp/.X11-unix/X0' }, { path: '\0/tmp/.X11-unix/X0' }]],
    [':12.1', '12', undefined, [{ path: '/tmp/.X11-unix/X12' }, { path: '\0/tmp/.X11-unix/X12' }]],
    ['unix:1', '1', undefined, [{ path: '/tmp/.X11-unix/X1' }, { path: '\0/tmp/.X11-unix/X1' }]],
    ['unix/box:1', '1', undefined, [{ path: '/tmp/.X11-unix/X1' }, { path: '\0/tmp/.X11-unix/X1' }]],
    ['localhost:10.0', '10', 'localhost', [{ host: 'localhost', port: 6010 }]],
    ['tcp/box:0', '0', 'box', [{ host: 'box', port: 6000 }]],
    ['[::1]:2', '2', '::1', [{ host: '::1', port: 6002 }]],
    ['::1:2', '2', '::1', [{ host: '::1', port: 6002 }]],
    [
      '/tmp/launch/org.xquartz:0',
      '0',
      undefined,
      [{ path: '/tmp/launch/org.xquartz:0' }, { path: '/tmp/launch/org.xquartz:0' }],
    ],
  ])('is read from %s', (display, number, host, doors) => {
    expect(readDisplay(display)).toEqual({ number, host, doors })
  })

  it.each(['', '0', 'box', 'box:', ':x', 'tcp/:0', 'box:59536'])('is not read from "%s"', display => {
    expect(readDisplay(display)).toBeUndefined()
  })
})

it('hangs up on a server that begins an answer which is longer than any text may be', async () => {
  const listeners: LineListener[] = []
  let isOpen = true
  const line = {
    send() {},
    handTo: (listener: LineListener) => listeners.push(listener),
    hangUp: () => (isOpen = false),
  }
  const setup = { kind: 'accepted', root: 1, idBase: 0, idMask: 1, longestRequest: 1 << 18 } as const
  const connection = new Connection(line as never, setup, new ByteQueue())
  const answer = connection.ask(Buffer.alloc(4))
  const head = Buffer.alloc(32)
  head.writeUInt8(1, 0)
  head.writeUInt32LE((65 * 1024 * 1024) / 4, 4)
  listeners[0]?.received(head)
  await expect(answer).rejects.toThrow('more than was asked for')
  expect(isOpen).toBe(false)
})

describe('a server that is no good one', () => {
  const answer = (kind: number, most: number, ...data: readonly Buffer[]) => {
    const body = Buffer.concat(data)
    return Buffer.concat([Buffer.from([kind, most, 11, 0, 0, 0, body.length / 4, 0]), body])
  }
  const accepted = answer(1, 0, Buffer.alloc(32).fill(1, 4, 12), Buffer.alloc(40))
  const longAnswer = Buffer.alloc(32)
  longAnswer.writeUInt8(1, 0)
  longAnswer.writeUInt32LE((65 * 1024 * 1024) / 4, 4)

  it.each([
    ['an answer that ends at once', [answer(1, 0)], 'its answer is none of an X server'],
    [
      'an answer that ends before its screens',
      [answer(1, 0, Buffer.alloc(32, 255))],
      'its answer is none of an X server',
    ],
    ['a refusal', [answer(0, 9, Buffer.from('go away!\n\0\0\0'))], 'go away!'],
    ['a long refusal', [answer(2, 0, Buffer.alloc(800, 'no'))], `${'no'.repeat(100)}…`],
    ['a hearing, and then too much', [accepted, longAnswer], undefined],
    ['a hearing, and then a no', [accepted, Buffer.from([0, 11, 1, 0, ...Buffer.alloc(28)])], undefined],
  ])('gives %s: the machine lacks a clipboard', async (_what, answers, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'relay-x11-'))
    const place = `${join(folder, 'display')}:0`
    const server = createServer(socket => {
      const left = [...answers]
      socket.on('data', () => socket.write(left.shift() ?? '')).on('error', () => undefined)
    })
    await new Promise<void>(resolve => server.listen(place, resolve))
    try {
      const read = clipboardOn({ DISPLAY: place, HOME: folder }).read()
      const message =
        reason === undefined
          ? expect.stringMatching(/^Lost the clipboard: /)
          : `No clipboard: X display ${place} cannot be reached: ${reason}`
      await expect(read).rejects.toMatchObject({ name: 'RelayError', kind: 'environment', message })
    } finally {
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the cookies of a display', () => {
  const entry = (family: number, address: string, number: string, cookie: string, name = 'MIT-MAGIC-COOKIE-1') => {
    const field = (text: string) => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)])
    const head = Buffer.alloc(2)
    head.writeUInt16BE(family)
    return Buffer.concat([head, field(address), field(number), field(name), field(cookie)])
  }
  const file = Buffer.concat([
    entry(0, '\x7f\0\0\x01', '0', 'internet'),
    entry(65535, '', '', 'any'),
    entry(256, 'elsewhere', '0', 'elsewhere'),
    entry(256, 'box', '1', 'other number'),
    entry(256, 'box', '0', 'secret', 'XDM-AUTHORIZATION-1'),
    entry(256, 'box', '0', 'here'),
    entry(256, 'box', '0', 'here'),
  ])
  const cookies = (display: string, bytes = file) => {
    const address = readDisplay(display)
    return address === undefined ? [] : cookiesFor(address, 'box', bytes).map(String)
  }

  it('come in the order in which they are likely to open it, each once', () => {
    expect(cookies(':0')).toEqual(['here', 'any', 'elsewhere', 'internet'])
    expect(cookies('localhost:0')).toEqual(['internet', 'here', 'any', 'elsewhere'])
    expect(cookies(':1')).toEqual(['other number', 'any'])
  })

  it('are read as far as the file is whole', () => {
    expect(cookies(':0', file.subarray(0, 50))).toEqual(['internet'])
    expect(cookies(':0', Buffer.from([1]))).toEqual([])
  })
})

const nobodyWrites = () => Promise.reject(new Error('no other way'))
const clipboardOn = (env: NodeJS.ProcessEnv) =>
  x11Clipboard(env, 'a test', { lasting: undefined, otherwise: nobodyWrites })

/** A clipboard that listens, until it is told to stop. */
async function listenOn(env: NodeJS.ProcessEnv) {
  const clipboard = clipboardOn(env)
  const end = new AbortController()
  const listening = clipboard.listen?.(end.signal)[Symbol.asyncIterator]()
  await listening?.next()
  const stop = async () => {
    end.abort()
    await listening?.next()
  }
  return { clipboard, stop }
}

// In CI what cannot run is a failure.
describe.runIf(canRunWith('Xvfb', 'xclip'))('the X11 clipboard', () => {
  let display: XDisplay
  const folder = mkdtempSync(join(tmpdir(), 'relay-x11-'))
  beforeAll(async () => {
    display = await startXDisplay()
  })
  afterAll(async () => {
    await display?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tells whether its display is there', async () => {
    expect(await clipboardOn(display.env).isThere?.()).toBe(true)
    expect(await clipboardOn({ DISPLAY: '/tmp/no-display:0' }).isThere?.()).toBe(false)
  })

  it('prefers UTF-8, and takes what else is text from programs that have none', async () => {
    const { env } = display
    const clipboard = clipboardOn(env)
    const latin1 = Buffer.from('n\xe4he', 'latin1')
    const listed = (atoms: readonly number[]) => [wire.atomOf.atom, wire.words(atoms)] as [number, Buffer]
    const string = wire.atomOf.string

    let owner = await ownAs(env, a => ({ [a.utf8]: [a.utf8, Buffer.from('utf8')], [string]: [string, latin1] }))
    expect(await clipboard.read()).toBe('utf8')
    expect(owner.asked).toHaveLength(1)
    owner.die()

    owner = await ownAs(env, a => ({ [a.targets]: listed([a.targets, string]), [string]: [string, latin1] }))
    expect(await clipboard.read()).toBe('nähe')
    owner.die()

    owner = await ownAs(env, a => ({
      [a.targets]: listed([string, a.plainUtf8]),
      [a.plainUtf8]: [a.plainUtf8, Buffer.from('✅')],
      [string]: [string, Buffer.from('?')],
    }))
    expect(await clipboard.read()).toBe('✅')
    owner.die()

    // Many call UTF-8 a STRING, and few answer TARGETS with nothing.
    owner = await ownAs(env, () => ({ [string]: [string, Buffer.from('✅')] }))
    expect(await clipboard.read()).toBe('✅')
    owner.die()

    owner = await ownAs(env, a => ({ [a.targets]: listed([a.targets, a.timestamp]) }))
    expect(await clipboard.read()).toBeNull()
    owner.die()
  })

  it('keeps the window for an answer that comes too late, for its program would end with it', async () => {
    const { env } = display
    const { clipboard, stop } = await listenOn(env)
    const requests: wire.SelectionRequest[] = []
    let answers = false
    const owner = await ownXClipboard(env, (request, { connection }) => {
      if (answers) connection.send(wire.notifySelection(request, 0))
      else requests.push(request)
    })
    await expect(clipboard.read()).rejects.toThrow('no answer')
    const { connection, atoms } = owner.session
    const windows = requests.map(({ requestor }) => requestor)
    const reach = (window: number) => connection.ask(wire.getProperty(window, atoms.transfer, 0))
    await Promise.all(windows.map(reach))
    answers = true
    for (const request of requests) connection.send(wire.notifySelection(request, 0))
    await expect
      .poll(() => Promise.allSettled(windows.map(reach)))
      .toEqual(windows.map(() => expect.objectContaining({ status: 'rejected' })))
    await stop()
    owner.die()
  })

  it('reads a text that comes in one piece of 5 MB as well', async () => {
    const { env } = display
    const part = Buffer.alloc(200_000, 'x')
    const owner = await ownXClipboard(env, (request, { connection, atoms }) => {
      for (let parts = 0; parts < 25; parts++) {
        const change = wire.changeProperty(request.requestor, request.property, atoms.utf8, 8, part)
        // At the end of what is there.
        change.writeUInt8(2, 1)
        connection.send(change)
      }
      connection.send(wire.notifySelection(request, request.property))
    })
    expect((await clipboardOn(env).read()) === 'x'.repeat(5_000_000)).toBe(true)
    owner.die()
  })

  it('reads on when a text is overtaken by the next one, and does not mix them', async () => {
    const { env } = display
    const slow = await ownXClipboard(env, () => {})
    // Time is the test's: however long the next program takes to begin, the first is not given up for that.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let text: unknown
      void clipboardOn(env)
        .read()
        .catch(error => error)
        .then(read => (text = read))
      await until(() => slow.asked.length > 0, 'a look at the first')
      await display.own('the next')
      const afterAStep = () => {
        vi.advanceTimersByTime(250)
        return text
      }
      await expect.poll(afterAStep, { interval: 100 }).toBe('the next')
    } finally {
      vi.useRealTimers()
      slow.die()
    }
  })

  it.skipIf('Bun' in globalThis)('keeps nothing of what it has read', async () => {
    const { env } = display
    const owner = await display.own('x'.repeat(1_000_000))
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { clipboard, stop } = await listenOn(env)
    const held = async (reads: number) => {
      for (let number = 0; number < reads; number++) await clipboard.read()
      // What is freed with a promise needs a turn, and a busy machine gives the memory back after another collection.
      for (let turn = 0; turn < 5; turn++) {
        await new Promise(resolve => setImmediate(resolve))
        collect()
      }
      return process.memoryUsage().arrayBuffers
    }
    const before = await held(5)
    expect((await held(40)) - before).toBeLessThan(20_000_000)
    await stop()
    owner.kill()
  })

  it('hands out its own text as long as it listens, in pieces where it is long, and several kinds at once', async () => {
    const { env } = display
    const { clipboard, stop } = await listenOn(env)
    const xclip = async (...args: readonly string[]) => {
      const options = { env, maxBuffer: 2 ** 28 }
      return (await promisify(execFile)('xclip', ['-selection', 'clipboard', '-o', ...args], options)).stdout
    }
    for (const text of ['kürz\n', 'x'.repeat(300_000), 'wörld\n'.repeat(3_000_000)]) {
      await clipboard.write(text)
      expect((await xclip()) === text).toBe(true)
      expect((await clipboard.read()) === text).toBe(true)
    }
    expect(await xclip('-t', 'TARGETS')).toBe(
      'TARGETS\nTIMESTAMP\nMULTIPLE\nUTF8_STRING\ntext/plain;charset=utf-8\ntext/plain\n',
    )
    expect(await xclip('-t', 'TIMESTAMP')).toMatch(/^\d+\n$/)
    await expect(xclip('-t', 'image/png')).rejects.toThrow('not available')
    await stop()
    expect(await clipboard.read()).toBeNull()
    await expect(clipboard.write('x')).rejects.toThrow('no other way')
  })

  it.runIf(hasProgram('xclip'))('keeps a text that follows at once on one of another program', async () => {
    const { env } = display
    const copier = await startCopier(env)
    await copier.copy('first')
    // This process waits for both, so that it hears of the other's text only behind its own second one.
    const xclip = ['-selection', 'clipboard']
    execFileSync('xclip', xclip, { env, input: 'other', stdio: ['pipe', 'ignore', 'ignore'] })
    // That program ends a moment before it has the clipboard: a look that comes first asks this process, which waits.
    const look = () => spawnSync('xclip', [...xclip, '-o'], { env, timeout: 500 }).stdout.toString()
    let seen = look()
    for (let looks = 1; seen === '' && looks < 40; looks++) seen = look()
    expect(seen).toBe('other')
    await copier.copy('second')
    expect((await promisify(execFile)('xclip', [...xclip, '-o'], { env })).stdout).toBe('second')
    copier.end()
  })

  it.runIf(hasProgram('xauth'))('lets itself in with a cookie, through a socket and over the network', async () => {
    const authority = join(folder, 'Xauthority')
    const cookie = 'c0ffee'.padEnd(32, '0')
    const add = (name: string) => execFileSync('xauth', ['-f', authority, 'add', name, '.', cookie], { stdio: 'pipe' })
    add(':99')
    const guarded = await startXDisplay(['-listen', 'tcp', '-auth', authority])
    try {
      const number = guarded.env['DISPLAY'] ?? ''
      add(`${hostname()}/unix${number}`)
      const wrongCookie = join(folder, 'wrong')
      execFileSync('xauth', ['-f', wrongCookie, 'add', `${hostname()}/unix${number}`, '.', '0'.repeat(32)], {
        stdio: 'pipe',
      })
      // The server has read the file already, and takes any cookie in it.
      for (const place of [number, `localhost${number}.0`, `127.0.0.1${number}`]) {
        const env = { ...guarded.env, DISPLAY: place, XAUTHORITY: authority, HOME: folder }
        expect(await clipboardOn(env).read()).toBeNull()
        const refused = clipboardOn({ ...env, XAUTHORITY: join(folder, 'none'), HOME: join(folder, 'none') }).read()
        await expect(refused).rejects.toMatchObject({
          kind: 'environment',
          message: expect.stringMatching(/No clipboard: X display .*: .*authori/i),
        })
        const wrong = clipboardOn({ ...env, XAUTHORITY: wrongCookie }).read()
        await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/invalid.*cookie/i) })
      }
    } finally {
      await guarded.stop()
    }
  })

  it.each([
    [':4242', 'No clipboard: X display :4242 does not exist'],
    ['localhost:4242', 'No clipboard: X display localhost:4242 refuses connections'],
    ['nonsense', 'No clipboard: X display nonsense cannot be reached: DISPLAY does not name a display'],
  ])('says why there is no display at %s', async (DISPLAY, message) => {
    await expect(clipboardOn({ ...display.env, DISPLAY }).read()).rejects.toMatchObject({
      kind: 'environment',
      message,
    })
  })
})
