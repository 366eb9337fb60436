import { ownTextMark } from '../lines/own-text.ts'
import type { Problem } from '../model/response.ts'
import { describeProblem } from './describe-problem.ts'
import { visibleLine } from './text/visible.ts'

/** Every text of relay's for a model begins so; a response that does is never taken for a patch. */
export const FIRST_LINE = ownTextMark

/** How to answer, in short; with `title`, that the answer goes by that name. */
export function formatRules(projectId: string, title?: string): string {
  const name = title === undefined ? '' : ` promptSummary ${JSON.stringify(title)},`
  return [
    'Each file as its own fenced code block with `// path/of/the/file` on the opening line, the full content between a',
    '`// START` and a `// END` line (a file to delete has nothing but `//TODO: delete this file` in its block), and at the',
    `very end the YAML block with projectId ${JSON.stringify(projectId)},${name} a new random uuid and the changeSummary.`,
  ].join('\n')
}

/** Asks a model to repeat what was wrong with its answer, and nothing else where the rest was sound. */
export function requestRepeat(problems: readonly Problem[], sound: readonly string[], projectId: string): string {
  const paths = [...new Set(problems.flatMap(({ path }) => path ?? []))]
  const only = sound.length > 0 && paths.length > 0
  const repeat = only
    ? `Please repeat only these files, put right:\n${paths.map(path => `- ${path}`).join('\n')}\nThe others arrived well.`
    : 'Please give the whole answer once more, put right.'
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
  'Edits will do as well (SEARCH/REPLACE blocks, or a diff): their old lines must stand in the file exactly so, and only once.'

/** The text around the places that edits were meant for, as it is now. */
function aroundPlaces(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap(({ path, around }) => {
    if (path === undefined || around === undefined || around.lines.length === 0) return []
    const { from, lines } = around
    const text = lines.map(visibleLine).join('\n')
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    return [`${visibleLine(path)} has these lines now, from line ${from} on:\n\n${fence}\n${text}\n${fence}`]
  })
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}

/** Asks a model for what is missing of an answer that was cut off: all of it, but for the files that are taken. */
export function requestRest(taken: readonly string[], projectId: string): string {
  const rest =
    taken.length === 0
      ? 'Please give the whole answer once more.'
      : `These files arrived well:\n${taken.map(path => `- ${path}`).join('\n')}\nPlease give all its others.`
  return [
    FIRST_LINE,
    `Your last answer to the project ${JSON.stringify(projectId)} was cut off before its closing YAML block.`,
    rest,
    formatRules(projectId),
    '',
  ].join('\n\n')
}

/** Asks a model for the control block that its answer lacks, and with it for the answer: two messages are never joined. */
export function requestControl(projectId: string): string {
  return [
    FIRST_LINE,
    `Your last answer has files but no closing YAML block, so it could not be applied to the project ${JSON.stringify(projectId)}.`,
    'Please give the whole answer once more, with that block at the end.',
    formatRules(projectId),
    '',
  ].join('\n\n')
}
