import { parseDocument } from 'yaml'
import type { Checks, Response, RollbackReason, SourceName } from '../model.ts'
import type { Files } from '../ports.ts'
import type { Layout } from './layout.ts'
import { printYaml } from './print-yaml.ts'
import type { Stage } from './stage.ts'

/** The newest response that was rolled back: `relay apply --last` takes it again. */
export interface LastDeclined {
  readonly number: number
  readonly uuid: string
  readonly at: string
  readonly reason: RollbackReason['kind']
  readonly checks: Checks | undefined
  readonly response: Response
}

export async function writeLastDeclined(last: LastDeclined, layout: Layout, stage: Stage, files: Files): Promise<void> {
  const { number, uuid, at, reason, checks, response } = last
  const errors = checks?.comparison?.newErrors.map(({ file, line, code, message }) => ({ file, line, code, message }))
  const text = printYaml({
    version: 1,
    number,
    uuid,
    at,
    reason,
    newErrors: errors ?? [],
    source: response.source,
    response: response.text,
  })
  await files.replace(layout.lastDeclined, Buffer.from(text), stage.draft, { mode: 0o600 })
}

/** The response, or `undefined` when none is kept or it cannot be read. */
export async function readLastDeclined(layout: Layout, files: Files): Promise<Response | undefined> {
  const bytes = await files.read(layout.lastDeclined)
  if (bytes === null) return undefined
  const document = parseDocument(Buffer.from(bytes).toString('utf8'), { schema: 'core', logLevel: 'silent' })
  if (document.errors.length > 0) return undefined
  const [text, source] = [document.get('response'), document.get('source')]
  return typeof text === 'string' && typeof source === 'string' ? { text, source: source as SourceName } : undefined
}
