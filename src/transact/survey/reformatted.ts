import { bufferOf } from '../../ground/bytes.ts'
import { formOf } from '../../lines/bare-text.ts'
import { isSameContent } from '../../model/path-state.ts'
import type { FileState, PathState } from '../../model/plan.ts'

/** In these languages indentation has a meaning, so a formatter's change looks like a user's. */
const blanksMatter =
  /\.(?:ya?ml|py[iwx]?|pxd|bzl|star|nims?|coffee|sass|styl|pug|haml|slim)$|(?:^|\/)(?:SConstruct|SConscript|wscript|Snakefile|Tiltfile)$/i

/**
 * Two states are the same, or two texts that differ only by what formatters change. No formatter changes an operator.
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
