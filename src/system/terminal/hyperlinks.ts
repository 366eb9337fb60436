import type { Terminal } from '../../ports.ts'
import { isSet } from '../is-set.ts'

/**
 * What a terminal makes of links (OSC 8), as far as the environment tells. Nobody can be asked, so only those that are
 * known for it get any.
 */
export function linkSupport(env: NodeJS.ProcessEnv): Terminal['links'] {
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

/** What says that the files are not on the machine on which the click is made. */
const ELSEWHERE = ['SSH_CONNECTION', 'SSH_TTY', 'WSL_DISTRO_NAME']

/** It passes a link on only if it knows of links itself. */
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
