import type { Style } from './style.ts'
import { wrapLine } from './wrap-line.ts'

/** What each key does, one below the other. */
export function keyLines(keys: readonly (readonly [key: string, does: string])[], style: Style): readonly string[] {
  return keys.flatMap(([key, does]) => {
    const [first, ...others] = wrapLine(does, style.columns - 10, style.sign.cut)
    return [`  ${style.paint.strong(key.padEnd(6))}  ${first}`, ...others.map(line => ' '.repeat(10) + line)]
  })
}
