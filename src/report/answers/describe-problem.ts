import type { Problem } from '../../model/response.ts'
import { cutPath } from '../text/cut-line.ts'
import { visibleLine } from '../text/visible.ts'
import { namesPath } from './names-path.ts'

/** Why a patch was refused, on one line: first where in the response, then what was found. */
export function describeProblem({ block, line, path, message }: Problem): string {
  const place = [...(block === undefined ? [] : [`block ${block}`]), ...(line === undefined ? [] : [`line ${line}`])]
  const about = path === undefined || namesPath(message, path) ? [] : [cutPath(visibleLine(path), LONGEST_PATH)]
  const where = [...place, ...about].join(', ')
  return where === '' ? visibleLine(message) : `${where}: ${visibleLine(message)}`
}

/** An endless path would leave no room for the fault. */
const LONGEST_PATH = 200

/** Where an edit nearly fits: what the file has, and what the edit has in its stead. Each in a line of its own. */
export function describeDifference({ differs }: Problem): readonly string[] {
  if (differs === undefined) return []
  return [`- ${visibleLine(differs.file)}`, `+ ${visibleLine(differs.edit)}`].map(line => line.trimEnd())
}
