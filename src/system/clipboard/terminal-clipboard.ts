import { withoutProjects } from '../find-program.ts'
import { isSet } from '../is-set.ts'
import { throughTmux } from '../terminal/through-tmux.ts'
import { timeLimitMs } from './trouble.ts'

/**
 * Sends a text to the terminal for its clipboard (OSC 52): the one way from a session over SSH, or a container, to
 * the user's machine. `false`: it was not sent. Terminals do not answer, so `true` does not say that the terminal
 * took it. Nothing is ever read this way.
 */
export async function sendToTerminal(
  text: string,
  env: NodeJS.ProcessEnv,
  write: (sequence: string) => void,
): Promise<boolean> {
  const bytes = Buffer.from(text)
  if (bytes.length > mostBytes) return false
  if (isSet(env['TMUX']) && (await byTmux(text, env))) return true
  const sequence = `\x1b]52;c;${bytes.toString('base64')}\x07`
  write(isSet(env['STY']) ? throughScreen(sequence) : throughTmux(sequence, env))
  return true
}

/**
 * All terminals that take any text take one of this length: xterm's limit is 100,000 bytes with the sequence around
 * it.
 */
const mostBytes = 74_994

/**
 * Asks tmux to pass the text on. tmux does that at once, while a sequence of a program needs its permission
 * (`set-clipboard on` or `allow-passthrough`). A tmux before 3.2 cannot do it, and lets sequences through.
 */
async function byTmux(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { execa } = await import('execa')
  const { failed } = await execa('tmux', ['load-buffer', '-w', '-'], {
    input: text,
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    reject: false,
    env: withoutProjects(env),
    extendEnv: false,
  })
  return !failed
}

/** GNU screen passes on only its own strings, and only short ones. */
function throughScreen(sequence: string): string {
  return (sequence.match(/[\s\S]{1,250}/g) ?? []).map(piece => `\x1bP${piece}\x1b\\`).join('')
}
