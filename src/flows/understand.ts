import type { Parsed, Patch, Problem } from '../model/response.ts'
import { withoutDamaged } from '../parse/files/without-damaged.ts'
import { parseResponse } from '../parse/parse-response.ts'
import { judgeOperations, judgePath } from '../plan/path-policy.ts'

/** Parses a response and judges its paths, as far as the text alone allows. */
export function understand(text: string, projectId: string): Parsed {
  const parsed = parseResponse(text, projectId)
  return parsed.kind === 'patch' ? judgePaths(parsed.patch) : parsed
}

/** The patch with its paths normalised, or the problems of its paths. */
export function judgePaths(patch: Patch): Parsed {
  const judged = judgeOperations(patch.operations)
  if (judged.kind === 'sound') return { kind: 'patch', patch: { ...patch, operations: judged.operations } }
  const { control, reasoning } = patch
  return { ...judged, sound: soundOf(patch, judged.problems), control, reasoning }
}

/**
 * A patch without the files that have a problem; `undefined` when nothing is left, or when a problem concerns no single file.
 */
export function soundOf(patch: Patch, problems: readonly Problem[]): Patch | undefined {
  if (problems.some(({ path }) => path === undefined)) return undefined
  const spelled = { ...patch, operations: patch.operations.map(inOneSpelling), flags: patch.flags.map(inOneSpelling) }
  const sound = withoutDamaged(spelled, problems)
  return sound?.operations.length === patch.operations.length ? undefined : sound
}

/** Normalises a sound path, as problems name it; problems name an unsafe path as the answer does. */
function inOneSpelling<T extends { readonly path?: string }>(named: T): T {
  const judged = judgePath(named.path ?? '')
  return judged.kind === 'sound' ? { ...named, path: judged.path } : named
}
