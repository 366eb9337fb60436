import type { Notice, TerminalTools } from '../../ports.ts'
import { isSet } from '../is-set.ts'
import { late } from '../late.ts'
import { writeLast } from './output.ts'
import { isOn } from './terminal-look.ts'
import { throughTmux } from './through-tmux.ts'

export interface NotifierOptions {
  readonly env: NodeJS.ProcessEnv
  /** A person sits at the terminal. */
  readonly isTerminal: boolean
  /** Writes to the terminal as it is. */
  write(sequence: string): void
  say(line: string): void
}

/**
 * Tells the user that relay waits, or that a run has ended: by the terminal's bell, its notification (OSC 9) and its title,
 * or by the user's own command. Nothing of a patch is ever on the screen, where anyone reads titles and notifications.
 */
export class Notifier {
  readonly #options: NotifierOptions
  #saidFailure = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  /** Answers a function that ends the notice and restores the window's title. */
  notice(notice: Notice): () => void {
    const { env, write } = this.#options
    const way = wishOf(notice.way, env)
    switch (this.wayOf(notice.way, notice.ended !== undefined)) {
      case 'none':
      case 'off':
        return () => undefined
      case 'bell':
        write(BELL)
        return () => undefined
      case 'terminal':
        return this.#tellTerminal(notice, way)
      case 'command':
        runNotifyCommand(way, notice, env, why => this.#sayFailure(why))
        return () => undefined
    }
  }

  /**
   * The way in which the user is told here, where the configuration says `way`. Nobody watches a run that ends without a
   * terminal: the user's own command tells of it.
   */
  wayOf(way: string, isEnd = false): TerminalTools['notices'] {
    const { env, isTerminal } = this.#options
    const wish = wishOf(way, env)
    if (wish === 'off') return 'off'
    if (isEnd && !['auto', 'osc', 'bell'].includes(wish)) return 'command'
    if (!isTerminal || isOn(env['CI'])) return 'none'
    if (wish === 'bell') return 'bell'
    return wish === 'auto' || wish === 'osc' ? 'terminal' : 'command'
  }

  #tellTerminal(notice: Notice, way: string): () => void {
    const { env, write } = this.#options
    const { project, number, ended } = notice
    const name = harmless(number === undefined ? project : `${project} #${number}`)
    const what = ended === undefined ? 'relay waits' : ended.isDone ? 'relay is done' : 'relay stopped'
    const shows = way === 'osc' || showsNotifications(env)
    write((shows ? throughTmux(`\x1b]9;${what}: ${name}\x07`, env) : '') + BELL)
    // A title would go with relay, which ends now.
    if (!hasTitle(env) || ended !== undefined) return () => undefined
    write(`\x1b[22;2t${title(`relay ! ${name}`)}`)
    // This holds for a sudden end of relay, too: a window must not go on saying that relay waits.
    const calm = title(`relay ${harmless(project)}`)
    const atExit = () => writeLast(`${calm}\x1b[23;2t`)
    process.once('exit', atExit)
    return () => {
      process.off('exit', atExit)
      // Where the old title cannot be restored, the new one at least tells the truth.
      write(`${calm}\x1b[23;2t`)
    }
  }

  #sayFailure(why: string): void {
    if (this.#saidFailure) return
    this.#saidFailure = true
    this.#options.say(why)
  }
}

/** The environment describes this terminal, so it goes before the project. */
function wishOf(way: string, env: NodeJS.ProcessEnv): string {
  return (env['RELAY_NOTIFY'] ?? '').trim() || way.trim()
}

const BELL = '\x07'

function title(text: string): string {
  return `\x1b]2;${text}\x07`
}

/** A control character would end the sequence and begin another one. */
function harmless(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '')
}

/**
 * Other terminals may show the sequence itself. In tmux the terminal is unknown, and tmux drops the sequence or
 * passes it on.
 */
function showsNotifications(env: NodeJS.ProcessEnv): boolean {
  if (isSet(env['TMUX'])) return true
  if (/^(iTerm\.app|WezTerm|ghostty|rio)$/.test(env['TERM_PROGRAM'] ?? '')) return true
  return /^(xterm-kitty|xterm-ghostty|foot|wezterm)/.test(env['TERM'] ?? '')
}

/** A console has no window, and `screen` takes a title for its own. */
function hasTitle(env: NodeJS.ProcessEnv): boolean {
  const term = env['TERM'] ?? ''
  return !/^(linux|dumb)/.test(term) && (isSet(env['TMUX']) || !/^screen/.test(term))
}

/** In milliseconds; longer than any sound or message takes. */
const LIMIT = 60_000

/**
 * Runs the user's own command for a notice in the background, where Ctrl+C does not reach it. relay does not wait for it
 * before it goes on, but ends only after the command for the end of a run. The facts are in its environment and never in its
 * text, where a shell would read them.
 */
function runNotifyCommand(
  command: string,
  { project, number, ended }: Notice,
  env: NodeJS.ProcessEnv,
  failed: (why: string) => void,
): void {
  const isWindows = process.platform === 'win32'
  const about = {
    RELAY_EVENT: ended === undefined ? 'question' : 'ended',
    RELAY_PROJECT: project,
    RELAY_NUMBER: String(number ?? ''),
    RELAY_JSON: ended?.json ?? '',
  }
  try {
    const child = late.childProcess.spawn(command, {
      shell: true,
      // A group of its own, so that relay can end all of it.
      detached: !isWindows,
      windowsHide: true,
      stdio: 'ignore',
      env: { ...env, ...about },
    })
    const end = setTimeout(() => {
      try {
        if (isWindows || child.pid === undefined) child.kill()
        else process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has just ended.
      }
    }, LIMIT)
    end.unref()
    if (ended === undefined) child.unref()
    child.once('error', error => failed(error.message))
    child.once('exit', code => {
      clearTimeout(end)
      if (code !== 0 && code !== null) failed(`exit ${code}`)
    })
  } catch (error) {
    failed((error as Error).message)
  }
}
