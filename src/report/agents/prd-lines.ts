import type { Prd, PrdFinding, Story } from '../../model/prd.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine, padLine } from '../text/cut-line.ts'
import { noteLines } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/**
 * The user stories of a prd.json, a line each in the order of the file, and how far it is. A narrow terminal gets fewer
 * columns.
 *
 * @param next the id of the story that is next
 */
export function prdLines(prd: Prd, next: string | undefined, style: Style): readonly string[] {
  const head = [prd.project, prd.branchName].map(visibleLine).filter(each => each !== '')
  return [
    ...(head.length === 0 ? [] : [style.paint.strong(cutLine(head.join('   '), style.columns, style.sign.cut))]),
    ...(prd.stories.length === 0 ? [] : tableOf(prd.stories, next, style)),
    ...wrapLine(sumWords(prd.stories, next), style.columns, style.sign.cut),
  ]
}

/** What speaks against a prd.json, each with its story; a line where nothing does. */
export function prdFindingLines(findings: readonly PrdFinding[], stories: number, style: Style): readonly string[] {
  const { paint, sign } = style
  if (findings.length === 0)
    return [`${paint.ok(sign.ok)} ${count(stories, 'user story', 'user stories')}, no findings`]
  const notes = findings.map(({ story, message }) => `${story === undefined ? '' : `${story}: `}${message}`)
  return [...notes.flatMap(note => noteLines(note, style)), `${count(findings.length, 'finding')}.`]
}

const HEAD = ['id', 'priority', 'passes', 'title'] as const
/** The sign at the beginning of a line says the same. */
const PASSES = 2
const TITLE = 3
const LONGEST_ID = 12

function tableOf(stories: readonly Story[], next: string | undefined, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const shown = HEAD.map((_, at) => at).filter(at => at !== PASSES || columns >= 60)
  const rows = stories.map(story => cellsOf(story, style))
  const widths = HEAD.map((name, at) => Math.max(name.length, ...rows.map(cells => columnsOf(cells[at] ?? ''))))
  const taken = shown.reduce((sum, at) => sum + (at === TITLE ? 0 : (widths[at] ?? 0) + 2), sign.ok.length + 1)
  const room = Math.max(8, columns - taken)
  const line = (cells: readonly string[]) =>
    shown
      .map(at => (at === TITLE ? cutLine(cells[at] ?? '', room, sign.cut) : padLine(cells[at] ?? '', widths[at] ?? 0)))
      .join('  ')
  return [
    paint.meta(`${' '.repeat(sign.ok.length + 1)}${line(HEAD)}`),
    ...stories.map((story, at) => marked(story, line(rows[at] ?? []), story.id === next, style)),
  ]
}

function cellsOf({ id, title, priority, passes }: Story, { sign }: Style): readonly string[] {
  return [
    cutLine(visibleLine(id), LONGEST_ID, sign.cut),
    Number.isFinite(priority) ? String(priority) : 'none',
    passes ? 'yes' : 'no',
    visibleLine(title),
  ]
}

function marked({ passes }: Story, line: string, isNext: boolean, { paint, sign }: Style): string {
  if (passes) return `${paint.ok(sign.ok)} ${paint.meta(line)}`
  return isNext ? `${paint.needsYou(sign.patch)} ${line}` : `${sign.watching} ${line}`
}

function sumWords(stories: readonly Story[], next: string | undefined): string {
  const passing = stories.filter(({ passes }) => passes).length
  const whole = count(stories.length, 'user story', 'user stories')
  if (stories.length === 0) return 'There is no user story in it.'
  if (next === undefined) return stories.length === 1 ? 'The one user story passes.' : `All ${whole} pass.`
  return `${passing} of ${whole} ${passing === 1 ? 'passes' : 'pass'}. Next: ${cutLine(visibleLine(next), LONGEST_ID)}`
}
