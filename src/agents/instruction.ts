import type { Book } from '../model/book.ts'
import type { AttemptFacts } from '../model/task.ts'

interface Instruction {
  /** Stable for one instruction. */
  readonly key: string
  readonly title: string
  /** The commit message. */
  readonly message: string
  envelope(facts: AttemptFacts): Promise<string>
}

/** A book with one task: an instruction. It is stored in no file, so it ends with its run. */
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
      // The agent itself says that this is not what was asked for.
      if (marker === 'FAILED' || marker === 'BLOCKED') return { kind: 'not-done', why: `The agent says ${marker}` }
      return { kind: 'done', changes, title, message }
    },
    write: async () => {},
  }
}
