import { describe, expect, it } from 'vitest'
import { terminalLook } from '../../../src/system/terminal/terminal-look.ts'

const tty = { isTTY: true }
const file = {}
const utf8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' }

describe('how relay may look', () => {
  it.each([
    ['a terminal', utf8, tty, tty, { live: true, colour: { out: true, err: true }, unicode: true }],
    ['stdout in a file', utf8, file, tty, { live: true, colour: { out: false, err: true }, unicode: true }],
    ['stderr in a file', utf8, tty, file, { live: false, colour: { out: true, err: false }, unicode: true }],
    [
      'a terminal of no width',
      utf8,
      tty,
      { isTTY: true, columns: 0 },
      { live: false, colour: { out: true, err: true }, unicode: true },
    ],
    ['CI', { ...utf8, CI: 'true' }, tty, tty, { live: false, colour: { out: false, err: false }, unicode: true }],
    [
      'a dumb terminal',
      { ...utf8, TERM: 'dumb' },
      tty,
      tty,
      { live: false, colour: { out: false, err: false }, unicode: false },
    ],
  ])('at %s', (_where, env, out, err, look) => {
    expect(terminalLook(env, { out, err }, 'linux')).toMatchObject({ ...look, links: 'none' })
  })

  it.each([
    ['a terminal', utf8, tty, true],
    ['a pipe', utf8, file, false],
    ['CI', { ...utf8, CI: 'true' }, tty, false],
    ['a dumb terminal', { TERM: 'dumb' }, tty, false],
    ['a console', { TERM: 'linux' }, tty, false],
  ])('sends texts to copy to %s, or not', (_where, env, err, takesCopies) => {
    expect(terminalLook(env, { out: tty, err }, 'linux')).toMatchObject({ takesCopies })
  })

  it.each([
    [{}, true],
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, true],
    [{ FORCE_COLOR: '', CI: '1' }, true],
    [{ CLICOLOR: '0' }, false],
    [{ CLICOLOR: '1' }, true],
    [{ CLICOLOR_FORCE: '1', CI: '1' }, true],
    [{ CI: 'false' }, true],
  ])('colours a terminal with %j: %s', (env, colour) => {
    expect(terminalLook(env, { out: tty, err: tty }, 'linux').colour).toEqual({ out: colour, err: colour })
  })

  it('colours a pipe only when told to', () => {
    expect(terminalLook({}, { out: file, err: file }, 'linux').colour.out).toBe(false)
    expect(terminalLook({ FORCE_COLOR: '1' }, { out: file, err: file }, 'linux').colour.out).toBe(true)
  })

  it.each<[NodeJS.ProcessEnv, NodeJS.Platform, boolean]>([
    [{ LANG: 'de_DE.utf8' }, 'linux', true],
    [{ LANG: 'C.UTF-8' }, 'linux', true],
    [{ LANG: 'C' }, 'linux', false],
    [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, 'linux', true],
    [{ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, 'linux', false],
    [{ LANG: 'C.UTF-8', LC_CTYPE: 'C', LC_ALL: '' }, 'linux', false],
    [{}, 'linux', false],
    [{}, 'darwin', true],
    [{}, 'win32', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
    [{ LANG: 'C.UTF-8', TERM: 'linux' }, 'linux', false],
    [{ LANG: 'C.UTF-8', RELAY_ASCII: '1' }, 'linux', false],
  ])('uses signs beyond ASCII with %j on %s: %s', (env, platform, unicode) => {
    expect(terminalLook(env, { out: tty, err: tty }, platform).unicode).toBe(unicode)
  })

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ TERM: 'xterm-256color' }, 'none'],
    [{ TERM: 'xterm-256color', VTE_VERSION: '7203' }, 'files'],
    [{ TERM: 'xterm-256color', VTE_VERSION: '5000' }, 'none'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '230804' }, 'files'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '180800' }, 'none'],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.4' }, 'files'],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.15' }, 'none'],
    [{ TERM_PROGRAM: 'iTerm.app' }, 'none'],
    [{ TERM_PROGRAM: 'Apple_Terminal', TERM: 'xterm-256color' }, 'none'],
    [{ TERM_PROGRAM: 'vscode', TERM: 'xterm-256color' }, 'lines'],
    [{ TERM: 'xterm-kitty' }, 'lines'],
    [{ TERM: 'alacritty' }, 'files'],
    [{ TERM: 'xterm-ghostty' }, 'files'],
    [{ WT_SESSION: 'x' }, 'files'],
    [{ WT_SESSION: 'x', WSL_DISTRO_NAME: 'Debian' }, 'none'],
    [{ TERM: 'xterm-kitty', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'none'],
    [{ TERM: 'xterm-kitty', CI: 'true' }, 'none'],
    [{ TERM: 'xterm-kitty', RELAY_NO_HYPERLINK: '1' }, 'none'],
    [{ TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, 'none'],
    [{ TERM: 'xterm-256color', FORCE_HYPERLINK: '1' }, 'files'],
    [{ TERM: 'linux' }, 'none'],
    [{ TERM: 'screen-256color', STY: '1.pts', VTE_VERSION: '7203' }, 'none'],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4' }, 'files'],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a' }, 'none'],
    [{ TERM: 'screen-256color', TMUX: '/tmp/x', VTE_VERSION: '7203' }, 'none'],
  ])('with %j shows links: %s', (env, links) => {
    expect(terminalLook(env, { out: tty, err: tty }, 'linux').links).toBe(links)
  })

  it('shows no links where nobody could click', () => {
    expect(terminalLook({ TERM: 'xterm-kitty' }, { out: tty, err: file }, 'linux').links).toBe('none')
  })
})
