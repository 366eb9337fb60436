import { count } from './count.ts'
import { cutLine } from './cut-line.ts'
import type { Style } from './style.ts'
import { visibleOutput } from './visible.ts'

const MOST = 12

/** The last lines of what a command printed, where the reason of a failure stands as a rule. */
export function outputTail(output: string, style: Style): readonly string[] {
  const lines = output.trimEnd().split('\n')
  while (lines[0]?.trim() === '') lines.shift()
  const shown = lines.slice(-MOST).map(line => {
    const text = visibleOutput(line.replace(/\r$/, '')).replaceAll('\t', '    ')
    return `    ${cutLine(text, style.columns - 4, style.sign.cut)}`.trimEnd()
  })
  const hidden = lines.length - shown.length
  return hidden > 0 ? [style.paint.meta(`    -- relay hides ${count(hidden, 'line')} --`), ...shown] : shown
}
