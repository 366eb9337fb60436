import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import type { Done } from '../report/screens/copied-lines.ts'
import { followUpLines } from '../report/screens/follow-up-lines.ts'
import { visible } from '../report/text/visible.ts'
import { makeFollowUp } from './follow-up/make-follow-up.ts'
import { openProject } from './open/open-project.ts'
import { copyText } from './talk/copy-text.ts'
import { styleOf } from './talk/style-of.ts'

/** `relay followup`: prints the prompt for a better try than the response that was rolled back last, and copies it. */
export async function followup(system: System, options: { readonly copy: boolean }): Promise<number> {
  const { terminal } = system
  const made = await makeFollowUp(await openProject(system), system)
  if (made.kind === 'none') throw new RelayError('usage', made.why, { hint: made.hint })
  const { prompt, attempt } = made
  // Code from anywhere is in it: a terminal gets it made visible, a pipe as it is.
  terminal.out(terminal.isRead ? visible(prompt.text) : prompt.text)
  const head = (done: Done | 'made') => followUpLines(prompt, attempt, done, styleOf(terminal))
  const copied = options.copy
    ? await copyText(prompt.text, head, 'The prompt is printed above: copy it from there.', system)
    : 'failed'
  if (copied === 'failed') for (const line of head('made')) terminal.err(line)
  return 0
}
