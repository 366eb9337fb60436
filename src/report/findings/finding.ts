/** One thing that `relay doctor` has looked at. */
export interface Finding {
  readonly subject: Subject
  /** `caution`: relay works, but not as well as it could, or not everything was looked at. */
  readonly state: 'ok' | 'caution' | 'problem'
  /** What was found; may have several lines. */
  readonly says: string
  /** What to do about it. */
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

export function ok(subject: Subject, says: string): Finding {
  return { subject, state: 'ok', says }
}

export function caution(subject: Subject, says: string, remedy?: string): Finding {
  return { subject, state: 'caution', says, remedy }
}

export function problem(subject: Subject, says: string, remedy?: string): Finding {
  return { subject, state: 'problem', says, remedy }
}
