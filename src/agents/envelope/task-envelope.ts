import { fenced } from '../../ground/words.ts'
import type { AttemptFacts, Task } from '../../model/task.ts'
import {
  beforeSection,
  commandRule,
  cutTo,
  gitRule,
  markerRule,
  placeRule,
  saidSection,
  section,
} from './work-rules.ts'

/** The parts of the envelope for a task of a plan. Paths are relative to the agent's folder. */
export interface TaskParts {
  readonly project: { readonly id: string; readonly title: string }
  readonly task: Task
  /** The task's position in the plan, from 1. */
  readonly place: { readonly n: number; readonly of: number }
  readonly file: { readonly path: string; readonly text: string }
  /** The tasks that this one depends on, in the plan's order. */
  readonly dependencies: readonly DoneTask[]
  /** The path for the task's outcome. */
  readonly outcomePath: string
  /** The outcome that an earlier run left; `undefined`: there is none, or it is of no use. */
  readonly lastOutcome: string | undefined
  readonly allow: readonly string[] | 'any'
  readonly facts: AttemptFacts
  /** The user's messages while an agent worked on the task, oldest first. */
  readonly said: readonly string[]
}

export interface DoneTask {
  readonly task: Task
  /** The path of its outcome. */
  readonly path: string
  readonly outcome: string
  readonly summary: string
}

/** Limits in bytes of UTF-8. */
const mostOfFile = 200_000
const mostOfOutcome = 4_000
const mostOfOutcomes = 40_000

/** The envelope for a task. The same parts always give the same bytes. */
export function taskEnvelope(parts: TaskParts): string {
  const { project, task, place, file, dependencies, outcomePath, lastOutcome = '', allow, facts, said } = parts
  const where = `This is task ${place.n} of ${place.of} of the plan "${project.title}" (${project.id}): ${task.id}, ${task.title}.`
  return [
    ...section('Your work', where, placeRule(facts.cwd)),
    ...section(`The task: ${file.path}`, fenced(cutTo(file.text.trim(), mostOfFile))),
    ...section('What was done before, and this task depends on', ...outcomesOf(dependencies)),
    ...section(
      'What an earlier run left of this task',
      lastOutcome && fenced(cutTo(lastOutcome.trim(), mostOfOutcome)),
    ),
    ...beforeSection(facts),
    ...saidSection(said),
    ...section('Rules', rules(outcomePath, allow)),
  ]
    .join('\n\n')
    .concat('\n')
}

function rules(outcomePath: string, allow: readonly string[] | 'any'): string {
  return [
    '- Do this task and no other. Leave the files of the plan as they are.',
    commandRule(allow),
    gitRule,
    `- When you are done, write ${outcomePath}, in Markdown. It begins with \`## Summary\`: what was done, its first sentence`,
    '  short and in the imperative ("Add validation for user input"), since the commit is called by it. Then what changed, what',
    '  you decided, and what later tasks have to know.',
    markerRule(outcomePath),
  ].join('\n')
}

/**
 * The outcomes of the dependencies: whole if they fit, otherwise their summaries, and only their paths when no room is left.
 */
function outcomesOf(dependencies: readonly DoneTask[]): readonly string[] {
  let room = mostOfOutcomes
  return dependencies.flatMap(({ task, path, outcome, summary }) => {
    const head = `## ${task.id} ${task.title}`
    const whole = outcome.trim()
    const isWhole = Buffer.byteLength(whole) <= mostOfOutcome
    const text = isWhole ? whole : cutTo(summary.trim(), mostOfOutcome)
    const bytes = Buffer.byteLength(text)
    if (bytes > room || bytes === 0) return [head, `Its outcome lies in ${path}.`]
    room -= bytes
    return [
      head,
      isWhole ? `Its outcome (${path}):` : `The summary of its outcome, which lies in ${path}:`,
      fenced(text),
    ]
  })
}
