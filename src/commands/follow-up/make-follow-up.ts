import { join } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import type { Attempt, ErrorInPlace } from '../../model/back.ts'
import type { Project } from '../../model/project.ts'
import { holdsSecrets } from '../../plan/sensitive/holds-secrets.ts'
import type { System } from '../../ports.ts'
import { type FollowUp, followUp, type PresentFile } from '../../report/answers/follow-up.ts'
import { lastUnkept } from './last-unkept.ts'

export type MadeFollowUp =
  | { readonly kind: 'made'; readonly prompt: FollowUp; readonly attempt: number }
  | { readonly kind: 'none'; readonly why: string; readonly hint: string }

/** The prompt that asks the model for a better try than the response that was rolled back last. */
export async function makeFollowUp(project: Project, system: System): Promise<MadeFollowUp> {
  const { root, config } = project
  const { files } = system
  const found = await lastUnkept(project, system)
  if (found.kind === 'not-at-hand') {
    return { kind: 'none', why: found.why, hint: 'Copy it again in the chat, and apply it again.' }
  }
  const { last, journal } = found
  if (last?.attempt === undefined) {
    const why = 'No answer was rolled back here'
    const hint = 'Ask the model for a change, copy its answer, and run `relay watch` or `relay apply`.'
    return { kind: 'none', why, hint }
  }
  const since = await journal.lookUp(last.uuid)
  // Its files are not as they were before it.
  if (since?.outcome === 'committed') {
    const why = `The answer that was rolled back last has been kept since, as #${since.number}`
    return { kind: 'none', why, hint: `To ask for a better one, first undo it: \`relay revert ${since.number}\`.` }
  }
  const { attempt } = last
  const present: PresentFile[] = []
  // What cannot be read is not shown.
  for (const path of concerned(attempt)) {
    present.push({ path, text: await textOf(path, root, files).catch(() => undefined) })
  }
  const newErrors: ErrorInPlace[] = []
  for (const error of attempt.newErrors) newErrors.push(await safe(error, root, files))
  const prompt = followUp({ ...attempt, newErrors }, present, config.projectId)
  return { kind: 'made', prompt, attempt: attempt.attempt }
}

/** The files of the patch, but for those that nobody wants, and those in which it brought errors. */
function concerned({ operations, leftOut, newErrors }: Attempt): readonly string[] {
  const files = new Set(operations.map(({ path }) => path))
  for (const path of leftOut ?? []) files.delete(path)
  for (const { file } of newErrors) files.add(file)
  return [...files]
}

/** Without the lines of a file that holds secrets, also where a link leads to it. */
async function safe({ around, ...error }: ErrorInPlace, root: string, files: System['files']): Promise<ErrorInPlace> {
  const isShown = around !== undefined && (await realPathUnlessSecret(error.file, root, files)) !== undefined
  return isShown ? { ...error, around } : error
}

/** Where a path leads, `null` for nowhere; `undefined` where it, or what it leads to, holds secrets or cannot be told. */
async function realPathUnlessSecret(
  path: string,
  root: string,
  files: System['files'],
): Promise<string | null | undefined> {
  if (holdsSecrets(path)) return undefined
  // A linter may print any name, one that no file can have as well.
  const real = await files.realPath(join(root, path)).catch(() => undefined)
  return typeof real === 'string' && holdsSecrets(insideOf(root, real) ?? path) ? undefined : real
}

const mostBytes = 1_000_000

/** A file's present text; nothing of what lies outside of the project, holds secrets, or is no text. */
async function textOf(path: string, root: string, files: System['files']): Promise<string | null | undefined> {
  const real = await realPathUnlessSecret(path, root, files)
  if (real === undefined || real === null) return real
  if (insideOf(root, real) === undefined) return undefined
  const stat = await files.stat(real)
  if (stat?.kind !== 'file' || stat.size > mostBytes) return undefined
  const bytes = await files.read(real)
  if (bytes === null) return null
  return bytes.includes(0) ? undefined : Buffer.from(bytes).toString('utf8')
}
