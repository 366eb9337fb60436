import { isRecord } from '../../ground/is-record.ts'
import type { Attempt, Response, SourceName } from '../../model.ts'
import { isLintError } from '../check/lint-error.ts'
import { readOwn } from '../disk/read-own.ts'
import { parseYaml } from '../entry/parse-yaml.ts'
import { printYaml } from '../entry/print-yaml.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { mustBeFolder } from '../layout/state-folder.ts'

/** The newest response that was rolled back: `relay apply --last` takes it again, `relay followup` asks for a better one. */
export interface LastDeclined {
  readonly uuid: string
  readonly at: string
  readonly response: Response
  /** What it came to, as far as that can still be read. */
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
  const yaml = await readOwn(layout.lastDeclined, layout.files)
  const told = yaml === undefined ? undefined : parseYaml(yaml, { asMaps: false })
  if (!isRecord(told)) return undefined
  const { version, uuid, at, response: text, source } = told
  if (version !== 1 || ![uuid, at, text, source].every(isText)) return undefined
  const response = { text: String(text), source: source as SourceName }
  return { uuid: String(uuid), at: String(at), response, attempt: isAttempt(told) ? told : undefined }
}

/** The file may have come with a cloned project: what is used of it is what it says to be. */
function isAttempt(told: Readonly<Record<string, unknown>>): told is Readonly<Record<string, unknown>> & Attempt {
  const {
    number,
    title,
    why,
    operations,
    leftOut,
    flags,
    newErrors,
    newErrorCount,
    failed,
    output,
    attempt,
    errorSets,
  } = told
  return (
    [number, newErrorCount, attempt].every(Number.isSafeInteger) &&
    [title, why, output].every(isText) &&
    (failed === undefined || isText(failed)) &&
    isListOf(errorSets, isText) &&
    isListOf(operations, each => isRecord(each) && isText(each['op']) && isText(each['path'])) &&
    (leftOut === undefined || isListOf(leftOut, isText)) &&
    isListOf(flags, each => isRecord(each) && isText(each['flag']) && isText(each['reason'])) &&
    isListOf(newErrors, isErrorInPlace)
  )
}

function isErrorInPlace(error: unknown): boolean {
  if (!isLintError(error)) return false
  const { around } = error as { readonly around?: unknown }
  return (
    around === undefined ||
    (isRecord(around) && Number.isSafeInteger(around['first']) && isListOf(around['lines'], isText))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits)
}
