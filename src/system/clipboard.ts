import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Clipboard } from '../ports.ts'
import { findProgram } from './find-program.ts'

/** The desktop's clipboard. Which way leads to it is decided when it is first needed. */
export function systemClipboard(env: NodeJS.ProcessEnv = process.env): Clipboard {
  let chosen: Clipboard | undefined
  const way = () => {
    chosen ??= choose(env)
    return chosen
  }
  return {
    get name() {
      return way().name
    },
    read: () => way().read(),
    write: text => way().write(text),
  }
}

/**
 * `xclip` and `wl-paste` where they are: a read of them can be given up. The library's own way on X11, `xsel`, fails
 * on every second text of some megabytes and waits for ever on a program that does not answer.
 */
function choose(env: NodeJS.ProcessEnv): Clipboard {
  if (process.platform !== 'linux') return byLibrary(platformName())
  const x11 = isSet(env['DISPLAY']) && findProgram('xclip', env) !== null
  const wayland = hasWaylandSocket(env) && findProgram('wl-paste', env) !== null
  // Each read of wl-paste takes the keyboard focus on GNOME; its X server passes everything on.
  const gnome = /gnome/i.test(env['XDG_CURRENT_DESKTOP'] ?? '')
  if (wayland && !(gnome && x11)) return byPrograms(waylandPrograms, env)
  if (x11) return byPrograms(x11Programs, env)
  if (isWsl(env)) return byLibrary('powershell.exe')
  if (isSet(env['TERMUX_VERSION'])) return byLibrary('termux')
  if (isSet(env['DISPLAY']) || hasWaylandSocket(env)) return byLibrary('xsel')
  return unreachable
}

interface Programs {
  readonly name: string
  readonly read: readonly [string, ...string[]]
  readonly write: readonly [string, ...string[]]
  /** Lists the kinds that the owner offers. */
  readonly types: readonly [string, ...string[]]
  /** How the reader says that there is no text. */
  readonly nothing: RegExp
}

const x11Programs: Programs = {
  name: 'xclip',
  read: ['xclip', '-selection', 'clipboard', '-o'],
  write: ['xclip', '-selection', 'clipboard', '-i'],
  types: ['xclip', '-selection', 'clipboard', '-o', '-t', 'TARGETS'],
  nothing: /target \S+ not available/,
}

const waylandPrograms: Programs = {
  name: 'wl-paste',
  read: ['wl-paste', '--no-newline', '--type', 'text'],
  write: ['wl-copy', '--type', 'text/plain'],
  types: ['wl-paste', '--list-types'],
  nothing: /nothing is copied|no selection|no suitable type|not available as requested/i,
}

const timeLimitMs = 2000
const sizeLimit = 64 * 1024 * 1024

function byPrograms(programs: Programs, env: NodeJS.ProcessEnv): Clipboard {
  // Ended a little earlier, so that nothing is left running when the answer is "no answer".
  const limits = { timeout: timeLimitMs - 100, killSignal: 'SIGKILL', reject: false, env, extendEnv: false } as const

  /** Some owners hand out their picture to whoever asks for text: what they offer decides. */
  const hasText = async () => {
    const { execa } = await import('execa')
    const [program, ...args] = programs.types
    const result = await execa(program, args, { ...limits, stdin: 'ignore' })
    return result.failed || /^(UTF8_STRING|STRING|TEXT|text\/)/m.test(result.stdout ?? '')
  }

  const read = async () => {
    const { execa } = await import('execa')
    const [program, ...args] = programs.read
    const reading = execa(program, args, {
      ...limits,
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: sizeLimit,
      stdin: 'ignore',
    })
    const result = await within(reading, 'read')
    if (result.timedOut) throw noAnswer('read')
    if (result.isMaxBuffer) {
      throw new RelayError('environment', 'Cannot read the clipboard: it holds more than 64 MB', { hint: otherWay })
    }
    if (!result.failed) return looksBinary(result.stdout) && !(await hasText()) ? null : textOf(result.stdout)
    const said = decode(result.stderr)
    if (programs.nothing.test(said)) return null
    throw failed('read', program, said === '' ? (result.shortMessage ?? '') : said, result)
  }

  return {
    name: programs.name,
    read,

    async write(text) {
      const { execa } = await import('execa')
      const [program, ...args] = programs.write
      // The program stays behind to hand the text out: it must neither keep a stream of ours open nor go with us.
      const result = await execa(program, args, {
        ...limits,
        input: text,
        stdout: 'ignore',
        stderr: 'ignore',
        detached: true,
        cleanup: false,
      })
      if (result.timedOut) throw noAnswer('write')
      if (result.failed) throw failed('write', program, result.shortMessage ?? '', result)
      // These programs end when they have asked for the clipboard, which can be a moment before they have it.
      const patience = performance.now() + 1000
      while (performance.now() < patience && (await read().catch(() => undefined)) !== (text === '' ? null : text)) {
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
  }
}

/** The library's way: macOS, Windows, and `xsel`. Its reads know no time limit, so only one is ever under way. */
function byLibrary(name: string): Clipboard {
  let reading: Promise<string> | undefined
  return {
    name,

    async read() {
      reading ??= libraryRead().finally(() => {
        reading = undefined
      })
      // Whoever comes first is answered by this one; a late failure of it has been told already.
      reading.catch(() => {})
      return orNull(await within(reading, 'read'))
    },

    async write(text) {
      const { default: clipboard } = await import('clipboardy')
      await within(clipboard.write(text), 'write')
    },
  }
}

async function libraryRead(): Promise<string> {
  const { default: clipboard } = await import('clipboardy')
  return clipboard.read()
}

async function within<T>(work: Promise<T>, verb: 'read' | 'write'): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswer(verb)), timeLimitMs)
  })
  try {
    return await Promise.race([work, limit])
  } catch (cause) {
    if (cause instanceof RelayError) throw cause
    throw failed(verb, 'clipboard', (cause as Error).message, cause)
  } finally {
    clearTimeout(timer)
  }
}

const otherWay = 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.'

const noDisplay = async (): Promise<never> => {
  throw new RelayError('environment', 'Cannot reach the clipboard: no display', { hint: otherWay })
}

const unreachable: Clipboard = { name: 'none', read: noDisplay, write: noDisplay }

function noAnswer(verb: 'read' | 'write'): RelayError {
  const hint = 'The program that owns it may hang: copy something from another one.'
  return new RelayError('environment', `Cannot ${verb} the clipboard: no answer within 2 s`, { hint })
}

function failed(verb: 'read' | 'write', program: string, said: string, cause: unknown): RelayError {
  const reason = said.trim().split('\n')[0] ?? ''
  return new RelayError('environment', `Cannot ${verb} the clipboard: ${program} says "${reason}"`, {
    hint: otherWay,
    cause,
  })
}

function textOf(bytes: Uint8Array): string | null {
  return orNull(decode(bytes))
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

function looksBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) || !isUtf8(bytes)
}

/** What is no UTF-8 becomes U+FFFD. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

/** A variable that is left over from a session that has ended leads nowhere. */
function hasWaylandSocket(env: NodeJS.ProcessEnv): boolean {
  const display = env['WAYLAND_DISPLAY']
  if (display === undefined || display === '') return false
  return existsSync(display.startsWith('/') ? display : join(env['XDG_RUNTIME_DIR'] ?? '', display))
}

function isWsl(env: NodeJS.ProcessEnv): boolean {
  return isSet(env['WSL_DISTRO_NAME']) || /microsoft/i.test(release())
}

function platformName(): string {
  if (process.platform === 'darwin') return 'pbpaste'
  return process.platform === 'win32' ? 'Windows' : process.platform
}
