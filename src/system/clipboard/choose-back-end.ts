import { release } from 'node:os'
import { RelayError } from '../../errors.ts'
import type { ClipboardBackEnd } from '../../ports.ts'
import { findProgram, withoutProjects } from '../find-program.ts'
import { isSet } from '../is-set.ts'
import { byPrograms, dataControlPrograms, waylandPrograms, x11Programs, xselPrograms } from './programs.ts'
import { orNull } from './text.ts'
import { otherWay, powershellLimitMs, within } from './trouble.ts'
import { waylandInterfaces, waylandSocket } from './wayland/interfaces.ts'
import { wlWatch } from './wayland/wl-watch.ts'
import { x11Clipboard } from './x11/x11-clipboard.ts'

/** The best way to the clipboard here. With the wish `poll` it is one that relay looks at again and again. */
export async function chooseBackEnd(env: NodeJS.ProcessEnv, wish: 'auto' | 'poll'): Promise<ClipboardBackEnd> {
  if (process.platform === 'darwin') return byLibrary('pbpaste', 'macOS does not announce copies')
  if (process.platform === 'win32') return byLibrary('Windows', 'relay checks it at intervals', powershellLimitMs)
  const socket = waylandSocket(env)
  const hasX11 = isSet(env['DISPLAY'])
  if (socket !== undefined) return onWayland(socket, env, wish, hasX11)
  const isWsl = isSet(env['WSL_DISTRO_NAME']) || /microsoft/i.test(release())
  if (isWsl && (wish === 'poll' || !hasX11)) return byLibrary('powershell.exe', 'Windows below WSL', powershellLimitMs)
  if (hasX11) return onX11(env, wish, 'the X server announces each copy')
  if (isSet(env['TERMUX_VERSION'])) return byLibrary('termux', 'Android')
  return none('neither DISPLAY nor WAYLAND_DISPLAY names a desktop')
}

async function onWayland(
  socket: string,
  env: NodeJS.ProcessEnv,
  wish: 'auto' | 'poll',
  hasX11: boolean,
): Promise<ClipboardBackEnd> {
  const offered = await waylandInterfaces(socket)
  const tells = dataControl.some(name => offered.has(name))
  const hasWlPaste = findProgram('wl-paste', env) !== null
  if (tells && hasWlPaste) {
    return wish === 'auto'
      ? wlWatch(env, 'the Wayland compositor announces each copy')
      : byPrograms(dataControlPrograms, env, pollWish)
  }
  if (hasX11) {
    if (offered.size > 0 && !tells) return onX11(env, wish, 'the Wayland compositor passes copies on to X11')
    const why = tells ? 'wl-paste is missing' : silent
    const cure = tells ? ' without wl-paste: install wl-clipboard' : `, for ${silent}`
    return { ...onX11(env, wish, why), caution: `relay may miss copies of Wayland programs${cure}` }
  }
  if (!hasWlPaste) return none('wl-paste is missing: install wl-clipboard')
  if (wish === 'poll') return byPrograms(waylandPrograms, env, `${pollWish}; each check takes the keyboard's focus`)
  if (offered.size === 0) return none(silent)
  return none(
    `this Wayland compositor shows copies only to the program with the keyboard focus; with ${pollWish} relay takes the focus at each check`,
  )
}

const pollWish = '"clipboard": "poll"'
const silent = 'no Wayland compositor answers'

/** Protocols by which a compositor tells programs without the keyboard's focus about copies. */
const dataControl = ['zwlr_data_control_manager_v1', 'ext_data_control_manager_v1']

function onX11(env: NodeJS.ProcessEnv, wish: 'auto' | 'poll', why: string): ClipboardBackEnd {
  const xclip = findProgram('xclip', env) === null ? undefined : byPrograms(x11Programs, env, pollWish)
  if (wish === 'poll' && xclip !== undefined) return xclip
  const isFleeting = xclip === undefined && findProgram('xsel', env) === null
  const xsel = byPrograms(xselPrograms, env, why)
  const otherwise = (text: string) =>
    xsel.write(text).catch(cause => (isFleeting ? missing(cause) : Promise.reject(cause)))
  const own = {
    ...x11Clipboard(env, why, { lasting: xclip?.write, otherwise }),
    ...(isFleeting ? { fleeting } : {}),
  }
  if (wish === 'auto') return own
  const { listen: _deaf, ...rest } = own
  return { ...rest, kind: 'looks', name: `x11 on ${env['DISPLAY']}`, why: `${pollWish}; xclip is missing` }
}

/** A copied text lives in the program that copied it. */
const fleeting = { why: 'without xclip or xsel, a text is lost when relay ends', hint: 'Install xclip.' }

/**
 * Replaces a message that names another program. Some screens show the message alone, so it holds the remedy as well.
 */
function missing(cause: unknown): never {
  const { why, hint } = fleeting
  throw new RelayError('environment', `Cannot write the clipboard: ${why} (install xclip)`, { hint, cause })
}

function none(why: string): ClipboardBackEnd {
  const unreachable = async (): Promise<never> => {
    throw new RelayError('environment', `Cannot reach the clipboard: ${why}`, { hint: otherWay })
  }
  return { kind: 'none', name: 'none', why, read: unreachable, write: unreachable }
}

/** The library's way, for macOS, Windows and Android. Its reads know no time limit, so only one is ever under way. */
export function byLibrary(name: string, why: string, limitMs?: number): ClipboardBackEnd {
  let reading: Promise<string> | undefined
  return {
    kind: 'looks',
    name,
    why,

    async read() {
      reading ??= libraryRead().finally(() => {
        reading = undefined
      })
      // This one answers the first caller. A later failure of it was told already.
      reading.catch(() => {})
      return orNull(await within(reading, 'read', limitMs))
    },

    async write(text) {
      const { default: clipboard } = await import('clipboardy')
      await within(
        inNoProject(() => clipboard.write(text)),
        'write',
        limitMs,
      )
    },
  }
}

async function libraryRead(): Promise<string> {
  const { default: clipboard } = await import('clipboardy')
  return inNoProject(() => clipboard.read())
}

/** The library takes no environment: it looks for its program by this process's PATH, as soon as it is called. */
function inNoProject<T>(start: () => Promise<T>): Promise<T> {
  const { PATH } = process.env
  if (PATH === undefined) return start()
  process.env['PATH'] = withoutProjects(process.env)['PATH']
  try {
    return start()
  } finally {
    process.env['PATH'] = PATH
  }
}
