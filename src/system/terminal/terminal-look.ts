import type { Terminal } from '../../ports.ts'
import { isSet } from '../is-set.ts'
import { linkSupport } from './hyperlinks.ts'

/** What is known about a stream without writing to it. */
interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
}

/** The one place that decides how relay may look, and what it may send: colour, a live line, signs beyond ASCII, texts to copy. */
export function terminalLook(
  env: NodeJS.ProcessEnv,
  streams: { readonly out: Stream; readonly err: Stream },
  platform: NodeJS.Platform,
): Pick<Terminal, 'live' | 'colour' | 'unicode' | 'links' | 'takesCopies'> {
  const plain = env['TERM'] === 'dumb' || isOn(env['CI'])
  return {
    // A terminal of no width (a pty that nobody gave a size) has no room for a live line, and drawing one never ends.
    live: streams.err.isTTY === true && streams.err.columns !== 0 && !plain,
    colour: { out: mayColour(env, streams.out, plain), err: mayColour(env, streams.err, plain) },
    unicode: mayUnicode(env, platform),
    links: streams.err.isTTY === true && !plain ? linkSupport(env) : 'none',
    // A console has no clipboard, and the log of a pipeline shows what no terminal takes out.
    takesCopies: streams.err.isTTY === true && !plain && !/^(dumb|linux)/.test(env['TERM'] ?? ''),
  }
}

/** The wish of the user first (no over yes), then what the stream can show. */
function mayColour(env: NodeJS.ProcessEnv, stream: Stream, plain: boolean): boolean {
  if (isSet(env['NO_COLOR'])) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] === '' || isOn(env['FORCE_COLOR'])
  if (isOn(env['CLICOLOR_FORCE'])) return true
  if (env['CLICOLOR'] === '0' || plain) return false
  return stream.isTTY === true
}

/** A system that does not say which characters it takes gets ASCII, as the C locale has it. */
function mayUnicode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (isOn(env['RELAY_ASCII']) || env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet)
  if (locale !== undefined) return /utf-?8/i.test(locale)
  if (platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined
  return platform === 'darwin'
}

/** Whether a variable of the environment is set to yes. */
export function isOn(value: string | undefined): boolean {
  return isSet(value) && value !== '0' && value !== 'false'
}
