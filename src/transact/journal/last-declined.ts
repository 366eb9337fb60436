import { lintErrorShape } from '../../check/lint-error.ts'
import { isShape, isText, isWhole, listOf, maybe } from '../../ground/json.ts'
import type { Attempt, ErrorInPlace } from '../../model/back.ts'
import type { Flag, Operation, Response, SourceName } from '../../model/response.ts'
import type { Recovery } from '../../model/talk.ts'
import { readOwn } from '../disk/read-own.ts'
import { parseYaml } from '../entry/parse-yaml.ts'
import { printYaml } from '../entry/print-yaml.ts'
import type { Layout } from '../layout/layout.ts'
import { mustBeFolder } from '../layout/relay-folder.ts'
import type { Stage } from '../layout/stage.ts'
import { wasKept } from './history-line.ts'
import type { Journal } from './journal.ts'

/** The newest response that was rolled back: `relay apply --last` takes it again, `relay followup` asks for a better one. */
export interface LastDeclined {
  readonly uuid: string
  readonly at: string
  readonly response: Response
  /** Its outcome, if that can still be read. */
  readonly attempt: Attempt | undefined
}

export async function writeLastDeclined(
  { uuid, at, response, attempt }: LastDeclined,
  { layout, draft }: Stage,
): Promise<void> {
  const { text, source } = response
  const told = printYaml({ version: 1, uuid, at, ...attempt, source, response: text })
  await layout.files.replace(layout.lastDeclined, Buffer.from(told), draft, { mode: 0o600 })
}

/** `undefined` when none is kept or it cannot be read, as one of a newer relay's. */
export async function readLastDeclined(layout: Layout): Promise<LastDeclined | undefined> {
  await mustBeFolder(layout)
  return readDeclinedAt(layout.lastDeclined, layout)
}

/** The same of one of `layout.declined`. */
export async function readDeclinedAt(path: string, { files }: Layout): Promise<LastDeclined | undefined> {
  const yaml = await readOwn(path, files)
  const told = yaml === undefined ? undefined : parseYaml(yaml, { asMaps: false })
  if (!isTold(told)) return undefined
  const { uuid, at, response: text, source } = told
  return { uuid, at, response: { text, source }, attempt: isAttempt(told) ? told : undefined }
}

/**
 * The number of the newest turn that was not kept, or will not be, where `last` is an older one's response: relay was killed
 * while it worked on it, and nobody kept its text.
 */
export function cutShortSince(
  last: LastDeclined | undefined,
  journal: Journal,
  unfinished: readonly Recovery[],
): number | undefined {
  const cutShort = unfinished.find(({ action, uuid }) => action === 'would-roll-back' && uuid !== last?.uuid)
  if (cutShort !== undefined) return cutShort.number
  for (const transaction of journal.newestFirst()) {
    if (wasKept(transaction) || transaction.source !== undefined || transaction.noResponse === true) continue
    return last !== undefined && (transaction.uuid === last.uuid || transaction.at < last.at)
      ? undefined
      : transaction.number
  }
  return undefined
}

// The file may have come with a cloned project: what is used of it is what it says to be.

const isTold = isShape<{ version: 1; uuid: string; at: string; response: string; source: SourceName }>({
  version: value => value === 1,
  uuid: isText,
  at: isText,
  response: isText,
  source: isText,
})

const isErrorInPlace = isShape<ErrorInPlace>({
  ...lintErrorShape,
  around: maybe(isShape<NonNullable<ErrorInPlace['around']>>({ first: isWhole, lines: listOf(isText) })),
})

const isAttempt = isShape<Attempt>({
  number: isWhole,
  title: isText,
  why: isText,
  reason: maybe(isText),
  operations: listOf(isShape<Operation>({ op: isText, path: isText })),
  leftOut: maybe(listOf(isText)),
  unwritten: maybe(value => value === true),
  conflicts: maybe(listOf(isText)),
  flags: listOf(isShape<Flag>({ flag: isText, reason: isText })),
  newErrors: listOf(isErrorInPlace),
  newErrorCount: isWhole,
  failed: maybe(isText),
  command: maybe(isText),
  output: isText,
  attempt: isWhole,
  errorSets: listOf(isText),
})
