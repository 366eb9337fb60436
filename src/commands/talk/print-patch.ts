import type { Change } from '../../model/plan.ts'
import type { Terminal } from '../../ports.ts'
import { unifiedPatch } from '../../report/diff/unified-patch.ts'
import { visible } from '../../report/text/visible.ts'

/** What a kept transaction changed as a patch that `git apply` takes: its paths are those where the files really are. */
export function patchOf(changes: readonly Change[]): string {
  return unifiedPatch(changes.map(({ target, before, after }) => ({ path: target, before, after })))
}

/** Prints the patch as it is, byte for byte, for a program; on a terminal nothing in it steers. */
export function printPatch(changes: readonly Change[], terminal: Pick<Terminal, 'out' | 'err' | 'isRead'>): void {
  const patch = patchOf(changes)
  if (patch === '') terminal.err('No file was changed.')
  else terminal.out(terminal.isRead ? visible(patch) : patch)
}
