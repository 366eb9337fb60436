import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { otherPlaceNote, otherWatchersNote } from '../../report/screens/watch-lines.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { markPlace } from '../../transact/lock/mark-place.ts'
import { makeOwnerMark, type OwnerMark } from '../../transact/lock/owner-marks.ts'

/** What says that this process watches. */
export interface Announced extends Pick<OwnerMark, 'renew' | 'remove'> {
  /** What the user should know of others who do. */
  readonly notes: readonly string[]
}

/** Says that this process watches for a project, in its folder and on this machine, and tells who else does. */
export async function announce(project: Project, system: System): Promise<Announced> {
  const { others, renew, remove } = await makeOwnerMark(layoutOf(project.root, system.files).watchers, system)
  const place = await markPlace(project, system)
  const here = others.length === 0 ? [] : [otherWatchersNote(others.map(({ mark }) => mark.pid))]
  return {
    notes: [...here, ...(place?.elsewhere ?? []).map(otherPlaceNote)],
    renew,
    async remove() {
      await place?.remove()
      await remove()
    },
  }
}
