import type { Problem } from '../../model/response.ts'
import { cutPath } from '../text/cut-line.ts'
import { visibleLine } from '../text/visible.ts'
import { namesPath } from './names-path.ts'

/** Why a patch was refused: where in the response, then what was found, on one line. */
export function describeProblem({ block, line, path, message }: Problem): string {
  const place = [...(block === undefined ? [] : [`block ${block}`]), ...(line === undefined ? [] : [`line ${line}`])]
  const about = path === undefined || namesPath(message, path) ? [] : [cutPath(visibleLine(path), LONGEST_PATH)]
  const where = [...place, ...about].join(', ')
  return where === '' ? visibleLine(message) : `${where}: ${visibleLine(message)}`
}

/** A path that never ends would take the room of what is wrong with it. */
const LONGEST_PATH = 200
