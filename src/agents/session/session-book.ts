import type { Book } from '../../model/book.ts'
import type { Session } from '../../model/session.ts'
import type { AttemptFacts } from '../../model/task.ts'

export interface SessionBook {
  readonly word: string
  readonly key: string
  /** The title of the work, and its commit message. */
  readonly title: string
  readonly message: string
  envelope(facts: AttemptFacts): string
  /** Reads the session from the disk. */
  read(): Promise<Session | undefined>
  note(news: Partial<Session>): Promise<void>
}

/** A book with one task: the session's instruction. Its state is in the session's file, so that a retry goes on from there. */
export function sessionBook({ word, key, title, message, envelope, read, note }: SessionBook): Book {
  const task = { id: '', title }
  const isWanted = async () => (await read())?.commit === undefined
  return {
    name: title,
    word,
    key,
    tasks: 1,
    next: async ended => (ended.length === 0 && (await isWanted()) ? task : undefined),
    isWanted,
    envelope: async (_task, facts) => envelope(facts),
    async settle(_task, turn, changes) {
      if (turn.marker === 'FAILED' || turn.marker === 'BLOCKED') {
        return { kind: 'not-done', why: `The agent says that it is not done (${turn.marker}): ${lastLine(turn.text)}` }
      }
      if (changes.length === 0) return { kind: 'not-done', why: 'The agent changed no file', isFinal: true }
      await note({ summary: turn.text.replaceAll(/<promise>[A-Z]+<\/promise>/g, '').trim() })
      return { kind: 'done', changes, title, message }
    },
    async write({ result }) {
      if (result.kind !== 'landed') return
      const { committed } = result.landed
      if (committed.kind === 'commit') await note({ commit: committed.sha })
    },
  }
}

/** The agent's reason is the last line before the marker. */
function lastLine(text: string): string {
  const lines = text
    .replaceAll(/<promise>[A-Z]+<\/promise>/g, '')
    .trim()
    .split('\n')
  return lines.at(-1) || 'it gave no reason'
}
