import { withoutProjects } from '../find-program.ts'
import { isSet } from '../is-set.ts'
import { throughTmux } from '../terminal/through-tmux.ts'
import { timeLimitMs } from './trouble.ts'

/**
 * Hands a text to the terminal for its clipboard (OSC 52): the one way from a session over SSH, or a container, to the
 * machine where the user sits. `false` when it was not sent. That it was says nothing of whether the terminal took it,
 * for terminals do not answer. Nothing is ever read this way.
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

/** The longest that all terminals take which take any: xterm's limit, 100,000 bytes with the sequence around it. */
const mostBytes = 74_994

/**
 * Asks tmux to pass it on, which it does as it comes, where a program's own sequence needs its leave (`set-clipboard on`
 * or `allow-passthrough`). One before 3.2 cannot, and lets sequences through.
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

/** GNU screen passes on what stands in a string of its own, and takes only short ones. */
function throughScreen(sequence: string): string {
  return (sequence.match(/[\s\S]{1,250}/g) ?? []).map(piece => `\x1bP${piece}\x1b\\`).join('')
}
