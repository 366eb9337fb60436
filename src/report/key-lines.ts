import type { Style } from './style.ts'
import { wrapLine } from './wrap-line.ts'

/** What each key does, one below the other. */
export function keyLines(keys: readonly (readonly [key: string, does: string])[], style: Style): readonly string[] {
  const width = Math.max(6, ...keys.map(([key]) => key.length))
  return keys.flatMap(([key, does]) => {
    const [first, ...others] = wrapLine(does, style.columns - width - 4, style.sign.cut)
    return [`  ${style.paint.strong(key.padEnd(width))}  ${first}`, ...others.map(line => ' '.repeat(width + 4) + line)]
  })
}
