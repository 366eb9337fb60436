import { isShape, isText, isWhole, maybe, oneOf, parseJson } from '../../ground/json.ts'
import { isId } from '../../ground/words.ts'
import type { BackSource, Ended, Entry, HistoryLine } from '../../model/entry.ts'
import { titleOfEntry } from '../../model/title.ts'
import { hashOperations } from '../entry/hash.ts'

/** A cloned project can bring larger numbers, after which no number would be left. */
export const LARGEST_NUMBER = 1e12

/** `at` is ISO 8601. */
export function historyLine(entry: Entry, outcome: Ended, at: string): HistoryLine {
  return {
    number: entry.number,
    uuid: entry.uuid,
    modelUuid: entry.modelUuid,
    at,
    outcome,
    operations: entry.asked ?? hashOperations(entry.operations),
    title: wasKept({ outcome }) ? undefined : titleOfEntry(entry),
    source: entry.undoes && (entry.source as BackSource),
    undoes: entry.undoes?.uuid,
  }
}

/** It was kept once, whatever became of it since. */
export function wasKept({ outcome }: Pick<HistoryLine, 'outcome'>): boolean {
  return outcome === 'committed' || outcome === 'undone'
}

/** The line holds each id in lower case too, by which lines are found. */
export function printLine(line: HistoryLine): string {
  const ids = [line.uuid, line.modelUuid, line.undoes].filter(id => id !== undefined)
  const folded = ids.map(id => id.toLowerCase()).filter(id => !ids.includes(id))
  return `${JSON.stringify(folded.length === 0 ? line : { ...line, folded })}\n`
}

/** `undefined` for a line that is torn, or not relay's. */
export function readLine(text: string): HistoryLine | undefined {
  const line = parseJson(text)
  return isHistoryLine(line) ? line : undefined
}

/** Strict, because the line may come with a cloned project: it must not name files elsewhere, or use up the numbers. */
export const isHistoryLine = isShape<HistoryLine>({
  number: value => isWhole(value) && Number(value) > 0 && Number(value) <= LARGEST_NUMBER,
  uuid: isId,
  modelUuid: maybe(isId),
  at: value => isText(value) && !Number.isNaN(Date.parse(value)),
  outcome: oneOf<Ended>('committed', 'declined', 'rolled-back', 'undone'),
  operations: isText,
  title: maybe(isText),
  noResponse: maybe(value => value === true),
  source: maybe(oneOf<BackSource>('undo', 'redo', 'revert')),
  undoes: maybe(isId),
})
