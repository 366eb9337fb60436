import { agentsEntry, isAppended } from './progress-entry.ts'
import { splitProgress } from './split-progress.ts'

export interface ProgressSides {
  /** The text that the agent got. */
  readonly before: string
  /** The text that the agent left; `undefined`: the file is gone. */
  readonly after: string | undefined
  /** The present text in the user's folder. */
  readonly users: string
  /** The entry to add when the agent wrote none. */
  readonly otherwise: string
}

/**
 * The user's progress.txt with the agent's additions: its entry at the end, and its patterns in place of the old ones.
 *
 * If nobody else wrote meanwhile and the agent followed the rules, its text is used byte for byte.
 */
export function mergeProgress({ before, after = before, users, otherwise }: ProgressSides): string {
  const entry = agentsEntry(before, after)
  if (users === before && entry !== '' && isAppended(before, after) && keepsPatterns(before, after)) return after
  return withEntry(withPatterns(users, before, after), entry === '' ? otherwise : entry)
}

/** Appends an entry to a progress.txt. */
export function withEntry(text: string, entry: string): string {
  if (entry.trim() === '') return text
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : newline
  const added = `${entry.replace(/^(?:[ \t]*(?:---+[ \t]*)?\r?\n)+/, '').trimEnd()}\n`
  return text + gap + added.replaceAll('\r\n', '\n').replaceAll('\n', newline)
}

function keepsPatterns(before: string, after: string): boolean {
  return splitProgress(before).patterns === '' || splitProgress(after).patterns !== ''
}

/** Takes over the agent's patterns; if the agent only deleted them, the old ones stay. */
function withPatterns(users: string, before: string, after: string): string {
  const [old, theirs] = [patternsOf(before), patternsOf(after)]
  const { above, patterns, below } = splitProgress(users)
  if (theirs === '' || theirs === old) return users
  const newline = users.includes('\r\n') ? '\r\n' : '\n'
  const put = (text: string) => text.replaceAll('\n', newline)
  if (patterns === '') return withNewPatterns(users, put(theirs))
  const yours = patternsOf(users)
  if (yours === old) return above + put(theirs) + below
  // Both changed the patterns: the agent's new lines go after the user's.
  const known = new Set([...old.split('\n'), ...yours.split('\n')])
  const added = theirs.split('\n').filter(line => line.trim() !== '' && !known.has(line))
  const [, body = '', end = ''] = /^(.*?)(\s*(?:---+\s*)?)$/s.exec(yours) ?? []
  return above + put([body, ...added].join('\n') + end) + below
}

/** Puts patterns below the header, or at the top when there is no header. */
function withNewPatterns(users: string, patterns: string): string {
  const header = /^# [^\n]*\n(?:Started: [^\n]*\n)?(?:---+[ \t]*\r?\n)?/.exec(users)?.[0] ?? ''
  return header + patterns + users.slice(header.length)
}

function patternsOf(text: string): string {
  return splitProgress(text.replaceAll('\r\n', '\n')).patterns
}
