import type { ClipboardBackEnd } from '../../ports.ts'
import { systemClock } from '../clock.ts'
import { decode, looksBinary, textOf } from './text.ts'
import { failed, noAnswer, sizeLimit, timeLimitMs, tooLarge, within } from './trouble.ts'

type Words = readonly [program: string, ...args: string[]]

export interface Programs {
  readonly name: string
  readonly read: Words
  readonly write: Words
  /** Lists the kinds that the owner offers. Without it, all content counts as text. */
  readonly types?: Words
  /** The desktop lists the kinds, and says nothing where nothing is copied: the reader waits for that. */
  readonly waitsForCopy?: true
  /** How the reader says that there is no text. */
  readonly nothing: RegExp
}

export const x11Programs: Programs = {
  name: 'xclip',
  read: ['xclip', '-selection', 'clipboard', '-o'],
  write: ['xclip', '-selection', 'clipboard', '-i'],
  types: ['xclip', '-selection', 'clipboard', '-o', '-t', 'TARGETS'],
  nothing: /target \S+ not available/,
}

export const xselPrograms: Programs = {
  name: 'xsel',
  read: ['xsel', '--clipboard', '--output'],
  write: ['xsel', '--clipboard', '--input'],
  nothing: /^$/,
}

export const waylandPrograms: Programs = {
  name: 'wl-paste',
  read: ['wl-paste', '--no-newline', '--type', 'text'],
  write: ['wl-copy', '--type', 'text/plain'],
  types: ['wl-paste', '--list-types'],
  nothing: /nothing is copied|no selection|no suitable type|not available as requested/i,
}

/**
 * For compositors that tell programs without the keyboard's focus about copies. KWin says nothing when nothing is
 * there.
 */
export const dataControlPrograms: Programs = { ...waylandPrograms, waitsForCopy: true }

/** A clipboard that relay reaches by a program for each look. It can give up a look. */
export function byPrograms(programs: Programs, env: NodeJS.ProcessEnv, why: string): ClipboardBackEnd {
  // Ended a little earlier, so that no program is left when relay reports that there is no answer.
  const limits = { timeout: timeLimitMs - 100, killSignal: 'SIGKILL', reject: false, env, extendEnv: false } as const

  const list = async ([program, ...args]: Words, timeout = limits.timeout) => {
    const { execa } = await import('execa')
    return execa(program, args, { ...limits, timeout, stdin: 'ignore' })
  }

  /** Some owners give their picture to any program that asks for text, so the types on offer decide. */
  const isText = async (bytes: Uint8Array) => {
    if (programs.types === undefined || !looksBinary(bytes)) return true
    const result = await list(programs.types)
    return result.failed || /^(UTF8_STRING|STRING|TEXT|text\/)/m.test(result.stdout ?? '')
  }

  /** Asked when a read takes long, and answered before relay gives it up: is the desktop silent? */
  const watchSilence = () => {
    const { types, waitsForCopy } = programs
    if (types === undefined || waitsForCopy === undefined) return undefined
    let listing: ReturnType<typeof list> | undefined
    const timer = setTimeout(() => {
      listing = list(types, slowMs)
    }, slowMs)
    return { isDesktops: async () => (await listing)?.timedOut === true, stop: () => clearTimeout(timer) }
  }

  const read = async (signal?: AbortSignal) => {
    const { execa } = await import('execa')
    const [program, ...args] = programs.read
    const reading = execa(program, args, {
      ...limits,
      ...(signal === undefined ? {} : { cancelSignal: signal }),
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: sizeLimit,
      stdin: 'ignore',
    })
    const silence = watchSilence()
    const result = await within(reading, 'read').finally(silence?.stop)
    if (result.timedOut) {
      if (await silence?.isDesktops()) return null
      throw noAnswer('read')
    }
    if (result.isMaxBuffer) throw tooLarge()
    if (result.failed) return noText(programs, result)
    return (await isText(result.stdout)) ? textOf(result.stdout) : null
  }

  return {
    kind: 'looks',
    name: programs.name,
    why,
    read,

    async write(text) {
      const { execa } = await import('execa')
      const [program, ...args] = programs.write
      // The program stays behind to hand the text out, so it must neither hold a stream of ours nor end with us.
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
        await systemClock.sleep(20)
      }
    },
  }
}

/** A reader fails in its own way where there is no text. */
function noText({ read: [program], nothing }: Programs, result: Failure): null {
  const said = decode(result.stderr)
  if (nothing.test(said)) return null
  throw failed('read', program, said || (result.shortMessage ?? ''), result)
}

interface Failure {
  readonly stderr: Uint8Array
  readonly shortMessage?: string | undefined
}

/** A read that takes longer needs a reason. Twice this time is less than the time limit. */
const slowMs = 900
