import { join } from 'node:path'
import { isSameContent } from '../model/path-state.ts'
import type { Change, PathState } from '../model/plan.ts'
import type { System, Talk } from '../ports.ts'

/** The paths that no longer hold what was accepted: a commit would have what nothing has checked. */
export async function changedSince(
  accepted: ReadonlyMap<string, PathState>,
  root: string,
  files: System['files'],
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [path, state] of accepted) {
    const found = await files.inspect(join(root, path)).catch(() => null)
    const isSame =
      state === null
        ? found === null
        : state.kind === 'link'
          ? found?.kind === 'link' && found.to === state.to
          : isSameContent(state, found)
    if (!isSame) changed.push(path)
  }
  return changed
}

/** The user's edits that the engine meets while it takes a change. */
export class SeenEdits {
  #merged: readonly Change[] = []
  readonly #byHand = new Set<string>()

  around(talk: Talk): Talk {
    return {
      ...talk,
      report: progress => {
        if (progress.kind === 'begun') this.#merged = progress.changes.filter(({ merged }) => merged !== undefined)
        if (progress.kind === 'edited') for (const path of progress.paths) this.#byHand.add(path)
        talk.report(progress)
      },
    }
  }

  /** Paths of edits that are in no commit. */
  async uncommitted(isCommitted: (path: string, bytes: Uint8Array) => Promise<boolean>): Promise<readonly string[]> {
    const found = await Promise.all(
      this.#merged.map(async ({ path, before }) => {
        return before?.kind === 'file' && (await isCommitted(path, before.bytes)) ? [] : [path]
      }),
    )
    return [...this.#byHand, ...found.flat()]
  }
}
