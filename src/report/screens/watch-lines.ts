import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeInterval } from '../text/describe-time.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine, visibleOutput } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

export function idleLine({ paint, sign }: Style): string {
  return `${paint.meta(sign.watching)} watching`
}

export function pausedLine({ paint, sign }: Style): string {
  return `${paint.needsYou(sign.needsYou)} paused: relay ignores each answer that you copy. Press p to continue.`
}

/** After a pause. */
export function continuedLine(style: Style): string {
  return `${idleLine(style)} again`
}

export function otherWatchersNote(pids: readonly number[]): string {
  const others =
    pids.length === 1
      ? `another relay watches this project (pid ${pids[0]})`
      : `other relays watch this project (pids ${pids.join(', ')})`
  return `${others}. Only one applies each answer: close the others`
}

/** The other process watches a clone, or another worktree. */
export function otherPlaceNote({ pid, root }: { readonly pid: number; readonly root: string }): string {
  return `process ${pid} watches ${root}, which has the same projectId: it applies each answer there, too`
}

/** A patch was copied while relay was paused. */
export function untakenWhilePausedLine(title: string | undefined, style: Style): string {
  return meanwhileLine('ignored while paused', title, style)
}

/** A copied text ends with the name of an agent that cannot get it. */
export function notDelegatedLine(why: string, { paint, sign }: Style): string {
  return `${paint.meta(sign.watching)} not delegated  ${visibleLine(why)}`
}

/** The terminal does not mark pastes, so this paste looks like keys. */
export function unmarkedLines({ paint, columns }: Style): readonly string[] {
  const words =
    'relay dropped a paste: in this terminal it looks like typing. Save the answer, and run `relay apply <file>`.'
  return wrapLine(words, columns - 2).map(line => paint.meta(`  ${line}`))
}

/** A patch was copied while another is under way: it comes later. */
export function queuedLine(waiting: number, title: string | undefined, style: Style): string {
  return meanwhileLine(`${waiting} more waiting`, title, style)
}

/** The same text was copied again while it is under way, or waits: it is applied once. */
export function knownLine(isUnderWay: boolean, title: string | undefined, style: Style): string {
  return meanwhileLine(isUnderWay ? 'already under way' : 'already waiting', title, style)
}

function meanwhileLine(words: string, title: string | undefined, style: Style): string {
  const name = title === undefined ? '' : `: ${visibleLine(title)}`
  return cutLine(`  ${words}${name}`, style.columns, style.sign.cut)
}

/** Relay stopped watching before it came to these. */
export function untakenLine(waiting: number, { paint, sign }: Style): string {
  const [are, them] = waiting === 1 ? ['was', 'it'] : ['were', 'them']
  return `${paint.needsYou(sign.needsYou)} ${count(waiting, 'answer')} ${are} not applied; copy ${them} again`
}

export function clipboardLines(
  state:
    | { readonly kind: 'lost'; readonly message: string; readonly hint: string | undefined }
    | { readonly kind: 'back' }
    | { readonly kind: 'deaf'; readonly everyMs: number },
  canPaste: boolean,
  style: Style,
): readonly string[] {
  const { paint, sign } = style
  if (state.kind === 'back') return [`${paint.ok(sign.ok)} the clipboard can be read again`]
  if (state.kind === 'deaf') {
    const pause = describeInterval(state.everyMs)
    return [
      `${paint.needsYou(sign.needsYou)} this desktop does not announce copies: relay checks the clipboard every ${pause}`,
    ]
  }
  const more = [visibleOutput(state.message), ...(state.hint === undefined ? [] : [`Hint: ${state.hint}`])]
  return [
    `${paint.fail(sign.fail)} ${paint.strong('cannot read the clipboard')}; relay keeps trying`,
    ...more.flatMap(text => indented(visibleLine(text), style)),
    ...(canPaste ? indented('Until then, paste answers into this window.', style) : []),
  ]
}
