import { someOf } from '../../ground/words.ts'
import type { AgentEvent, AgentRequest, AgentUsage, Enforcement, Sandbox, TurnEnd } from '../../model/agent.ts'
import type { WatchEvent } from '../json/event-json.ts'
import { dollars, grouped } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeDuration, describeMoment } from '../text/describe-time.ts'
import { marked } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visible, visibleLine } from '../text/visible.ts'

/** The agents that relay asks, their sandbox, and the time limit. */
export function askedLine(
  agents: readonly { readonly name: string; readonly sandboxes: Readonly<Record<Sandbox, Enforcement>> }[],
  { sandbox }: AgentRequest,
  timeout: number,
  style: Style,
): readonly string[] {
  const names = agents.map(({ name, sandboxes }) => `${visibleLine(name)} (${sandbox}: ${sandboxes[sandbox]})`)
  return marked('watching', `asking ${names.join(', ')}, for at most ${describeDuration(1000 * timeout)}`, style)
}

/** An event of an agent, for the live line and for a program; left out where it changes nothing there. */
export function readAgentEvent(
  agent: string,
  event: AgentEvent,
): { readonly doing?: string; readonly json?: WatchEvent } {
  switch (event.kind) {
    // An answer comes in many pieces; a program gets it at the end.
    case 'text':
      return { doing: 'answers' }
    case 'tool': {
      const { name: tool, command, path } = event
      const words = [tool, command ?? path].filter(part => part !== undefined).map(visibleLine)
      return {
        doing: `uses ${words.join(': ')}`,
        json: { event: 'agent-tool', agent, tool, command: command ?? null, path: path ?? null },
      }
    }
    case 'denied': {
      const { what } = event
      return { doing: `was refused: ${visibleLine(what)}`, json: { event: 'agent-denied', agent, what } }
    }
    case 'retry': {
      const { why } = event
      return { doing: `tries again: ${visibleLine(why)}`, json: { event: 'agent-retry', agent, why } }
    }
    case 'error':
      return { json: { event: 'agent-error', agent, message: event.message } }
    case 'usage':
    case 'session':
    case 'end':
      return {}
  }
}

/** One line: each agent's activity, and the time so far. */
export function workingLine(
  agents: readonly { readonly name: string; readonly doing: string }[],
  ms: number,
  style: Style,
): string {
  const room = Math.floor((style.columns - timeColumns + between.length) / agents.length) - between.length
  const words = agents.map(({ name, doing }) => cutLine(`${visibleLine(name)} ${doing}`, room, style.sign.cut))
  return `${describeDuration(Math.floor(ms / 1000) * 1000 || 1000)}  ${words.join(between)}`
}

const between = ' | '
/** For the time, as in `1 h 20 min`, and the mark before it. */
const timeColumns = 14

/** The live line while relay waits for a limit of the agent's provider. */
export function waitingLine(ms: number, style: Style): string {
  const left = describeDuration(Math.ceil(Math.max(ms, 0) / 1000) * 1000)
  return cutLine(`${left} left until the limit ends; Esc ends the wait`, style.columns - 1, style.sign.cut)
}

/** Says that relay ends these agents after an interruption, which may take a while. */
export function endingLine(agents: readonly string[], isByKey: boolean, { sign, paint }: Style): string {
  const again = `; Ctrl+C again ends ${agents.length === 1 ? 'it' : 'them'} at once`
  return `${paint.meta(sign.watching)} ending ${agents.map(visibleLine).join(', ')}${isByKey ? again : ''}`
}

export interface AskedAgent {
  readonly name: string
  readonly install?: string
  readonly login: { readonly by?: string }
}

/**
 * The end of a turn: the agent, the time and the usage, the reason where it failed, and what it was refused, which its answer may
 * not tell.
 */
export function turnLines(
  asked: AskedAgent,
  end: TurnEnd,
  { ms, refused }: { readonly ms: number; readonly refused: readonly string[] },
  style: Style,
): readonly string[] {
  const { paint } = style
  const facts = [describeDuration(ms), ...usageWords(end.usage)].join(', ')
  const why = plainStatuses.includes(end.status) ? '' : `: ${visibleLine(end.why)}`
  const words = `${visibleLine(asked.name)} ${statusWords[end.status]}${why} (${facts})`
  const reset =
    end.resetsAt === undefined ? [] : [`The limit ends ${describeMoment(end.resetsAt.toISOString(), undefined)}.`]
  const log = plainStatuses.includes(end.status) || end.log === undefined ? [] : [`Its output: ${visibleLine(end.log)}`]
  return [
    ...marked(end.status === 'ok' ? 'ok' : 'fail', words, style),
    ...(end.status === 'denied' ? [] : refusedLines(asked.name, refused, style)),
    ...[...reset, ...nextStep(asked, end), ...log].map(line => `  ${paint.meta(line)}`),
  ]
}

function refusedLines(agent: string, refused: readonly string[], style: Style): readonly string[] {
  if (refused.length === 0) return []
  const words = `${visibleLine(agent)} was refused: ${someOf(refused.map(visibleLine), mostRefused)}`
  return marked('needsYou', cutLine(words, style.columns - 3, style.sign.cut), style)
}

const mostRefused = 5

/** The text of a failed turn: it may be the whole answer, and it is paid for. */
export function unfinishedText({ status, text, why }: TurnEnd, { paint }: Style): readonly string[] {
  const said = text.trim()
  if (said === '' || status === 'interrupted' || why.includes(said)) return []
  return [`  ${paint.meta('It had said:')}`, visible(said)]
}

function nextStep({ install, login }: AskedAgent, { status }: TurnEnd): readonly string[] {
  if (status === 'missing' && install !== undefined) return [`Install it: ${install}`]
  return status === 'auth' && login.by !== undefined ? [`Log in: ${login.by}`] : []
}

/** Statuses that explain themselves: the user needs neither the reason nor the log. */
const plainStatuses: readonly TurnEnd['status'][] = ['ok', 'interrupted', 'missing', 'auth']

const statusWords: Readonly<Record<TurnEnd['status'], string>> = {
  ok: 'answered',
  failed: 'failed',
  denied: 'gave up',
  timeout: 'was ended',
  'over-limit': 'was ended',
  stalled: 'was ended',
  overflow: 'had no room',
  'rate-limited': 'has reached a limit',
  auth: 'is not logged in',
  missing: 'is not there',
  'no-output': 'said nothing',
  interrupted: 'was interrupted',
}

function usageWords({ inputTokens, outputTokens, cost }: AgentUsage): readonly string[] {
  return [
    ...(inputTokens === undefined ? [] : [`${grouped(inputTokens)} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${grouped(outputTokens)} out`]),
    ...(cost === undefined || cost === 0 ? [] : [dollars(cost)]),
  ]
}
