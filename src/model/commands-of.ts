import type { OwnAgent } from './agent.ts'
import { lintersOf } from './linters-of.ts'
import type { Config, Project } from './project.ts'

/** A command that the configuration makes relay run, and the key that holds it. */
export interface ConfiguredCommand {
  readonly key:
    | ProjectKey
    | `linter.${number}`
    | 'checkout.setup'
    | 'checkout.env'
    | `agents.${string}`
    | `allow.${number}`
  readonly command: string
}

type ProjectKey = 'linter' | 'preCommand' | 'postCommand' | 'notify'

export type WithCommands = Partial<Pick<Config, ProjectKey | 'agents' | 'allow' | 'checkout' | 'user'>>

/**
 * Every command of the project that a transaction, a notice or a new checkout runs. `notify` may hold a command, or a word
 * that runs nothing. One that stands in the user's own file did not come with the project.
 */
export function commandsOf(config: WithCommands): readonly ConfiguredCommand[] {
  const { preCommand, postCommand, notify, checkout, user } = config
  const linters = lintersOf(config)
  const all: readonly (readonly [ConfiguredCommand['key'], string | undefined])[] = [
    ['preCommand', preCommand],
    ...(linters.length > 1
      ? linters.map((each, at) => [`linter.${at}`, each] as const)
      : [['linter', linters[0]] as const]),
    ['postCommand', postCommand],
    ['notify', ['auto', 'osc', 'bell', 'off', user?.notify].includes(notify) ? '' : notify],
    ['checkout.setup', checkout?.setup],
    // No command, but as much to be agreed to: these secrets go to what runs an agent's work.
    ['checkout.env', checkout?.env?.join(' ')],
  ]
  return all.flatMap(([key, command = '']) => (command.trim() === '' ? [] : [{ key, command }]))
}

/**
 * The command lines of the project's own agents, each with everything that the configuration adds to it; `names` limits them.
 */
export function agentCommandsOf(
  { agents = {} }: WithCommands,
  names?: readonly string[],
): readonly ConfiguredCommand[] {
  return Object.entries(agents)
    .filter(([name]) => names?.includes(name) !== false)
    .map(([name, agent]) => ({ key: `agents.${name}` as const, command: commandLine(agent) }))
}

/** The commands that agents may run in `workspace-write`. */
export function allowedCommandsOf({ allow = [] }: WithCommands): readonly ConfiguredCommand[] {
  return allow.map((command, at) => ({ key: `allow.${at}` as const, command }))
}

/** The note after the command cannot be mistaken for a part of it: no shell accepts the bracket. */
function commandLine(agent: OwnAgent): string {
  const { env = [] } = agent
  const gets = env.length === 0 ? '' : ` (gets ${env.join(', ')})`
  if (agent.like === undefined) return agent.command + gets
  const { command, args = [], model, like } = agent
  const words = args.map(arg => (/^[\w./@%+=:,-]+$/.test(arg) ? arg : JSON.stringify(arg)))
  return `${[command, '"$@"', ...words].join(' ')} (as ${like}${model === undefined ? '' : ` with ${model}`})${gets}`
}

/** The project without the commands that a transaction runs. */
export function withoutCommands({ root, config }: Project): Project {
  return { root, config: { ...config, preCommand: '', linter: '', postCommand: '' } }
}
