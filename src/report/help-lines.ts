import type { Question } from '../model.ts'
import type { Style } from './style.ts'
import { wrapLine } from './wrap-line.ts'

/** What each key does, for `?` and for a bare Enter. */
export function helpLines(question: Question, style: Style): readonly string[] {
  return [...KEYS[question.kind], HELP, ['Ctrl+C', INTERRUPTION[question.kind]] as const].flatMap(([key, does]) => {
    const [first, ...others] = wrapLine(does, style.columns - 10, style.sign.cut)
    return [`  ${style.paint.strong(key.padEnd(6))}  ${first}`, ...others.map(line => ' '.repeat(10) + line)]
  })
}

type Key = readonly [key: string, does: string]

const HELP: Key = ['?', 'show this help; nothing is the default, so Enter alone shows it too']

const KEYS: Readonly<Record<Question['kind'], readonly Key[]>> = {
  gate: [
    ['y', 'keep the changes'],
    ['n', 'roll everything back: every file as it was before'],
    ['d', 'show the full diff'],
  ],
  sensitive: [
    ['y', 'go on: run the commands, write, check, and decide as usual'],
    ['n', 'leave the patch; nothing has been written or run'],
    ['d', 'show the full diff of the whole patch'],
  ],
  edited: [
    ['y', 'restore the files as before the patch; the present ones go to .relaycode/rescue/'],
    ['n', 'leave the present files; those from before the patch go to .relaycode/rescue/'],
  ],
  offered: [
    ['y', 'take it: check, write and decide as with any patch'],
    ['n', 'leave it; `relay apply` takes it from the clipboard later'],
  ],
  held: [
    ['y', 'roll it back: every file as it was before'],
    ['n', 'leave it as it is; the next start asks again'],
  ],
}

const INTERRUPTION: Readonly<Record<Question['kind'], string>> = {
  gate: 'roll back, and end',
  sensitive: 'leave the patch, and end',
  edited: 'change nothing now, and end; the next start asks again',
  offered: 'leave it, and end',
  held: 'change nothing now, and end; the next start asks again',
}
