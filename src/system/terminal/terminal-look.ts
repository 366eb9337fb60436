import type { Terminal } from '../../ports.ts'
import { isSet } from '../is-set.ts'

/** The facts about a stream that are known without writing to it. */
interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
}

/**
 * The one place that decides what relay may send to the screen: colour, a live line, signs beyond ASCII, texts to
 * copy.
 */
export function terminalLook(
  env: NodeJS.ProcessEnv,
  streams: { readonly out: Stream; readonly err: Stream },
  platform: NodeJS.Platform,
): Pick<Terminal, 'live' | 'colour' | 'unicode' | 'links' | 'takesCopies'> {
  const plain = env['TERM'] === 'dumb' || isOn(env['CI'])
  return {
    // A terminal without a width (a pty whose size was never set) has no room for a live line, and drawing one never
    // ends.
    live: streams.err.isTTY === true && streams.err.columns !== 0 && !plain,
    colour: { out: mayColour(env, streams.out, plain), err: mayColour(env, streams.err, plain) },
    unicode: mayUnicode(env, platform),
    links: streams.err.isTTY === true && !plain ? linkSupport(env) : 'none',
    // A console has no clipboard, and the log of a pipeline shows sequences that a terminal takes out.
    takesCopies: streams.err.isTTY === true && !plain && !/^(dumb|linux)/.test(env['TERM'] ?? ''),
  }
}

/** The user's wish comes first (no before yes), then what the stream can show. */
function mayColour(env: NodeJS.ProcessEnv, stream: Stream, plain: boolean): boolean {
  if (isSet(env['NO_COLOR'])) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] === '' || isOn(env['FORCE_COLOR'])
  if (isOn(env['CLICOLOR_FORCE'])) return true
  if (env['CLICOLOR'] === '0' || plain) return false
  return stream.isTTY === true
}

/** A system that does not name its characters gets ASCII, as in the C locale. */
function mayUnicode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (isOn(env['RELAY_ASCII']) || env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet)
  if (locale !== undefined) return /utf-?8/i.test(locale)
  if (platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined
  return platform === 'darwin'
}

export function isOn(value: string | undefined): boolean {
  return isSet(value) && value !== '0' && value !== 'false'
}

/**
 * What a terminal makes of links (OSC 8), as far as the environment tells. A terminal cannot be asked, so only known
 * ones get links.
 */
function linkSupport(env: NodeJS.ProcessEnv): Terminal['links'] {
  const has = (name: string) => isSet(env[name])
  const opensLines = env['TERM'] === 'xterm-kitty' || env['TERM_PROGRAM'] === 'vscode'
  if (has('RELAY_NO_HYPERLINK') || env['FORCE_HYPERLINK'] === '0') return 'none'
  if (has('FORCE_HYPERLINK')) return opensLines ? 'lines' : 'files'
  if (ELSEWHERE.some(has)) return 'none'
  if (has('TMUX')) return tmuxKnowsLinks(env) ? 'files' : 'none'
  if (has('STY') || /^(screen|tmux|linux|dumb)/.test(env['TERM'] ?? '')) return 'none'
  if (opensLines) return 'lines'
  return isKnown(env) ? 'files' : 'none'
}

/** Any of these says that the files are on another machine than the one on which the user clicks. */
const ELSEWHERE = ['SSH_CONNECTION', 'SSH_TTY', 'WSL_DISTRO_NAME']

/** tmux passes a link on only if it knows links itself. */
function tmuxKnowsLinks(env: NodeJS.ProcessEnv): boolean {
  return env['TERM_PROGRAM'] === 'tmux' && atLeast(env['TERM_PROGRAM_VERSION'], 3, 4)
}

function isKnown(env: NodeJS.ProcessEnv): boolean {
  const version = env['TERM_PROGRAM_VERSION']
  switch (env['TERM_PROGRAM']) {
    case 'iTerm.app':
      return atLeast(version, 3, 1)
    case 'WezTerm':
    case 'ghostty':
    case 'rio':
      return true
  }
  if (/^(xterm-ghostty|foot|foot-extra|alacritty|wezterm|contour)/.test(env['TERM'] ?? '')) return true
  if (isSet(env['WT_SESSION'])) return true
  // GNOME's terminals; 0.50.0 breaks on a link.
  const vte = Number(env['VTE_VERSION'] ?? 0)
  return vte > 5000 || Number(env['KONSOLE_VERSION'] ?? 0) >= 201200
}

function atLeast(version: string | undefined, major: number, minor: number): boolean {
  const [, has = '-1', more = '0'] = /^(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? []
  return Number(has) > major || (Number(has) === major && Number(more) >= minor)
}
