import { adopt } from '../../src/flows/adopt.ts'
import type { AgentChange, AgentChanges } from '../../src/model/agent-changes.ts'
import type { PathState } from '../../src/model/plan.ts'
import type { Config } from '../../src/model/project.ts'
import type { AnswerChoice, AnswerChoices } from '../../src/model/stale.ts'
import type { Outcome } from '../../src/model/talk.ts'
import type { Talk } from '../../src/ports.ts'
import { fakeProject, fakeTalk } from './fake-project.ts'
import type { FakeSystem } from './fake-system.ts'

/** A state in short: a text, bytes, `null` for nothing; a program and a link by their functions. */
export type Short = string | Uint8Array | null | PathState

export function program(text: string): PathState {
  return { kind: 'file', bytes: Buffer.from(text), mode: 0o755 }
}

export function linkTo(to: string): PathState {
  return { kind: 'link', to }
}

/** What was made of one path: from what, and what it is. */
export function change(path: string, base: Short, made: Short): AgentChange {
  return { path, base: stateOf(base), made: stateOf(made) }
}

function stateOf(short: Short): PathState {
  if (short === null || (typeof short === 'object' && 'kind' in short)) return short
  return { kind: 'file', bytes: Buffer.from(short), mode: 0o644 }
}

export interface AdoptOptions extends Partial<Omit<AgentChanges, 'changes'>> {
  readonly config?: Partial<Config>
  readonly talk?: Talk
  readonly choices?: AnswerChoices
  readonly onOverlap?: AnswerChoice
}

/** Adopts what an agent made in the project of a fake system. */
export function adoptIn(
  { system }: Pick<FakeSystem, 'system'>,
  changes: readonly AgentChange[],
  { config, talk = fakeTalk(), choices, onOverlap, ...made }: AdoptOptions = {},
): Promise<Outcome> {
  const given = {
    changes,
    source: 'agent:codex',
    reasoning: 'I added the switch. It works.',
    title: 'I added the switch',
    ...made,
  } as const
  const decided = { ...(choices && { choices }), ...(onOverlap && { onOverlap }) }
  return adopt(given, fakeProject(config), system, talk, decided)
}
