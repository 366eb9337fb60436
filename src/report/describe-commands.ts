import { columnsOf } from './columns-of.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'
import { wrapLine } from './wrap-line.ts'

export interface ShownCommand {
  readonly key: string
  readonly command: string
  readonly state: 'confirmed' | 'new' | 'changed'
}

/** The commands that a person has to agree to, whole: a command that is cut could hide its end. */
export function describeCommands(commands: readonly ShownCommand[], root: string, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const known = commands.some(({ state }) => state !== 'new')
  const width = Math.max(...commands.map(({ key }) => key.length))
  const rows = commands.flatMap(({ key, command, state }) => {
    const mark = known && state !== 'confirmed' ? `(${state}) ` : ''
    const text = mark + visibleLine(command)
    const parts = wrapLine(text, columns - width - 6, sign.cut, Number.POSITIVE_INFINITY)
    return parts.map((part, index) => `    ${paint.meta((index === 0 ? key : '').padEnd(width))}  ${part}`.trimEnd())
  })
  const folder = visibleLine(root)
  const heading = `${known ? 'The commands have changed' : 'Commands that relay would run'} in`
  const fits = columnsOf(heading) + columnsOf(folder) + 3 <= columns
  return [
    `${paint.needsYou(sign.needsYou)} ${paint.strong(heading)}${fits ? ` ${paint.path(folder)}` : ''}`,
    ...(fits ? [] : wrapLine(folder, columns - 4, sign.cut).map(part => `    ${paint.path(part)}`)),
    ...rows,
    '  They come with relaycode.config.json, and you have not agreed to them on',
    '  this machine yet. Nothing of them has run.',
  ]
}
