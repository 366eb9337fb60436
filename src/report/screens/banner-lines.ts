import { linterLine } from '../../model/linters-of.ts'
import type { Config, Project } from '../../model/project.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine, padLine } from '../text/cut-line.ts'
import { describeInterval } from '../text/describe-time.ts'
import { folderBeside } from '../text/folder-beside.ts'
import { hanging } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { idleKeysInShort } from './idle-keys.ts'
import { type Last, lastWords } from './status-lines.ts'

export interface ClipboardWay {
  readonly kind: 'events' | 'looks' | 'none'
  readonly name: string
  /** The desktop has not started yet, or has ended. */
  readonly isAway?: boolean
}

export interface Banner {
  readonly version: string
  readonly project: Project
  readonly home: string | undefined
  readonly clipboard: ClipboardWay
  readonly last: Last | undefined
  readonly now: Date
  /** A user sits at the keyboard. */
  readonly hasKeys: boolean
}

/** The first lines of `relay watch`: what it watches, and what it will do with an answer. */
export function bannerLines(banner: Banner, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const { config, root } = banner.project
  const name = `relay ${visibleLine(banner.version)}   ${cutLine(visibleLine(config.projectId), 30, sign.cut)}`
  const folder = folderBeside(name, root, banner.home, style)
  return [
    `${paint.strong(name)}   ${paint.path(folder)}`,
    ...facts(
      room => [
        ['approve', keepWords(config)],
        ['linter', visibleLine(linterLine(config)) || 'none: unchecked'],
        ['clipboard', clipboardWords(banner.clipboard, config)],
        ['last', lastWords(banner.last, banner.now, room, sign.cut)],
        ...commandFacts(config),
      ],
      style,
    ),
    ...(banner.hasKeys ? [`  ${label('keys', 11, style)}${idleKeysInShort(columns - 13)}`] : []),
    ...(banner.last === undefined ? beginning(style) : []),
    '',
  ]
}

/** `x11 events on :0`, or `xclip every 2 s (clipboard: poll)`. */
export function clipboardWords({ kind, name, isAway = false }: ClipboardWay, config: Config): string {
  if (kind === 'none') return 'none: paste answers here'
  if (isAway) return `no ${visibleLine(name)} yet`
  if (kind !== 'looks') return visibleLine(name)
  const wish = config.clipboard === 'poll' ? ' (clipboard: poll)' : ''
  return `${visibleLine(name)} every ${describeInterval(config.clipboardPollInterval)}${wish}`
}

/** An LLM without the rules gives answers that are no patch, and relay passes over them in silence. */
function beginning(style: Style): readonly string[] {
  const words = 'give your LLM the rules (`relay prompt`), then copy an answer'
  return hanging(`  ${label('begin', 11, style)}`, wrapLine(words, style.columns - 13), 13)
}

type Fact = readonly [name: string, value: string]

function keepWords(config: Project['config']): string {
  return config.commit ? `${approveWords(config)}, and commit it` : approveWords(config)
}

function approveWords({ approval, approvalOnErrorCount, linter }: Project['config']): string {
  if (approval === 'no') return 'always ask'
  if (approval === 'never') return 'never ask: what is in doubt is declined'
  if (linterLine({ linter }) === '') return 'auto, unchecked'
  return approvalOnErrorCount === 0 ? 'auto if no new errors' : `auto up to ${count(approvalOnErrorCount, 'new error')}`
}

function commandFacts({ preCommand, postCommand }: Project['config']): readonly Fact[] {
  const all: readonly Fact[] = [
    ['pre', visibleLine(preCommand).trim()],
    ['post', visibleLine(postCommand).trim()],
  ]
  return all.filter(([, command]) => command !== '')
}

/** Two facts beside each other where each has room, else one below the other. `of`: the facts for this many columns. */
function facts(of: (room: number) => readonly Fact[], style: Style): readonly string[] {
  const [left, right] = [27, style.columns - 2 - 11 - 27 - 2 - 8]
  const all = of(right)
  const roomy = all.every(([, value], index) => columnsOf(value) <= (index % 2 === 0 ? left : right))
  if (!roomy || right < 12) {
    const room = style.columns - 13
    return of(room).map(([name, value]) => `  ${label(name, 11, style)}${cutLine(value, room, style.sign.cut)}`)
  }
  const lines: string[] = []
  for (let at = 0; at < all.length; at += 2) {
    const [a, b] = [all[at], all[at + 1]]
    const first = a === undefined ? '' : `  ${label(a[0], 11, style)}${padLine(a[1], left)}`
    lines.push(b === undefined ? first.trimEnd() : `${first}  ${label(b[0], 8, style)}${b[1]}`)
  }
  return lines
}

function label(name: string, columns: number, style: Style): string {
  return style.paint.meta(padLine(name, columns))
}
