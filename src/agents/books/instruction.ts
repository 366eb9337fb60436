import type { Book } from '../../model/book.ts'
import type { AttemptFacts } from '../../model/task.ts'

interface Instruction {
  /** The same for the same instruction. */
  readonly key: string
  readonly title: string
  /** What the commit is called. */
  readonly message: string
  envelope(facts: AttemptFacts): Promise<string>
}

/** A book of one task: an instruction. It is in no file, so that it is over with the run that brings it to its end. */
export function instructionBook({ key, title, message, envelope }: Instruction): Book {
  const task = { id: '', title }
  return {
    name: title,
    key,
    tasks: 1,
    next: async ended => (ended.length === 0 ? task : undefined),
    isWanted: async () => true,
    envelope: async (_task, facts) => envelope(facts),
    async settle(_task, { marker }, changes) {
      // It says itself that this is not what was asked for.
      if (marker === 'FAILED' || marker === 'BLOCKED') return { kind: 'not-done', why: `The agent says ${marker}` }
      return { kind: 'done', changes, title, message }
    },
    write: async () => {},
  }
}
