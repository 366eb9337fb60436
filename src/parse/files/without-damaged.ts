import type { Patch, Problem } from '../../model/response.ts'

/** What is left of a patch without the files that problems name; `undefined` when nothing is. */
export function withoutDamaged(patch: Patch, problems: readonly Problem[]): Patch | undefined {
  const damaged = new Set(problems.flatMap(({ path }) => path ?? []))
  const isSound = ({ path }: { readonly path?: string }) => path === undefined || !damaged.has(path)
  const operations = patch.operations.filter(isSound)
  return operations.length === 0 ? undefined : { ...patch, operations, flags: patch.flags.filter(isSound) }
}
