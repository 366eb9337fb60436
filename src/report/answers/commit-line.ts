import type { Committed } from '../../model/task.ts'
import type { Style } from '../text/style.ts'
import { visibleOutputLine } from '../text/visible.ts'

/** One commit of changes, or why there is none. */
export function commitLine(numbers: readonly number[], committed: Committed, { paint, sign }: Style): string {
  const which = numbers.map(number => `#${number}`).join(', ')
  switch (committed.kind) {
    case 'commit':
      return `${paint.ok(sign.ok)} ${which}: commit ${committed.sha.slice(0, 7)}`
    case 'none':
      return `${paint.meta(sign.watching)} ${which}: nothing to commit`
    case 'not-committed':
      return `${paint.fail(sign.failed)} ${which}: not committed: ${visibleOutputLine(committed.why)}`
  }
}
