import { count } from '../text/count.ts'
import { hanging } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visible } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

export interface DoctorFinding {
  readonly subject: Subject
  /** `caution`: relay works, but not as well as it could, or it could not look at everything. */
  readonly state: 'ok' | 'caution' | 'problem'
  /** It may have several lines. */
  readonly says: string
  readonly remedy?: string | undefined
}

export type Subject =
  | 'relay'
  | 'config'
  | 'project'
  | 'commands'
  | 'linter'
  | 'state'
  | 'gitignore'
  | 'clipboard'
  | 'copies'
  | 'round trip'
  | 'terminal'
  | 'notices'
  | 'agents'

export function ok(subject: Subject, says: string): DoctorFinding {
  return { subject, state: 'ok', says }
}

export function caution(subject: Subject, says: string, remedy?: string): DoctorFinding {
  return { subject, state: 'caution', says, remedy }
}

export function problem(subject: Subject, says: string, remedy?: string): DoctorFinding {
  return { subject, state: 'problem', says, remedy }
}

/** For people: a sign, the subject, what was found, and below it what to do. */
export function findingLines({ subject, state, says, remedy }: DoctorFinding, style: Style): readonly string[] {
  const { paint, sign, columns } = style
  const [mark, painted] = {
    ok: [sign.ok, paint.ok],
    caution: [sign.needsYou, paint.needsYou],
    problem: [sign.fail, paint.fail],
  }[state] as [string, (text: string) => string]
  const head = mark.length + 1 + subjectColumns
  const parts = (text: string) =>
    visible(text.replaceAll('\t', '    '))
      .split('\n')
      .flatMap(line => wrapLine(line, columns - head, sign.cut))
  return [
    ...hanging(`${painted(mark)} ${paint.meta(subject.padEnd(subjectColumns))}`, parts(says), head),
    ...(remedy === undefined ? [] : parts(remedy).map(line => `${' '.repeat(head)}${paint.strong(line)}`)),
  ]
}

const subjectColumns = 12

export function findingsInShort(findings: readonly DoctorFinding[], { paint }: Style): string {
  const problems = findings.filter(({ state }) => state === 'problem').length
  const cautions = findings.filter(({ state }) => state === 'caution').length
  if (problems > 0) return paint.strong(`${count(problems, 'problem')}: see above for what to do.`)
  if (cautions > 0) return `relay works; ${count(cautions, 'note')} above.`
  return 'All is well.'
}
