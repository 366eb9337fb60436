import type { Style } from '../text/style.ts'
import { visible } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** The model's own prose, wrapped to the screen. */
export function reasoningLines(reasoning: readonly string[], style: Style): readonly string[] {
  if (reasoning.length === 0) return [style.paint.meta('  The model gave no reasoning.')]
  return reasoning
    .map(text => visible(text.trim().replaceAll('\t', '    ')))
    .join('\n\n')
    .split('\n')
    .flatMap(line => wrapLine(line, style.columns - 4, style.sign.cut, Number.POSITIVE_INFINITY))
    .map(line => `  ${line}`.trimEnd())
}
