import type { WithCommands } from '../commands-of.ts'
import type { Change, Flag, Policy } from '../model.ts'
import { type LineBag, lineBag, takeLine } from './line-bag.ts'
import { ownPrograms } from './own-programs.ts'
import { judgePath } from './path-policy.ts'
import { sensitivity } from './sensitive-paths.ts'
import { shrunkenFiles } from './shrunken-files.ts'

/** The doubts that remain, or arise, when a patch meets what is on the disk. */
export function doubts(
  flags: readonly Flag[],
  changes: readonly Change[],
  { policy, ...commands }: WithCommands & { readonly policy: Policy },
): Flag[] {
  const ofCommands = ownPrograms(commands)
  const whyAsk = (path: string) => ofCommands(path) ?? sensitivity(path, policy.ask)
  return [
    ...notOnDisk(flags, changes),
    ...changes.flatMap(change => [...sensitive(change, whyAsk), ...unreadable(change)]),
    ...shrunkenFiles(changes),
    ...massDelete(changes),
  ]
}

/** A line that looks like a placeholder is none when the file already has it; as often as it has it. */
function notOnDisk(flags: readonly Flag[], changes: readonly Change[]): Flag[] {
  if (!flags.some(isPlaceholder)) return [...flags]
  const byPath = new Map(changes.map(change => [change.path, change]))
  const linesOf = new Map<string, LineBag>()
  return flags.filter(flag => {
    if (!isPlaceholder(flag)) return true
    const judged = judgePath(flag.path ?? '')
    const change = judged.kind === 'sound' ? byPath.get(judged.path) : undefined
    if (change?.before?.kind !== 'file') return true
    const lines = linesOf.get(change.path) ?? lineBag(new TextDecoder().decode(change.before.bytes))
    linesOf.set(change.path, lines)
    return !takeLine(lines, (flag.text ?? '').trim())
  })
}

function isPlaceholder({ flag, text }: Flag): boolean {
  return flag === 'placeholder' && text !== undefined
}

function sensitive({ path, target, before, effect }: Change, whyAsk: (path: string) => string | undefined): Flag[] {
  if (effect === 'none') return []
  const reasons: string[] = []
  const own = whyAsk(path)
  if (own !== undefined) reasons.push(own)
  const led = target === path ? undefined : whyAsk(target)
  if (led !== undefined) reasons.push(`leads to ${target}: ${led}`)
  if (before?.kind === 'file' && (before.mode & ANY_MAY_WRITE) === 0) reasons.push('is write-protected')
  return reasons.map(reason => ({ flag: 'sensitive-path', path, reason }))
}

const ANY_MAY_WRITE = 0o222

/** Whoever wrote the new content cannot have seen the old one right. */
function unreadable({ op, path, before, effect }: Change): Flag[] {
  if (op !== 'write' || effect === 'none' || before?.kind !== 'file') return []
  if (before.bytes.includes(0)) return [{ flag: 'encoding', path, reason: 'replaces a binary file' }]
  if (isUtf8(before.bytes)) return []
  return [{ flag: 'encoding', path, reason: 'replaces a file that is not UTF-8 text' }]
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function massDelete(changes: readonly Change[]): Flag[] {
  const deleted = changes.filter(({ effect }) => effect === 'delete').length
  return deleted > MANY ? [{ flag: 'mass-delete', reason: `deletes ${deleted} files` }] : []
}

const MANY = 10
