import { fenced } from '../../ground/words.ts'
import type { RafTask } from '../../model/raf.ts'
import { cutTo, placeRule, section } from './work-rules.ts'

/** The parts of the envelope for an agent that writes a plan. Paths are relative to the agent's folder. */
export interface PlanParts {
  /** The agent's folder. */
  readonly cwd: string
  readonly project: { readonly id: string; readonly title: string }
  /** The plan's folder: `RAF/abcdef-fix-login`. */
  readonly path: string
  /** The description of what to plan now. */
  readonly input: string
  /** The existing tasks, which stay as they are. */
  readonly tasks: readonly RafTask[]
  /** The id of the first new task. */
  readonly nextId: string
  /** An earlier run was stopped; its files are still there. */
  readonly isResumed: boolean
}

/** In bytes of UTF-8. */
const mostOfInput = 200_000

/** The envelope for an agent that plans alone. The same parts always give the same bytes. */
export function planEnvelope(parts: PlanParts): string {
  return [
    ...section('Your work', workWords(parts), placeRule(parts.cwd), resumedWords(parts)),
    ...section('What is to be planned', fenced(cutTo(parts.input.trim(), mostOfInput))),
    ...tasksSection(parts),
    ...section('A task file', taskFileRule),
    ...section('Rules', [...rulesFor(parts), aloneRule(parts)].join('\n')),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The rules for an agent that plans in a conversation with the user, which begins with `planOpening`. */
export function planRules(parts: PlanParts): string {
  return [
    ...section('Your work', workWords(parts), 'The user sits at this terminal: talk with them.', resumedWords(parts)),
    ...tasksSection(parts),
    ...section('A task file', taskFileRule),
    ...section('Rules', [...rulesFor(parts), ...talkRules(parts)].join('\n')),
  ]
    .join('\n\n')
    .concat('\n')
}

/**
 * The user's first message in a conversation. It only names the file with the description: the length
 * of an argument is limited.
 */
export function planOpening({ path, tasks, isResumed }: PlanParts): string {
  const what = tasks.length === 0 ? 'what I want' : 'what I want now, below its last `---`'
  const again = isResumed ? ' We were stopped in the middle: go on with what you find in its folder.' : ''
  return `${path}/input.md says ${what}. Read it, look at the code, ask me what is open, then write the task files.${again}`
}

function workWords({ project, path, tasks }: PlanParts): string {
  const what = tasks.length === 0 ? 'You write the plan' : 'You write further tasks of the plan'
  return `${what} "${project.title}" (${project.id}): task files in ${path}/plans/. Other agents carry them out later, one after the other, and each of them sees its task file and little else.`
}

function resumedWords({ isResumed, path }: PlanParts): string {
  return isResumed
    ? `An earlier run was stopped in the middle. What it had written is in ${path}: go on from there.`
    : ''
}

function tasksSection({ tasks }: PlanParts): readonly string[] {
  if (tasks.length === 0) return []
  const lines = tasks.map(({ id, title, status }) => `- [${status.toUpperCase()}] ${id} ${title}`)
  return section('The tasks that there are', cutTo(lines.join('\n'), 40_000))
}

const taskFileRule = [
  fenced(
    [
      '# Task: <its name>',
      '',
      '## Objective',
      '<one sentence>',
      '',
      '## Context',
      '<why it is needed>',
      '',
      '## Dependencies',
      '01, 02',
      '',
      '## Requirements',
      '- <what has to be true>',
      '',
      '## Implementation Steps',
      '1. <first step>',
      '',
      '## Acceptance Criteria',
      '- [ ] <what can be checked>',
      '',
      '## Notes',
      '<what else helps>',
    ].join('\n'),
  ),
  '',
  '`## Dependencies` has ids of tasks and nothing else, with commas between them, and is left out where there is none. A task begins',
  'when all of its dependencies are done, so let no two tasks wait for each other.',
].join('\n')

function rulesFor({ path, nextId, tasks }: PlanParts): readonly string[] {
  const old =
    tasks.length === 0
      ? []
      : ['- Leave the files of the tasks that there are alone: whatever you change in them is dropped.']
  return [
    `- A task is one file, ${path}/plans/<id>-<name>.md. The first new id is ${nextId}, then one after the other in base 36: 09, 0a, ... 0z, 10. The name is in small letters, with hyphens.`,
    ...old,
    '- A task is a piece of work that one agent does in one go, and that can be checked by itself. Put first what others build on.',
    `- Write in ${path}/plans/ and ${path}/decisions.md, and nowhere else: what you write elsewhere is dropped.`,
    '- Write no code, and run nothing that changes files.',
    '- Leave git alone: no commit, branch or push.',
  ]
}

function talkRules({ path }: PlanParts): readonly string[] {
  return [
    '- Read the code before you ask. Ask what is open, one question at a time, with the answers that you would suggest.',
    `- After each answer, add it to ${path}/decisions.md at once: \`## <the question>\`, then the answer.`,
    '- When nothing is open, write the task files, list them, and say that the conversation can be ended.',
  ]
}

function aloneRule({ path }: PlanParts): string {
  return `- Where something is open, decide it, and add it to ${path}/decisions.md: \`## <the question>\`, then what you decided and why.`
}
