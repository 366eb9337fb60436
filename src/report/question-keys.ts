import type { Question } from '../model/talk.ts'
import type { Keys } from './text/hanging.ts'

/** The keys of a question, and what each does, as `?` and a bare Enter show them. */
export function questionKeys(question: Question): Keys {
  const isGate = question.kind === 'gate'
  const isHeld = isGate && question.held
  const interruption = isHeld ? INTERRUPTION.edited : INTERRUPTION[question.kind]
  const keys = KEYS[question.kind].filter(([key]) => key !== 'c' || (isGate && question.canFollowUp))
  return [
    ...keys,
    HELP,
    ['Ctrl+D', isHeld || question.kind === 'foreign' ? 'like q' : 'like n'],
    ['Ctrl+C', interruption],
  ]
}

const HELP: Keys[number] = ['?', 'show this help; nothing is the default, so Enter alone shows it too']

const WHY: Keys[number] = ['w', "show why: all doubts, and the model's reasoning"]

const KEYS: Readonly<Record<Question['kind'], Keys>> = {
  gate: [
    ['y', 'keep the changes'],
    ['n', 'roll everything back: every file as it was before'],
    ['d', 'show the full diff'],
    ['f', 'choose the files that stay, and check again'],
    ['e', 'open the files in your editor, and check again'],
    ['r', 'run the commands again: you have put something right by hand'],
    ['c', 'roll back, and copy a prompt for the model to do better'],
    WHY,
    ['q', 'leave it as it is, and stop; the next start asks again'],
  ],
  sensitive: [
    ['y', 'go on: run the commands, write, check, and decide as usual'],
    ['n', 'leave the patch; nothing has been written or run'],
    ['d', 'show the full diff of the whole patch'],
    WHY,
  ],
  edited: [
    ['y', 'restore what was there before the patch; what is there now goes to .relaycode/rescue/'],
    ['n', 'leave what is there now; what was there before the patch goes to .relaycode/rescue/'],
  ],
  foreign: [
    ['y', 'change the files as shown; what is there now goes to .relaycode/rescue/'],
    ['n', 'change no file; the entry goes to .relaycode/rescue/'],
    ['d', 'show the full diff'],
    ['q', 'leave all as it is, and stop; the next start asks again'],
  ],
  offered: [
    ['y', 'take it: check, write and decide as with any patch'],
    ['n', 'leave it, also at the next start; `relay apply` takes it from the clipboard later'],
    ['d', 'show what it would change'],
  ],
}

const INTERRUPTION: Readonly<Record<Question['kind'], string>> = {
  gate: 'roll back, and end',
  sensitive: 'leave the patch, and end',
  edited: 'change nothing now, and end; the next start asks again',
  foreign: 'change nothing now, and end; the next start asks again',
  offered: 'leave it, and end',
}
