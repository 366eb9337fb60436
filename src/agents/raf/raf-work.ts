import type { Book } from '../../model/book.ts'
import type { AttemptFacts, Task } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { taskEnvelope } from '../envelope/task-envelope.ts'
import { titleOfName } from './names.ts'
import { type RafPlace, rafBook, type TaskFacts, taskFacts } from './raf-book.ts'
import type { ReadProject } from './read-project.ts'

/** The commands that the envelope says the agent may run. */
export type CommandsInPrompt = readonly string[] | 'any'

/** Opens a RAF project as a book, with the envelope for each task. */
export function openRafBook(place: RafPlace, allow: CommandsInPrompt, { files, clock }: System): Promise<Book> {
  return rafBook(place, { files, clock, print: (told, facts) => printTask(told, allow, facts) })
}

/** The size in bytes of the envelope for a task's first attempt, with the project's present files. */
export function envelopeBytes(project: ReadProject, task: Task, allow: CommandsInPrompt): number {
  const facts = { cwd: project.path, attempt: 1, before: [], isResumed: false }
  return Buffer.byteLength(printTask(taskFacts(project, task), allow, facts))
}

function printTask({ project, ...told }: TaskFacts, allow: CommandsInPrompt, facts: AttemptFacts): string {
  const about = { id: project.id, title: titleOfName(project.name) }
  return taskEnvelope({ ...told, project: about, allow, facts, said: [] })
}
