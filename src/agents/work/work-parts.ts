import type { AgentUsage, ConfirmedFiles, Sandbox } from '../../model/agent.ts'
import type { Book } from '../../model/book.ts'
import type { ShownStep, Stopped, WorkEvent, WorkLimits } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import type { Backend } from '../backends/backend.ts'
import type { runAgent } from '../run/run-agent.ts'
import type { LandingPlace } from './land.ts'
import { isAskedToStop } from './steering.ts'
import { noteWork, type WorkNote } from './work-note.ts'

/**
 * The steps of the flow, in the order in which a task meets them. Each result is on the disk before the next step begins. So
 * wherever relay is killed, the same command continues with the step that was under way.
 */
export const workSteps = [
  'take the book',
  'end left agents',
  'look for work left',
  'choose the task',
  'note the task',
  'open the checkout',
  'bring the checkout up to date',
  'note the attempt',
  'set up the checkout',
  'make the envelope',
  'note the start',
  'run the turn',
  'note the turn',
  'take the changes',
  'settle the attempt',
  'note the landing',
  'land',
  'note the landed',
  'commit',
  'note the commit',
  'note the last attempt',
  'keep the work',
  'note the failure',
  'write down',
  'forget the task',
  'remove the checkout',
  'ship',
  'leave the book',
] as const

export type WorkStep = (typeof workSteps)[number]

/** What the user and others see of a step: several of them look like one. */
export const shownAs: Readonly<Record<WorkStep, ShownStep>> = {
  'take the book': 'begin',
  'end left agents': 'begin',
  'look for work left': 'begin',
  'choose the task': 'choose',
  'note the task': 'choose',
  'open the checkout': 'checkout',
  'bring the checkout up to date': 'checkout',
  'note the attempt': 'checkout',
  'set up the checkout': 'set-up',
  'make the envelope': 'envelope',
  'note the start': 'turn',
  'run the turn': 'turn',
  'note the turn': 'turn',
  'take the changes': 'settle',
  'settle the attempt': 'settle',
  'note the landing': 'land',
  land: 'land',
  'note the landed': 'land',
  commit: 'commit',
  'note the commit': 'commit',
  'note the last attempt': 'write-down',
  'keep the work': 'write-down',
  'note the failure': 'write-down',
  'write down': 'write-down',
  'forget the task': 'write-down',
  'remove the checkout': 'end',
  ship: 'ship',
  'leave the book': 'end',
}

/** The agent for a run, and its limits. */
export interface WorkOptions {
  readonly backend: Backend
  readonly sandbox: Sandbox
  readonly model: string | undefined
  /** Commands that the agent may run. */
  readonly allow: readonly string[]
  readonly limits: WorkLimits
  /** The nesting depth of the agent. */
  readonly depth: number
  /** The project's files for agents as they were confirmed: each turn begins with them. */
  readonly confirmed?: ConfirmedFiles
  /** The environment of the agent and the project's commands in the checkout. By default, relay's own environment. */
  readonly env?: System['env']
  /** Runs the agent on an envelope. By default it works by itself. */
  readonly run?: typeof runAgent
}

export interface WorkDoors {
  readonly system: System
  tell(event: WorkEvent): void
  /** Takes the user's sentence for the next envelope, once; `undefined` where there is none. */
  takeUserNote(): string | undefined
  /** Shows the wait for a usage limit, and lets the user end it; without it nobody can. */
  waitForLimit?(until: Date): LimitWait
}

/** A wait for a usage limit of the agent, as the user sees it. */
export interface LimitWait {
  /** Aborts where the user waits no longer. */
  readonly ended: AbortSignal
  /** Call when relay waits no longer. */
  over(): void
}

/** What the parts of one run have in common. */
export interface RunParts {
  readonly book: Book
  readonly landing: LandingPlace
  readonly options: WorkOptions
  readonly doors: WorkDoors
  /** The work folder of the book. */
  readonly folder: string
  /** What the run has used so far. */
  readonly used: Used
  step<T>(name: WorkStep, work: () => Promise<T>): Promise<T>
}

/** What a run has used, over all tasks. */
export interface Used {
  /** On the monotonic clock. */
  readonly began: number
  usage: AgentUsage
  turns: number
  /** Turns that count as attempts at their tasks. */
  attempts: number
  /** Waits for usage limits: the total in milliseconds, and how many. */
  waited: { readonly ms: number; readonly times: number }
}

/** Ends the run before the task has ended. */
export class StopRun {
  readonly why: Stopped
  constructor(why: Stopped) {
    this.why = why
  }
}

/** Notes how far a task is: the next step begins only when this is on the disk. */
export async function noteStep(name: WorkStep, note: WorkNote, { folder, doors, step }: RunParts): Promise<WorkNote> {
  await step(name, () => noteWork(folder, note, doors.system))
  return note
}

/** How long the run goes on, in seconds. */
export function secondsOf({ used, doors }: RunParts): number {
  return (doors.system.clock.monotonic() - used.began) / 1000
}

export const limitWords = {
  time: 'the time of --max-time is over',
  cost: 'the cost of --max-cost is reached',
  tokens: 'the tokens of --max-tokens are used',
} as const

/** Why no further turn may begin, in words: a limit of the run, or the user. */
export async function whyToStop(parts: RunParts): Promise<string | undefined> {
  const isAsked = await isAskedToStop(parts.folder, parts.doors.system)
  return limitReached(parts) ?? (isAsked ? '`relay stop` ended it; the same command goes on from here' : undefined)
}

/** The limit that the run has reached, in words. */
export function limitReached(parts: RunParts): string | undefined {
  const { used, options } = parts
  const { time, cost, tokens, iterations } = options.limits
  const { inputTokens = 0, outputTokens = 0, cost: spent = 0 } = used.usage
  if (time !== undefined && secondsOf(parts) >= time) return limitWords.time
  if (cost !== undefined && spent >= cost) return limitWords.cost
  if (iterations !== undefined && used.attempts >= iterations)
    return `${iterations} of ${iterations} iterations are used`
  if (tokens !== undefined && inputTokens + outputTokens >= tokens) return limitWords.tokens
  return undefined
}
