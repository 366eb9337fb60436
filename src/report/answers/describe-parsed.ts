import type { Reason } from '../../model/check.ts'
import type { Ended } from '../../model/entry.ts'
import type { Change, Plan } from '../../model/plan.ts'
import type { Control, Operation, Parsed, Patch } from '../../model/response.ts'
import type { Outcome } from '../../model/talk.ts'
import { count } from '../text/count.ts'
import { cutLine, cutPath, padLine } from '../text/cut-line.ts'
import { indented, noteLines } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { describeOutcome } from './describe-outcome.ts'
import { describeFlag, describeReason, firstFlags } from './describe-reason.ts'
import type { About } from './outcome-words.ts'

/** A patch that may begin in a project, and what is known about it without running anything. */
interface MayBegin {
  readonly kind: 'ready'
  readonly plan: Pick<Plan, 'flags' | 'changes'>
  /** Why `relay apply` would ask, beside the doubts. */
  readonly reasons: readonly Reason[]
  /** The earlier transaction with the same uuid and other operations. */
  readonly reused: { readonly number: number; readonly state: Ended } | undefined
}

/**
 * What relay understood of a response, for the question "why did relay not take it?".
 *
 * @param here what a patch would do in the project; without a project only the text counts
 */
export function describeParsed(
  parsed: Parsed,
  about: About & { readonly projectId: string },
  style: Style,
  here?: Outcome | MayBegin,
): readonly string[] {
  switch (parsed.kind) {
    case 'ignored':
      return describeOutcome({ kind: 'ignored', why: parsed.why }, style, { projectId: about.projectId })
    case 'refused':
      return [
        ...describeOutcome({ kind: 'refused', problems: parsed.problems }, style),
        ...facts(parsed.control, style),
      ]
    case 'patch': {
      if (here?.kind !== 'ready') {
        return [...patchLines(parsed.patch, style), ...(here === undefined ? [] : describeOutcome(here, style, about))]
      }
      const { plan, reused, reasons } = here
      const others = reused === undefined ? reasons : [...reasons, { kind: 'reused-uuid', ...reused } as const]
      return patchLines({ ...parsed.patch, flags: plan.flags }, style, plan.changes, others)
    }
  }
}

/** @param changes the effect on the files, where it is known */
function patchLines(
  { control, operations, reasoning, flags }: Patch,
  style: Style,
  changes: readonly Change[] = [],
  reasons: readonly Reason[] = [],
): readonly string[] {
  const changeOf = new Map(changes.map(change => [change.path, change]))
  const { paint, sign, columns } = style
  const width = Math.min(columns - 24, Math.max(0, ...operations.map(({ path }) => visibleLine(path).length)))
  const sensitive = flags.filter(({ flag }) => flag === 'sensitive-path')
  return [
    `${paint.ok(sign.ok)} ${paint.strong('an answer')}  ${count(operations.length, 'file')}, ${count(reasoning.length, 'piece')} of reasoning, ${count(flags.length + reasons.length, 'flag')}`,
    ...facts(control, style),
    ...operations.flatMap(operation => {
      const path = cutPath(visibleLine(operation.path), columns - 24, sign.cut)
      const size = sizeOf(operation)
      const change = changeOf.get(operation.op === 'rename' ? operation.to : operation.path)
      const note = noteOf(change)
      return [
        `  ${verbOf(operation, change).padEnd(6)}  ${paint.path(size === '' ? path : padLine(path, width))}${paint.meta(size)}`,
        ...(note === undefined ? [] : [paint.meta(cutLine(`          ${note}`, columns, sign.cut))]),
      ]
    }),
    ...flags
      .filter(flag => !sensitive.includes(flag))
      .flatMap(flag => noteLines(`${flag.flag}: ${describeFlag(flag)}`, style)),
    ...(sensitive.length === 0 ? [] : noteLines('relay asks about these before anything runs:', style)),
    ...firstFlags(sensitive).flatMap(flag => indented(flag, style)),
    ...reasons.flatMap(reason => noteLines(describeReason(reason), style)),
  ]
}

function facts({ projectId, uuid }: Partial<Control>, style: Style): readonly string[] {
  return [...fact('projectId', projectId, style), ...fact('uuid', uuid, style)]
}

function fact(name: string, value: string | undefined, { paint, sign, columns }: Style): readonly string[] {
  if (value === undefined) return []
  return [`  ${paint.meta(name.padEnd(10))}${cutLine(visibleLine(value), columns - 12, sign.cut)}`]
}

/** An edit may make a file. */
function verbOf(operation: Operation, change: Change | undefined): string {
  if (operation.op !== 'edit') return operation.op
  return change?.effect === 'create' || operation.blocks[0]?.[0]?.isNew === true ? 'new' : 'edit'
}

/** For effects that the answer does not tell alone. */
function noteOf(change: Change | undefined): string | undefined {
  if (change === undefined) return undefined
  const { effect, merged, edits } = change
  if (effect === 'none') return 'unchanged'
  if (merged !== undefined) return `merged with your edits since ${merged}`
  return edits !== undefined && edits.already > 0
    ? `${edits.already} of ${count(edits.count, 'edit')} already there`
    : undefined
}

function sizeOf(operation: Operation): string {
  switch (operation.op) {
    case 'delete':
      return ''
    case 'write':
      return `  ${count(linesOf(operation.content), 'line')}`
    case 'edit':
      return `  ${count(operation.blocks.flat().length, 'edit')}`
    case 'rename':
      return `  to ${visibleLine(operation.to)}`
  }
}

function linesOf(content: string): number {
  if (content === '') return 0
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}
