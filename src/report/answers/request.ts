import { ownTextMark } from '../../lines/own-text.ts'
import type { Problem } from '../../model/response.ts'
import { visibleLine } from '../text/visible.ts'
import { describeProblem } from './describe-problem.ts'

/** Every text of relay's for a model begins so; a response that does is never taken for a patch. */
export const FIRST_LINE = ownTextMark

/** How to answer, in short; with `title`, that the answer goes by that name. */
export function formatRules(projectId: string, title?: string): string {
  const name = title === undefined ? '' : ` promptSummary ${JSON.stringify(title)},`
  return [
    'Each file as its own fenced code block with `// path/of/the/file` on the opening line, the full content between a',
    '`// START` and a `// END` line (for a file to delete, the block holds only `//TODO: delete this file`), and at the',
    `very end the YAML block with projectId ${JSON.stringify(projectId)},${name} a new random uuid and the changeSummary.`,
  ].join('\n')
}

/** Asks a model to repeat what was wrong with its answer, and nothing else where the rest was sound. */
export function requestRepeat(problems: readonly Problem[], sound: readonly string[], projectId: string): string {
  const paths = [...new Set(problems.flatMap(({ path }) => path ?? []))]
  const only = sound.length > 0 && paths.length > 0
  const repeat = only
    ? `Please send only these files again, corrected:\n${paths.map(path => `- ${path}`).join('\n')}\nThe other files are fine.`
    : 'Please send the whole answer again, corrected.'
  return [
    FIRST_LINE,
    `Your last answer could not be applied to the project ${JSON.stringify(projectId)}:`,
    problems.map(problem => `- ${describeProblem(problem)}`).join('\n'),
    ...aroundPlaces(problems),
    repeat,
    formatRules(projectId),
    ...(problems.some(({ code }) => code.startsWith('edit-')) ? [edits] : []),
    '',
  ].join('\n\n')
}

const edits =
  'Edits are fine, too (SEARCH/REPLACE blocks, or a diff): their old lines must match the file exactly, at one place only.'

/** The text around the places that edits were meant for, as it is now. */
function aroundPlaces(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap(({ path, around }) => {
    if (path === undefined || around === undefined || around.lines.length === 0) return []
    const { from, lines } = around
    const text = lines.map(visibleLine).join('\n')
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    return [`${visibleLine(path)} has these lines now, from line ${from}:\n\n${fence}\n${text}\n${fence}`]
  })
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}

/** Asks a model for what is missing of an answer that was cut off: all of it, but for the files that are taken. */
export function requestRest(taken: readonly string[], projectId: string): string {
  const rest =
    taken.length === 0
      ? 'Please send the whole answer again.'
      : `These files are fine:\n${taken.map(path => `- ${path}`).join('\n')}\nPlease send all the others.`
  return [
    FIRST_LINE,
    `Your last answer for the project ${JSON.stringify(projectId)} was cut off before its final YAML block.`,
    rest,
    formatRules(projectId),
    '',
  ].join('\n\n')
}

/** Asks a model for the control block that its answer lacks, and with it for the answer: two messages are never joined. */
export function requestControl(projectId: string): string {
  return [
    FIRST_LINE,
    `Your last answer has files but no final YAML block, so it could not be applied to the project ${JSON.stringify(projectId)}.`,
    'Please send the whole answer again, with that block at the end.',
    formatRules(projectId),
    '',
  ].join('\n\n')
}
