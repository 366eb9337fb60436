import { fenced } from '../../ground/fenced.ts'
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

/** What an agent is told for a task of a plan. Paths are relative to the folder in which it works. */
export interface TaskParts {
  readonly project: { readonly id: string; readonly title: string }
  readonly task: Task
  /** Its place in the plan: the `n`th of so many, from 1 on. */
  readonly place: { readonly n: number; readonly of: number }
  /** The task's file. */
  readonly file: { readonly path: string; readonly text: string }
  /** The tasks that it depends on, in the plan's order. */
  readonly dependencies: readonly DoneTask[]
  /** Where its outcome is to be written. */
  readonly outcomePath: string
  /** What an earlier run left there; `undefined`: nothing, or it was of no use. */
  readonly lastOutcome: string | undefined
  readonly allow: readonly string[] | 'any'
  readonly facts: AttemptFacts
  /** What the user said while an agent worked on it, oldest first. */
  readonly said: readonly string[]
}

export interface DoneTask {
  readonly task: Task
  /** Where its outcome lies. */
  readonly path: string
  readonly outcome: string
  readonly summary: string
}

/** How much may be sent, in bytes of UTF-8. */
const mostOfFile = 200_000
const mostOfOutcome = 4_000
const mostOfOutcomes = 40_000

/** The text that an agent gets for a task: the same bytes for the same parts. */
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

/** Whole where they fit, summaries where not; in the end where they lie. */
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
