import { fenced } from '../../ground/words.ts'
import { followUpMark } from '../../lines/own-text.ts'
import type { Problem } from '../../model/response.ts'
import { visibleLine } from '../text/visible.ts'
import { describeDifference, describeProblem } from './describe-problem.ts'

/** Every text of relay for a model begins with this line, so that relay never takes a copy of it for a patch. */
export const FIRST_LINE = followUpMark

/** How to answer, in short. */
export function formatRules(projectId: string): string {
  return [
    'Each file as its own fenced code block with `// path/of/the/file` on the opening line, the full content between a',
    '`// START` and a `// END` line (for a file to delete, the block holds only `//TODO: delete this file`), and at the',
    `very end the YAML block with projectId ${JSON.stringify(projectId)}, promptSummary (a short title in the imperative),`,
    'a new random uuid and the changeSummary.',
  ].join('\n')
}

/** Asks a model to correct its answer, and where the rest was sound, only the faulty parts. */
export function requestRepeat(problems: readonly Problem[], sound: readonly string[], projectId: string): string {
  const paths = [...new Set(problems.flatMap(({ path }) => path ?? []))]
  const only = sound.length > 0 && paths.length > 0
  const repeat = only
    ? `Please send only these files again, corrected:\n${paths.map(path => `- ${path}`).join('\n')}\nThe other files are fine.`
    : 'Please send the whole answer again, corrected.'
  return [
    FIRST_LINE,
    `Your last answer could not be applied to the project ${JSON.stringify(projectId)}:`,
    problems.map(problem => [`- ${describeProblem(problem)}`, ...differenceIn(problem)].join('\n')).join('\n'),
    ...aroundPlaces(problems),
    repeat,
    formatRules(projectId),
    ...(problems.some(({ code }) => code.startsWith('edit-')) ? [edits] : []),
    '',
  ].join('\n\n')
}

const edits =
  'Edits are fine, too (SEARCH/REPLACE blocks, or a diff): their old lines must match the file exactly, at one place only.'

function differenceIn(problem: Problem): readonly string[] {
  return describeDifference(problem).map(line => `      ${line}`)
}

/** The present text around the places that the edits were meant for. */
function aroundPlaces(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap(({ path, around }) => {
    if (path === undefined || around === undefined || around.lines.length === 0) return []
    const { from, lines } = around
    const text = lines.map(visibleLine).join('\n')
    return [`${visibleLine(path)} has these lines now, from line ${from}:\n\n${fenced(text)}`]
  })
}

/** Asks a model for the missing part of an answer that was cut off, but not for the files that are taken. */
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

/** Asks a model for the whole answer with the control block that it lacks: relay never joins two messages. */
export function requestControl(projectId: string): string {
  return [
    FIRST_LINE,
    `Your last answer has files but no final YAML block, so it could not be applied to the project ${JSON.stringify(projectId)}.`,
    'Please send the whole answer again, with that block at the end.',
    formatRules(projectId),
    '',
  ].join('\n\n')
}
