import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeInterval } from '../text/describe-time.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine, visibleOutput } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** The line of a watcher that has nothing to do. */
export function idleLine({ paint, sign }: Style): string {
  return `${paint.meta(sign.watching)} watching`
}

/** The same of one that takes nothing for now. */
export function pausedLine({ paint, sign }: Style): string {
  return `${paint.needsYou(sign.needsYou)} paused: relay ignores each answer that you copy. Press p to continue.`
}

/** Others watch in this project as well. */
export function otherWatchersNote(pids: readonly number[]): string {
  const [are, skip] =
    pids.length === 1
      ? [`process ${pids[0]} already watches`, 'the other skips']
      : [`processes ${pids.join(', ')} already watch`, 'the others skip']
  return `${are} this project: one of you applies each answer, ${skip} it`
}

/** Another one watches in a clone, or another worktree. */
export function otherPlaceNote({ pid, root }: { readonly pid: number; readonly root: string }): string {
  return `process ${pid} watches ${root}, which has the same projectId: it applies each answer there, too`
}

/** A patch was copied meanwhile. */
export function untakenWhilePausedLine(title: string | undefined, style: Style): string {
  return meanwhileLine('ignored while paused', title, style)
}

/** A text was pasted that the terminal does not mark, so that nobody can tell it from keys. */
export function unmarkedLines({ paint, columns }: Style): readonly string[] {
  const words =
    'relay dropped a paste: in this terminal it looks like typing. Save the answer, and run `relay apply <file>`.'
  return wrapLine(words, columns - 2).map(line => paint.meta(`  ${line}`))
}

/** A patch was copied while another is being handled: it has its turn later. */
export function queuedLine(waiting: number, title: string | undefined, style: Style): string {
  return meanwhileLine(`${waiting} more waiting`, title, style)
}

/** The very text that is being handled, or waits for that, was copied once more: it has one turn. */
export function knownLine(isUnderWay: boolean, title: string | undefined, style: Style): string {
  return meanwhileLine(isUnderWay ? 'already under way' : 'already waiting', title, style)
}

function meanwhileLine(words: string, title: string | undefined, style: Style): string {
  const name = title === undefined ? '' : `: ${visibleLine(title)}`
  return cutLine(`  ${words}${name}`, style.columns, style.sign.cut)
}

/** Watching ended before these had their turn. */
export function untakenLine(waiting: number, { paint, sign }: Style): string {
  const [are, them] = waiting === 1 ? ['was', 'it'] : ['were', 'them']
  return `${paint.needsYou(sign.needsYou)} ${count(waiting, 'answer')} ${are} not applied; copy ${them} again`
}

/** The clipboard cannot be read, can be read again, or has to be looked at after all. */
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
