import type { Change } from '../../model/plan.ts'
import { lineCounts } from '../diff/compare-files.ts'
import { columnsOf } from '../text/columns-of.ts'
import { cutPath, padLine } from '../text/cut-line.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** Some files of a list with their numbers and ticks: ` [x] 2 ~ src/store/ui.ts  +19 -3`. */
export function choiceLines(
  files: readonly Change[],
  ticked: ReadonlySet<string>,
  shown: readonly number[],
  style: Style,
): readonly string[] {
  const { paint, sign, columns } = style
  const digits = String(files.length).length
  const rows = shown.flatMap(index => {
    const file = files[index]
    return file === undefined ? [] : [{ file, index, counts: amountsOf(file, style) }]
  })
  const room = columns - 10 - digits - Math.max(0, ...rows.map(({ counts }) => columnsOf(counts)))
  const names = rows.map(({ file }) => cutPath(visibleLine(file.path), Math.max(12, room), sign.cut))
  const width = Math.max(0, ...names.map(columnsOf))
  return rows.map(({ file, index, counts }, row) => {
    const box = ticked.has(file.path) ? paint.ok('[x]') : '[ ]'
    const name = paint.path(padLine(names[row] ?? '', width))
    return `  ${box} ${String(index + 1).padStart(digits)}  ${sign[file.effect]} ${name}  ${counts}`.trimEnd()
  })
}

function amountsOf({ before, after }: Change, { paint }: Style): string {
  const { added, removed } = lineCounts(before, after)
  if (added === null || removed === null) return paint.meta('not counted')
  return [added > 0 ? paint.ok(`+${added}`) : '', removed > 0 ? paint.fail(`-${removed}`) : ''].join(' ').trim()
}
