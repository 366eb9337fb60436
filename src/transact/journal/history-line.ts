import { isId } from '../../ground/is-id.ts'
import { isRecord } from '../../ground/is-record.ts'
import { parseJson } from '../../ground/parse-json.ts'
import type { BackSource, Ended, Entry, HistoryLine } from '../../model.ts'
import { titleOfEntry } from '../../title.ts'
import { hashOperations } from '../entry/hash.ts'

/** Larger ones came with a cloned project: no number would be left for what comes. */
export const LARGEST_NUMBER = 1e12

/** The line of an entry that has ended; `at` is ISO 8601. */
export function historyLine(entry: Entry, outcome: Ended, at: string): HistoryLine {
  return {
    number: entry.number,
    uuid: entry.uuid,
    ...(entry.modelUuid === undefined ? {} : { modelUuid: entry.modelUuid }),
    at,
    outcome,
    operations: entry.asked ?? hashOperations(entry.operations),
    ...(wasKept({ outcome }) ? {} : { title: titleOfEntry(entry) }),
    ...(entry.undoes === undefined ? {} : { source: entry.source as BackSource, undoes: entry.undoes.uuid }),
  }
}

/** It was kept once, whatever became of it since. */
export function wasKept({ outcome }: Pick<HistoryLine, 'outcome'>): boolean {
  return outcome === 'committed' || outcome === 'undone'
}

/** A line as it is written. It holds each id in lower case as well, for that is what lines are looked up by. */
export function printLine(line: HistoryLine): string {
  const ids = [line.uuid, line.modelUuid, line.undoes].filter(id => id !== undefined)
  const folded = ids.map(id => id.toLowerCase()).filter(id => !ids.includes(id))
  return `${JSON.stringify(folded.length === 0 ? line : { ...line, folded })}\n`
}

/** A line as it was written; `undefined` for one that is torn, or not relay's. */
export function readLine(text: string): HistoryLine | undefined {
  const line = parseJson(text)
  return isHistoryLine(line) ? line : undefined
}

/** One that came with a cloned project names no file elsewhere, and leaves numbers for what comes. */
export function isHistoryLine(line: unknown): line is HistoryLine {
  if (!isRecord(line)) return false
  const { number, uuid, modelUuid, at, outcome, operations, title, source, undoes } = line
  return (
    Number.isSafeInteger(number) &&
    Number(number) > 0 &&
    Number(number) <= LARGEST_NUMBER &&
    isId(uuid) &&
    [modelUuid, undoes].every(id => id === undefined || isId(id)) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    ENDS.has(outcome) &&
    typeof operations === 'string' &&
    (title === undefined || typeof title === 'string') &&
    (source === undefined || BACK_SOURCES.has(source))
  )
}

const ENDS: ReadonlySet<unknown> = new Set<Ended>(['committed', 'declined', 'rolled-back', 'undone'])
const BACK_SOURCES: ReadonlySet<unknown> = new Set<BackSource>(['undo', 'redo', 'revert'])
