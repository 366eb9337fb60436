import type { Rescue, Restoration } from '../../model/talk.ts'
import { count } from '../text/count.ts'
import { visibleLine } from '../text/visible.ts'

/** What became of the files: how many are as before, and where each of the user's versions and each original is now. */
export function describeRestoration({ restored, rescued, kept, merged }: Restoration): {
  readonly summary: string
  readonly files: readonly string[]
} {
  const parts = [
    ...(restored.length > 0 ? [`${count(restored.length, 'file')} restored`] : []),
    ...(merged.length > 0 ? [`${count(merged.length, 'file')} restored around your edits`] : []),
    ...(kept.length > 0 ? [`${count(kept.length, 'file')} left as edited`] : []),
  ]
  return {
    summary: parts.join(', '),
    files: [
      ...rescued.map(({ path, rescue }) => {
        // Where there was no file before, there is none now.
        return `${visibleLine(path)}: restored; the version that was there is in ${visibleLine(rescue)}`
      }),
      ...merged.map(path => `${visibleLine(path)}: the change is out, and what you edited since stays`),
      ...kept.map(({ path, rescue }) => {
        const before =
          rescue === ''
            ? 'there was none before the change'
            : `the version from before the change is in ${visibleLine(rescue)}`
        return `${visibleLine(path)}: left as edited; ${before}`
      }),
    ],
  }
}

/** Where the versions are that somebody saved while the patch replaced the files. */
export function lateLines(late: readonly Rescue[]): readonly string[] {
  return late.map(
    ({ path, rescue }) =>
      `${visibleLine(path)}: saved while relay replaced it; that version is in ${visibleLine(rescue)}`,
  )
}
