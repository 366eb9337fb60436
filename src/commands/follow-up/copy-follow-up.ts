import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { followUpLines } from '../../report/screens/follow-up-lines.ts'
import { wrapLine } from '../../report/text/wrap-line.ts'
import { copyText } from '../talk/copy-text.ts'
import { styleOf } from '../talk/style-of.ts'
import { makeFollowUp } from './make-follow-up.ts'

/** Copies the prompt that the user asked for when they rolled back (`c`). */
export async function copyIfWished(outcome: Outcome | undefined, project: Project, system: System): Promise<void> {
  if (outcome?.kind !== 'rolled-back' || outcome.reason.kind !== 'declined') return
  if (outcome.reason.followUp !== undefined) await copyFollowUp(project, system)
}

/** That it cannot be copied is said, and no reason to fail: `relay followup` prints it. */
export async function copyFollowUp(project: Project, system: System): Promise<void> {
  const { terminal } = system
  const style = styleOf(terminal)
  const made = await makeFollowUp(project, system)
  if (made.kind === 'none') {
    for (const line of wrapLine(`Nothing to follow up. ${made.why}.`, style.columns, style.sign.cut)) terminal.err(line)
    return
  }
  const { prompt, attempt } = made
  await copyText(
    prompt.text,
    done => followUpLines(prompt, attempt, done, style),
    '`relay followup` prints it.',
    system,
  )
}
