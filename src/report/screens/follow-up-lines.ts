import type { FollowUp } from '../answers/follow-up.ts'
import { count, grouped } from '../text/count.ts'
import { noteLines } from '../text/hanging.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import type { Done } from './copied-lines.ts'

/** The contents of a follow-up prompt, for the user who is about to paste it. */
export function followUpLines(
  { errors, files, tokens, isCircling, isOpen }: FollowUp,
  attempt: number,
  what: Done | 'made',
  style: Style,
): readonly string[] {
  const { paint, sign } = style
  const holds = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(files > 0 ? [count(files, 'file')] : []),
    `~${grouped(rounded(tokens))} tokens`,
  ]
  const verdict = what === 'made' ? 'follow-up prompt' : `${what} a follow-up prompt`
  const circles =
    'The same errors for the third time: the model is going in circles. Start a new chat, or change the request.'
  const open = 'Write into the prompt what was wrong: relay does not know it.'
  return [
    ...row(
      `${paint.ok(sign.ok)} ${paint.strong(verdict)}: ${holds.join(', ')}`,
      paint.meta(`attempt ${attempt}`),
      style,
    ),
    ...(isCircling ? noteLines(circles, style) : []),
    ...(isOpen ? noteLines(open, style) : []),
  ]
}

/** An estimate should look like one. */
function rounded(tokens: number): number {
  const step = tokens < 1000 ? 10 : 100
  return Math.ceil(tokens / step) * step
}
