import { countedShape } from '../../check/counted-shape.ts'
import { isShape, isText, listOf, maybe, oneOf } from '../../ground/json.ts'
import type { Check, Checks } from '../../model/check.ts'
import type { CommandEnd } from '../../model/talk.ts'
import { readNote, writeNote } from '../disk/note.ts'
import type { Pending } from '../execute/commit-plan.ts'
import type { Stage } from '../layout/stage.ts'
import { noteWritten } from '../layout/stage-notes.ts'
import { hashesIn, type Places } from '../survey/places.ts'
import type { JobFacts, Running } from '../work/work.ts'

/** What relay must know to ask about a pending entry again, besides the entry and the disk. */
export interface OpenQuestion extends Pick<JobFacts, 'response' | 'title' | 'reused' | 'doubts'> {
  readonly checks: Checks
  readonly post: CommandEnd | undefined
  readonly byHand: readonly string[]
  /** Paths that the user changed while the linter ran. */
  readonly whileChecked?: readonly string[]
}

/** Leaves a transaction open: no recovery rolls it back before somebody has answered its question. */
export async function leaveOpen(
  pending: Pending,
  question: OpenQuestion,
  places: Places,
  { layout, stage }: Running,
): Promise<void> {
  const { checks, post } = question
  const cut: OpenQuestion = {
    ...question,
    checks: { ...checks, before: withoutOutput(checks.before), after: withoutOutput(checks.after) },
    post: post === undefined ? undefined : { ...post, output: tail(post.output) },
  }
  await noteWritten(stage, hashesIn(places))
  await writeNote(stage.question, cut, stage.draft, layout.files)
  if (pending.entry.held === true) return
  const held = Buffer.concat([pending.bytes, Buffer.from('held: true\n')])
  await layout.files.replace(layout.pending(pending.entry.uuid), held, stage.draft, { mode: 0o600 })
}

/** `undefined` for a question that cannot be read, or that another version of relay left. */
export async function readQuestion({ question, layout }: Stage): Promise<OpenQuestion | undefined> {
  const note = await readNote(question, layout.files)
  return isQuestion(note) ? note : undefined
}

/** Another version of relay may have left it, or it came with a cloned project: that must not answer it. */
const isCounted = isShape<Check & { kind: 'counted' }>({ kind: oneOf('counted'), ...countedShape })
const isOther = isShape<Check>({ kind: oneOf<Check['kind']>('unchecked', 'uncounted') })
const isCheck = (value: unknown) => isCounted(value) || isOther(value)
const isQuestion = isShape<OpenQuestion>({
  title: isText,
  doubts: Array.isArray,
  byHand: Array.isArray,
  whileChecked: maybe(listOf(isText)),
  checks: isShape<Checks>({ before: isCheck, after: isCheck }),
})

function withoutOutput(check: Check): Check {
  return check.kind === 'unchecked' ? check : { ...check, output: tail(check.output) }
}

function tail(output: string): string {
  return output.slice(-100_000)
}
