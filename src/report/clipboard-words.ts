import type { Config } from '../model.ts'
import { describeInterval } from './text/describe-time.ts'
import { visibleLine } from './text/visible.ts'

/** A way to the clipboard, as far as words about it go. */
export interface ClipboardWay {
  readonly kind: 'events' | 'looks' | 'none'
  readonly name: string
}

/** How the clipboard is watched: `x11 events on :0`, or `xclip every 2 s (clipboard: poll)`. */
export function clipboardWords({ kind, name }: ClipboardWay, config: Config): string {
  if (kind === 'none') return 'none: paste answers here'
  if (kind !== 'looks') return visibleLine(name)
  const wish = config.clipboard === 'poll' ? ' (clipboard: poll)' : ''
  return `${visibleLine(name)} every ${describeInterval(config.clipboardPollInterval)}${wish}`
}
