import { isRecord, isShape, isText, isWhole, maybe, oneOf, parseJson } from '../../ground/json.ts'
import { isId } from '../../ground/words.ts'
import type { BackSource, Ended, Entry, HistoryLine } from '../../model/entry.ts'
import { titleOfEntry } from '../../model/title.ts'
import { hashOperations, sha256 } from '../entry/hash.ts'

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
    paths: wasKept({ outcome }) ? pathsOf(entry) : undefined,
  }
}

function pathsOf(entry: Entry): HistoryLine['paths'] {
  return Object.fromEntries([...entry.snapshot.keys()].map(path => [pathKey(path), knownLeft(path, entry)]))
}

/** The hash of what an answer left at a path; empty where the user's lines are in it, or the model was told of another text. */
function knownLeft(path: string, { operations, undoes, outcome, written }: Entry): string {
  const operation = operations.find(each => each.path === path)
  const isAnswers = undoes === undefined && outcome?.edited?.includes(path) !== true
  if (!isAnswers || operation?.op !== 'write' || operation.seen !== undefined) return ''
  return shortened(written?.get(path)?.sha256 ?? '')
}

/** Under which name a line tells of a path: a line has no contents, and no names either. */
export function pathKey(path: string): string {
  return shortened(sha256(path))
}

function shortened(hash: string): string {
  return hash.slice(0, 16)
}

/** It was kept once, whatever became of it since. */
export function wasKept({ outcome }: Pick<HistoryLine, 'outcome'>): boolean {
  return outcome === 'committed' || outcome === 'undone'
}

/**
 * A line as it is written. It holds each id in lower case as well, for that is what lines are looked up by. Its paths come
 * last, and what was not kept has none: by its end alone a line shows that it tells of them.
 */
export function printLine(whole: HistoryLine): string {
  const { paths = wasKept(whole) ? undefined : {}, ...line } = whole
  const ids = [line.uuid, line.modelUuid, line.undoes].filter(id => id !== undefined)
  const folded = ids.map(id => id.toLowerCase()).filter(id => !ids.includes(id))
  return `${JSON.stringify({ ...line, ...(folded.length > 0 && { folded }), paths })}\n`
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
  paths: maybe(value => isRecord(value) && Object.values(value).every(isText)),
})
