import { hanging } from './text/hanging.ts'
import type { Style } from './text/style.ts'
import { wrapLine } from './text/wrap-line.ts'

/** What each key does, one below the other. */
export function keyLines(keys: readonly (readonly [key: string, does: string])[], style: Style): readonly string[] {
  const width = Math.max(6, ...keys.map(([key]) => key.length))
  return keys.flatMap(([key, does]) => {
    const lines = wrapLine(does, style.columns - width - 4, style.sign.cut)
    return hanging(`  ${style.paint.strong(key.padEnd(width))}  `, lines, width + 4)
  })
}
