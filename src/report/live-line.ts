import type { Progress } from '../model.ts'
import { cutLine } from './text/cut-line.ts'
import type { Style } from './text/style.ts'
import { visibleLine } from './text/visible.ts'

/** What runs now, for the one live line: `lint  bun tsc --noEmit`. Whoever shows it adds the time. */
export function liveLine(progress: Progress, style: Style): string | undefined {
  const text = words(progress)
  // Room for the spinner and the time: a live line that wraps is not cleaned up.
  return text === undefined ? undefined : cutLine(text, style.columns - 14, style.sign.cut)
}

function words(progress: Progress): string | undefined {
  if (progress.kind === 'waiting') return `waiting for another relay (${visibleLine(progress.owner)})`
  if (progress.kind !== 'step-started') return undefined
  return `${progress.step}  ${visibleLine(progress.command)}`.trimEnd()
}
