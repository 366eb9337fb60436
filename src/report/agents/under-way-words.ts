import type { Step } from '../../model/talk.ts'
import type { ShownStep } from '../../model/task.ts'
import type { UnderWay } from '../../model/under-way.ts'
import { describeDuration, describeHour } from '../text/describe-time.ts'
import { visibleLine } from '../text/visible.ts'

/** What an agent works on, and whether it does. */
export function workWords(work: UnderWay, now: Date): string {
  const { agent, task, attempt } = work
  const about = `${visibleLine(agent)}, ${visibleLine([task.id, task.title].filter(Boolean).join(' '))}`
  return `${about}${attempt === 1 ? '' : ` (attempt ${attempt})`}: ${lifeWords(work, now)}`
}

/** Told by the processes that live, never by what was noted last: a run may have been killed. */
function lifeWords(work: UnderWay, now: Date): string {
  const { task, pid, agentPid, asking } = work
  if (pid === undefined) return agentPid === undefined ? stopped : leftWords(agentPid)
  if (asking !== undefined) return `${askingWords(task.id)} (pid ${pid})`
  const last = work.isStopping ? '; the run ends after this turn' : ''
  return `${[`runs (pid ${pid})`, ...paceWords(work, now)].join(', ')}${last}`
}

/** How long this attempt takes so far, and what is done in it. */
export function paceWords({ since, ...how }: UnderWay, now: Date): readonly string[] {
  const ms = since === undefined ? 0 : now.getTime() - new Date(since).getTime()
  const parts = [...(ms < 1000 ? [] : [describeDuration(ms)]), ...doingWords(how)]
  return parts.length === 0 ? [] : [parts.join(', ')]
}

const stopped = 'stopped; run the same command again to continue'

/** relay was killed, and its agent goes on, and costs. */
export function leftWords(agentPid: number): string {
  return `relay is gone, its agent (pid ${agentPid}) still runs: \`relay recover\` ends it`
}

export function askingWords(task: string): string {
  return `waits for your answer${task === '' ? '' : ` to ${visibleLine(task)}`}`
}

function doingWords({ step, tool, waitsUntil }: Pick<UnderWay, 'step' | 'tool' | 'waitsUntil'>): readonly string[] {
  if (waitsUntil !== undefined) return [`waits for a limit of its provider until ${describeHour(new Date(waitsUntil))}`]
  if (tool !== undefined) return [`uses ${visibleLine(tool)}`]
  const words = step === undefined ? undefined : stepWords.get(step)
  return words === undefined ? [] : [words]
}

const byStep: Readonly<Record<ShownStep | Step, string>> = {
  begin: 'begins',
  choose: 'looks for the next task',
  checkout: 'prepares the checkout',
  'set-up': 'sets up the checkout',
  envelope: 'writes the prompt',
  turn: 'the agent works',
  settle: 'looks at its work',
  land: 'lands its work',
  pre: 'runs preCommand',
  base: 'checks the files as they were',
  write: 'writes the files',
  post: 'runs postCommand',
  lint: 'checks its work',
  commit: 'commits',
  'write-down': 'writes down how it ended',
  end: 'ends',
  ship: 'ships the branch',
}

/** A newer relay may have more steps. */
const stepWords: ReadonlyMap<string, string> = new Map(Object.entries(byStep))
