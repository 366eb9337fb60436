import { relay } from '../../src/flows/relay.ts'
import type { Config } from '../../src/model/project.ts'
import type { Outcome } from '../../src/model/talk.ts'
import type { System, Talk } from '../../src/ports.ts'
import { fakeProject, fakeTalk } from './fake-project.ts'
import { type Asked, respond } from './respond.ts'

/** Hands relay a response, or one that asks for these files, as `relay apply -` does. */
export function take(
  system: System,
  asked: Asked | string,
  settings: Partial<Config> = {},
  talk: Talk = fakeTalk(),
): Promise<Outcome> {
  const text = typeof asked === 'string' ? asked : respond(asked)
  return relay({ source: 'stdin', text }, fakeProject(settings), system, talk)
}
