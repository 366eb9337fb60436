import type { Question } from '../../model/talk.ts'
import type { Keys } from '../text/hanging.ts'

/** The keys of a question, as `?` and a bare Enter show them. */
export function questionKeys(question: Question): Keys {
  const isGate = question.kind === 'gate'
  const afterNo = 'afterNo' in question ? question.afterNo : undefined
  const isHeld = isGate && question.held
  const interruption = isHeld ? INTERRUPTION.edited : INTERRUPTION[question.kind]
  const keys = KEYS[question.kind].filter(([key]) => key !== 'c' || (isGate && question.canFollowUp))
  const asked = keys.map(each =>
    each[0] === 'n' && afterNo !== undefined ? (['n', AFTER_NO[afterNo]] as const) : each,
  )
  const closed = afterNo === undefined ? 'like n' : AFTER_NO.end
  return [
    ...asked,
    HELP,
    ['Ctrl+D', isHeld || question.kind === 'foreign' ? 'like q' : closed],
    ['Ctrl+C', interruption],
  ]
}

const HELP: Keys[number] = ['?', 'show this help; Enter alone does the same']

/** What a no to an agent's work leads to. */
export const AFTER_NO = {
  again: 'send it back: the agent gets the reason, and tries again',
  end: 'take nothing of it, and end the task; its work is kept for `relay apply --kept`',
} as const

const WHY: Keys[number] = ['w', "show why: all flags, and the model's reasoning"]

const KEYS: Readonly<Record<Question['kind'], Keys>> = {
  gate: [
    ['y', 'keep it'],
    ['n', 'decline: restore every file'],
    ['d', 'show the full diff'],
    ['f', 'choose which files to keep, and check again'],
    ['e', 'open the files in your editor, and check again'],
    ['r', 'run the commands again, as they are configured by now'],
    ['c', 'decline, and copy a prompt that asks for a better answer; a reason may follow: c too slow'],
    WHY,
    ['q', 'leave it open and quit; the next start asks again'],
  ],
  sensitive: [
    ['y', 'allow it: relay writes the files, checks them, and asks again if needed'],
    ['n', 'decline the answer; nothing has been written or run'],
    ['d', 'show the full diff of the whole answer'],
    WHY,
  ],
  edited: [
    ['y', 'restore the version from before the change; the present one goes to .relaycode/rescue/'],
    ['n', 'keep the present version; the one from before the change goes to .relaycode/rescue/'],
  ],
  foreign: [
    ['y', 'change the files as shown; the present versions go to .relaycode/rescue/'],
    ['n', 'change no file; the unfinished change goes to .relaycode/rescue/'],
    ['d', 'show the full diff'],
    ['q', 'leave it open and quit; the next start asks again'],
  ],
  offered: [
    ['y', 'apply it: check, write and decide as with any answer'],
    ['n', 'skip it, also at the next start; `relay apply` can still apply it'],
    ['d', 'show what it would change'],
  ],
}

const INTERRUPTION: Readonly<Record<Question['kind'], string>> = {
  gate: 'decline and quit',
  sensitive: 'decline the answer and quit',
  edited: 'change nothing now and quit; the next start asks again',
  foreign: 'change nothing now and quit; the next start asks again',
  offered: 'skip it and quit',
}
