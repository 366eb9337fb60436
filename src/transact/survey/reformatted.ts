import { bufferOf } from '../../ground/bytes.ts'
import { formOf } from '../../lines/bare-text.ts'
import { isSameContent } from '../../model/path-state.ts'
import type { FileState, PathState } from '../../model/plan.ts'

/** Where the indentation says which block a line stands in, a formatter's change cannot be told from the user's. */
const blanksMatter =
  /\.(?:ya?ml|py[iwx]?|pxd|bzl|star|nims?|coffee|sass|styl|pug|haml|slim)$|(?:^|\/)(?:SConstruct|SConscript|wscript|Snakefile|Tiltfile)$/i

/**
 * Whether two states of a file are the same, or two texts that differ by nothing but what a formatter changes. An operator is
 * the user's.
 */
export function isSameOrReformatted(path: string, one: PathState, other: PathState): boolean {
  if (one?.kind === 'link' && other?.kind === 'link') return one.to === other.to
  if (one?.kind !== 'file' || other?.kind !== 'file') return one === other
  if (isSameContent(one, other)) return true
  if (one.bytes.includes(0) || other.bytes.includes(0) || blanksMatter.test(path)) return false
  const form = formOf(path)
  const text = ({ bytes }: FileState) => bufferOf(bytes).toString('utf8')
  const [base, ours] = [text(one), text(other)]
  const bare = form(base)
  return bare !== '' && bare === form(ours)
}
