import { agentsEntry, isAppended } from './progress-entry.ts'
import { splitProgress } from './split-progress.ts'

export interface ProgressSides {
  /** As the agent found it. */
  readonly before: string
  /** As the agent left it; `undefined`: it is gone. */
  readonly after: string | undefined
  /** As it is now in the user's folder. */
  readonly users: string
  /** What is added where the agent wrote nothing. */
  readonly otherwise: string
}

/**
 * The user's progress.txt with what an agent added: its entry at the end, its patterns in place of the older ones.
 *
 * What the agent left is taken to the byte where nobody else wrote meanwhile and it kept to the rules.
 */
export function mergeProgress({ before, after = before, users, otherwise }: ProgressSides): string {
  const entry = agentsEntry(before, after)
  if (users === before && entry !== '' && isAppended(before, after) && keepsPatterns(before, after)) return after
  return withEntry(withPatterns(users, before, after), entry === '' ? otherwise : entry)
}

/** A progress.txt with an entry behind what is there. */
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

/** Patterns that an agent only threw away stay. */
function withPatterns(users: string, before: string, after: string): string {
  const [old, theirs] = [patternsOf(before), patternsOf(after)]
  const { above, patterns, below } = splitProgress(users)
  if (theirs === '' || theirs === old) return users
  const newline = users.includes('\r\n') ? '\r\n' : '\n'
  const put = (text: string) => text.replaceAll('\n', newline)
  if (patterns === '') return withNewPatterns(users, put(theirs))
  const yours = patternsOf(users)
  if (yours === old) return above + put(theirs) + below
  // Both wrote: theirs that are new come behind the user's.
  const known = new Set([...old.split('\n'), ...yours.split('\n')])
  const added = theirs.split('\n').filter(line => line.trim() !== '' && !known.has(line))
  const [, body = '', end = ''] = /^(.*?)(\s*(?:---+\s*)?)$/s.exec(yours) ?? []
  return above + put([body, ...added].join('\n') + end) + below
}

/** Below the header; at the top where there is none. */
function withNewPatterns(users: string, patterns: string): string {
  const header = /^# [^\n]*\n(?:Started: [^\n]*\n)?(?:---+[ \t]*\r?\n)?/.exec(users)?.[0] ?? ''
  return header + patterns + users.slice(header.length)
}

function patternsOf(text: string): string {
  return splitProgress(text.replaceAll('\r\n', '\n')).patterns
}
