import type { Problem } from '../model.ts'
import { describeProblem } from './describe-problem.ts'

/** Every text of relay's for a model begins so; a response that does is never taken for a patch. */
const firstLine = '# relay-followup'

const rules = (projectId: string) =>
  [
    'Each file as its own fenced code block with `// path/of/the/file` on the opening line, the full content between a',
    '`// START` and a `// END` line, and at the very end the YAML block with',
    `projectId ${JSON.stringify(projectId)}, a new random uuid and the changeSummary of what you repeat.`,
  ].join('\n')

/** Asks a model to repeat what was wrong with its answer, and nothing else where the rest was sound. */
export function requestRepeat(problems: readonly Problem[], sound: readonly string[], projectId: string): string {
  const paths = [...new Set(problems.flatMap(({ path }) => path ?? []))]
  const only = sound.length > 0 && paths.length > 0
  const repeat = only
    ? `Please repeat only these files, put right:\n${paths.map(path => `- ${path}`).join('\n')}\nThe others arrived well.`
    : 'Please give the whole answer once more, put right.'
  return [
    firstLine,
    `Your last answer could not be applied to the project ${JSON.stringify(projectId)}:`,
    problems.map(problem => `- ${describeProblem(problem)}`).join('\n'),
    repeat,
    rules(projectId),
    '',
  ].join('\n\n')
}

/** Asks a model for the control block that its answer lacks, and with it for the answer: two messages are never joined. */
export function requestControl(projectId: string): string {
  return [
    firstLine,
    `Your last answer has files but no closing YAML block, so it could not be applied to the project ${JSON.stringify(projectId)}.`,
    'Please give the whole answer once more, with that block at the end.',
    rules(projectId),
    '',
  ].join('\n\n')
}
