import { RelayError } from '../errors.ts'
import { noteTitle } from '../flows/note-in-entry.ts'
import { oneLine } from '../model/one-line.ts'
import type { System } from '../ports.ts'
import { openProject } from './open/open-project.ts'
import { styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'

const MOST_LETTERS = 200

/** `relay title`: gives a change that was kept another title. */
export async function title(system: System, which: string, words: string): Promise<number> {
  const wished = oneLine(words)
  if (wished === '' || wished.length > MOST_LETTERS) {
    throw new RelayError('usage', `A title has 1 to ${MOST_LETTERS} letters`, {
      hint: 'For example `relay title 42 "Add dark mode"`.',
    })
  }
  const project = await openProject(system)
  const talk = createTalk(system, () => project)
  const number = await noteTitle(which, wished, project, system, talk).finally(talk.close)
  const { paint, sign } = styleOf(system.terminal)
  system.terminal.err(`${paint.ok(sign.ok)} #${number} is now "${wished}"`)
  return 0
}
