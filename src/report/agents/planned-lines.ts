import type { RafProject } from '../../model/raf.ts'
import type { Committed } from '../../model/task.ts'
import { hanging, marked, noteLines } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { planLines } from './plan-lines.ts'

type End =
  | {
      readonly kind: 'planned'
      readonly project: RafProject
      readonly dropped: readonly Dropped[]
      readonly committed: Committed | undefined
    }
  | { readonly kind: 'no-plan'; readonly dropped: readonly Dropped[]; readonly isKept: boolean }
  | { readonly kind: 'stopped' }

interface Dropped {
  readonly path: string
  readonly why: string
}

/** The end of planning: lines about it for stderr, and the plan as the answer. */
export function plannedLines(
  end: End,
  { draft, onBranch }: { readonly draft: string | undefined; readonly onBranch: boolean },
  style: Style,
  answerStyle: Style,
): { readonly lines: readonly string[]; readonly answer: readonly string[] } {
  const again = 'Your description is kept: the same command opens it again.'
  const kept = draft === undefined ? [] : hanging('  ', wrapLine(again, style.columns - 2, style.sign.cut), 2)
  switch (end.kind) {
    case 'planned':
      return {
        lines: [...droppedLines(end.dropped, style), ...marked('ok', committedWords(end.committed), style)],
        answer: planLines(end.project, undefined, answerStyle, undefined, onBranch ? 'relay do -w' : 'relay do'),
      }
    case 'no-plan':
      return {
        lines: [
          ...droppedLines(end.dropped, style),
          ...marked(
            'fail',
            end.isKept
              ? 'No task file was written. What was decided is kept: the same command goes on with it.'
              : 'No task file was written, so there is no plan: nothing was left behind.',
            style,
          ),
          ...kept,
        ],
        answer: [],
      }
    case 'stopped':
      return {
        lines: [
          ...marked('fail', 'There is no plan yet. The same command goes on with what was written.', style),
          ...kept,
        ],
        answer: [],
      }
  }
}

function committedWords(committed: Committed | undefined): string {
  switch (committed?.kind) {
    case undefined:
      return 'planned'
    case 'commit':
      return `planned, committed as ${committed.sha.slice(0, 7)}`
    case 'not-committed':
      return `planned, not committed: ${visibleLine(committed.why)}`
    case 'none':
      return 'planned, not committed: git ignores it, or there is no repository'
  }
}

const mostDropped = 10

function droppedLines(dropped: readonly Dropped[], style: Style): readonly string[] {
  const more = dropped.length - mostDropped
  return [
    ...dropped.slice(0, mostDropped).flatMap(({ path, why }) => {
      return noteLines(`dropped ${path}${why === '' ? ': it is nothing of the plan' : `: ${why}`}`, style)
    }),
    ...(more > 0 ? noteLines(`dropped ${more} more`, style) : []),
  ]
}
