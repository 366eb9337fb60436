import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { backDone, backUntouched } from '../report/describe-back.ts'
import { describeOutcome } from '../report/describe-outcome.ts'
import { type BackEnd, goBack, type Wish } from '../undo.ts'
import { createBackTalk } from './back-talk.ts'
import { confirmCommands, type TrustOptions } from './confirm-commands.ts'
import { exitCodeOf } from './exit-code.ts'
import { settleHeld } from './settle-held.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

export interface BackOptions extends TrustOptions {
  readonly yes?: boolean
}

/** `relay undo`, `redo` and `revert`: takes back what was kept, with what changed since merged in. */
export async function back(system: System, wish: Wish, options: BackOptions): Promise<number> {
  const { project, notes } = await loadProject(system)
  showNotes(notes, system)
  await confirmCommands(project, system, options)
  const talk = createBackTalk(system, project, options)
  try {
    await settleHeld(project, system, talk, options)
    const end = await goBack(wish, project, system, talk)
    talk.close()
    return say(end, wish, system)
  } finally {
    talk.close()
  }
}

function say(end: BackEnd, wish: Wish, system: System): number {
  const { terminal, clock } = system
  const style = styleOf(terminal)
  switch (end.kind) {
    case 'none':
      terminal.err(backUntouched({ kind: 'none', wish: wish.kind }, style))
      return 0
    case 'already-undone':
      terminal.err(backUntouched({ kind: 'already-undone', ...end.of, by: end.by }, style))
      return 0
    case 'left':
      terminal.err(backUntouched({ kind: 'left' }, style))
      return 3
    case 'unasked':
      throw new RelayError('declined', 'This needs a yes, and nobody could be asked: nothing was written', {
        hint: `To go on without a question: \`relay ${wordsOf(wish)} --yes\`.`,
      })
    case 'ended': {
      const { outcome, view, rescued } = end
      const lines =
        outcome.kind === 'committed'
          ? backDone(view, outcome, rescued, style)
          : describeOutcome(outcome, style, { now: clock.now() })
      for (const line of lines) terminal.err(line)
      return exitCodeOf(outcome)
    }
  }
}

function wordsOf(wish: Wish): string {
  return wish.kind === 'revert' ? `revert ${wish.which}` : wish.kind
}
