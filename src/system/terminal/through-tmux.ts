import { isSet } from '../is-set.ts'

/** Inside tmux a sequence reaches the terminal only in tmux's own wrapping, and only if the user allows that. */
export function throughTmux(sequence: string, env: NodeJS.ProcessEnv): string {
  if (!isSet(env['TMUX'])) return sequence
  return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`
}
