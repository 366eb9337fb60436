import { type Session, shortId } from '../../model/session.ts'
import type { UnderWay } from '../../model/under-way.ts'
import { describeSize } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeAge, describeDuration } from '../text/describe-time.ts'
import { factLines, hanging, indented } from '../text/hanging.ts'
import { shortWhy } from '../text/short-why.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { askingWords, leftWords, paceWords } from './under-way-words.ts'

/** The state of a session, in the words of the `/claude` macro. */
export function stateWords(session: Session): string {
  const { status, prUrl, isPushed, branch, homeBranch, error } = session
  const name = nameOf(session)
  switch (status) {
    case 'initializing':
      return 'Initializing headless session...'
    case 'working':
      return `${name} is working...`
    case 'completed': {
      if (prUrl !== undefined) return `${name} has finished. Click for PR`
      const where = homeBranch ?? branch
      return `${name} has finished. ${isPushed === true ? 'Pushed' : 'Branch'}: ${visibleLine(where)}`
    }
    case 'error':
      return `Error: ${shortWhy(error?.message ?? 'unknown')}`
  }
}

function nameOf({ agent }: Session): string {
  return visibleLine(`${agent.slice(0, 1).toUpperCase()}${agent.slice(1)}`)
}

/** A session, what is under way for it now, and its size on the disk. */
export interface ShownSession {
  readonly session: Session
  readonly work: UnderWay | undefined
  readonly bytes: number
}

/** The state of a session and of its processes, which may have been killed. */
export function standWords(session: Session, work: UnderWay | undefined, now: Date): string {
  if (work === undefined) return stateWords(session)
  if (work.pid === undefined) return work.agentPid === undefined ? stateWords(session) : leftWords(work.agentPid)
  if (work.asking !== undefined) return `${nameOf(session)} ${askingWords('')}`
  return [stateWords(session), ...paceWords(work, now)].join(' ')
}

/** Each session with its size, oldest first; then the total size. */
export function sessionListLines(all: readonly ShownSession[], style: Style, now: Date): readonly string[] {
  if (all.length === 0) return ['No sessions. To begin one: relay delegate "<instructions>"']
  const { paint, columns, sign } = style
  const lines = all.flatMap(({ session, work, bytes }) => {
    const facts = [visibleLine(session.branch), describeAge(new Date(session.createdAt), now), describeSize(bytes)]
    const end = session.prUrl === undefined ? '' : `: ${visibleLine(session.prUrl)}`
    return [
      `  ${paint.strong(shortId(session))}  ${cutLine(instructionsOf(session), columns - 12, sign.cut)}`,
      ...indented(`${standWords(session, work, now)}${end}`, style),
      ...indented(facts.join(', '), style),
    ]
  })
  const sum = all.reduce((bytes, each) => bytes + each.bytes, 0)
  return [...lines, '', paint.meta(`  ${describeSize(sum)} in all; relay delegate clean frees what is done`)]
}

export function sessionLines({ session, work, bytes }: ShownSession, style: Style, now: Date): readonly string[] {
  const { error, startedAt, endedAt, prUrl, owner } = session
  const from = startedAt === undefined ? undefined : new Date(startedAt).getTime()
  const until = endedAt === undefined ? now.getTime() : new Date(endedAt).getTime()
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['session', session.id],
    [
      'status',
      error === undefined
        ? `${session.status}: ${standWords(session, work, now)}`
        : `error: ${onOneLine(error.message)}`,
    ],
    ['left', work?.pid === undefined && work?.agentPid !== undefined ? leftWords(work.agentPid) : undefined],
    ['request', prUrl],
    ['remark', session.remark],
    ['to do', error?.hint],
    ['agent', session.agent],
    ['branch', session.branch],
    ['here as', session.homeBranch],
    ['folder', session.gitDirectory],
    ['began', describeAge(new Date(session.createdAt), now)],
    ['took', from === undefined ? undefined : describeDuration(until - from)],
    ['process', owner === undefined || error !== undefined ? undefined : `${owner.pid}`],
    ['size', describeSize(bytes)],
  ]
  const title = hanging('', wrapLine(instructionsOf(session), style.columns, style.sign.cut), 0)
  return [...title, ...facts.flatMap(([name, value]) => (value === undefined ? [] : factLines(name, value, 9, style)))]
}

function instructionsOf({ instructions }: Session): string {
  return visibleLine(onOneLine(instructions))
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** The state of a session for a note. A finished session links to its pull request. */
export function noteState(session: Session): string {
  const words = stateWords(session)
  if (session.status === 'completed' && session.prUrl !== undefined) return `[${words}](${session.prUrl})`
  if (session.status !== 'error') return words
  return `${cutLine(words, 200)} (\`relay delegate retry ${shortId(session)}\`)`
}
