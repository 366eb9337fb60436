import { isSet } from '../is-set.ts'

/** Within tmux a sequence reaches the terminal only in a wrapping of tmux's, and only if the user lets it through. */
export function throughTmux(sequence: string, env: NodeJS.ProcessEnv): string {
  if (!isSet(env['TMUX'])) return sequence
  return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`
}
