import type { KeptNote } from '../../model/kept.ts'
import { count } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeAge } from '../text/describe-time.ts'
import { indented } from '../text/hanging.ts'
import { shortWhy } from '../text/short-why.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** Each kept work, newest first, with the reason why it did not land; then the command that lands it. */
export function keptLines(notes: readonly KeptNote[], style: Style, now: Date): readonly string[] {
  const [newest] = notes
  if (newest === undefined) return []
  const { paint, columns, sign } = style
  const width = Math.max(...notes.map(({ number }) => `${number}`.length))
  return [
    ...notes.flatMap(note => {
      const { number, agent, at, why } = note
      const facts = [visibleLine(agent), describeAge(at, now), filesOf(note)].join(', ')
      const title = cutLine(nameOfKept(note), columns - width - 4, sign.cut)
      return [
        `  ${paint.strong(`${number}`.padStart(width))}  ${title}`,
        ...indented(`${facts}: ${shortWhy(why)}`, style),
      ]
    }),
    '',
    paint.meta(`  relay apply --kept ${newest.number}`),
  ]
}

/** The newest kept work in one line, with the command that lands it; then the number of others. */
export function keptWords(notes: readonly KeptNote[], now: Date): string {
  const [newest, ...others] = notes
  if (newest === undefined) return ''
  const { number, at } = newest
  const title = cutLine(nameOfKept(newest), 60)
  const more = others.length === 0 ? '' : `; ${others.length} more: \`relay apply --kept\``
  const facts = `${describeAge(at, now)}, ${filesOf(newest)}`
  return `work ${number} of ${visibleLine(newest.agent)}: ${title}, ${facts}. To land it: \`relay apply --kept ${number}\`${more}`
}

/** How many files it has; those of a checkout are not counted. */
function filesOf({ paths, left }: KeptNote): string {
  return left === undefined ? count(paths.length, 'file') : `in ${left}/work`
}

/** The task's title, after its id where it has one. */
function nameOfKept({ task, title }: KeptNote): string {
  return visibleLine(task === undefined ? title : `${task} ${title}`)
}
