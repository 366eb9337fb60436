import type { Control, Parsed, Patch } from '../model.ts'
import { describeOutcome } from './describe-outcome.ts'
import { describeFlag } from './describe-reason.ts'
import { count } from './text/count.ts'
import { cutLine, cutPath, padLine } from './text/cut-line.ts'
import { noteLines } from './text/hanging.ts'
import type { Style } from './text/style.ts'
import { visibleLine } from './text/visible.ts'

/** What relay understood of a response, for "why was it not taken?". `projectId`: of the project that it was read as. */
export function describeParsed(parsed: Parsed, projectId: string, style: Style): readonly string[] {
  switch (parsed.kind) {
    case 'ignored':
      return describeOutcome({ kind: 'ignored', why: parsed.why }, style, { projectId })
    case 'refused':
      return [
        ...describeOutcome({ kind: 'refused', problems: parsed.problems }, style),
        ...facts(parsed.control, style),
      ]
    case 'patch':
      return patchLines(parsed.patch, style)
  }
}

function patchLines({ control, operations, reasoning, flags }: Patch, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const width = Math.min(columns - 24, Math.max(0, ...operations.map(({ path }) => visibleLine(path).length)))
  return [
    `${paint.ok(sign.ok)} ${paint.strong('a patch')}  ${count(operations.length, 'file')}, ${count(reasoning.length, 'piece')} of reasoning, ${count(flags.length, 'doubt')}`,
    ...facts(control, style),
    ...operations.map(operation => {
      const path = cutPath(visibleLine(operation.path), columns - 24, sign.cut)
      const size = operation.op === 'write' ? `  ${count(linesOf(operation.content), 'line')}` : ''
      return `  ${operation.op.padEnd(6)}  ${paint.path(size === '' ? path : padLine(path, width))}${paint.meta(size)}`
    }),
    ...flags.flatMap(flag => noteLines(`${flag.flag}: ${describeFlag(flag)}`, style)),
  ]
}

function facts({ projectId, uuid }: Partial<Control>, style: Style): readonly string[] {
  return [...fact('projectId', projectId, style), ...fact('uuid', uuid, style)]
}

function fact(name: string, value: string | undefined, { paint, sign, columns }: Style): readonly string[] {
  if (value === undefined) return []
  return [`  ${paint.meta(name.padEnd(10))}${cutLine(visibleLine(value), columns - 12, sign.cut)}`]
}

function linesOf(content: string): number {
  if (content === '') return 0
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}
