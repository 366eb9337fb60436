import type { AgentEnd, Enforcement, OwnAgent, Sandbox } from '../../model/agent.ts'
import type { Config } from '../../model/project.ts'
import type { Backend, EndedRun } from './backend.ts'
import { judgeEnd } from './judge-end.ts'
import { backends } from './table.ts'

type Like = Extract<OwnAgent, { readonly like: string }>

/**
 * Every agent that can be used: the supported ones, then the project's own. Without a configuration, only the supported ones.
 */
export function agentsOf(config: Pick<Config, 'agents'> | undefined): readonly Backend[] {
  const own = Object.entries(config?.agents ?? {}).map(([name, agent]) => {
    const like = backends.find(backend => backend.name === agent.like)
    return agent.like === undefined || like === undefined ? textAgent(name, agent) : likeAgent(name, agent, like)
  })
  return [...backends, ...own]
}

/**
 * Common to all of a project's own agents. relay does not ask for a version: even that would run a command from the project.
 */
const common = { program: '/bin/sh', versionArgs: [], own: true } as const

/**
 * An agent that reads a prompt and prints an answer. Its command decides the model.
 *
 * Nothing keeps such a program to a sandbox; it only does not see the project. So relay lets it read, and never write.
 */
function textAgent(name: string, { command, env = [] }: OwnAgent): Backend {
  return {
    ...common,
    name,
    sandboxes: { 'read-only': 'rules', 'workspace-write': 'none', 'danger-full-access': 'none' },
    login: { variables: [], files: [] },
    keeps: { names: () => env },
    projectFiles: [],
    tells: [],
    hasOneModel: true,
    build: ({ prompt }) => ({ argv: argvOf(command, []), env: {}, stdin: prompt, inEmptyFolder: true }),
    read: (line, from) => (from === 'out' ? [{ kind: 'text', text: `${line}\n` }] : []),
    // Such an agent reports no end: only exit code 0 says that it is done.
    end: run => ended(run, judgeEnd(run.code === 0 ? { ...run, events: [...run.events, { kind: 'end' }] } : run)),
  }
}

/** Another program with the interface of a supported agent. */
function likeAgent(name: string, { command, model, args = [], env: own = [] }: Like, like: Backend): Backend {
  const { converse } = like
  return {
    ...common,
    name,
    sandboxes: sandboxesOf(like),
    login: like.login,
    keeps: { ...like.keeps, names: env => [...like.keeps.names(env), ...own] },
    projectFiles: like.projectFiles,
    ...(like.userFiles !== undefined && { userFiles: like.userFiles }),
    tells: like.tells,
    ...(like.untried === true ? { untried: true } : {}),
    build(request, settings) {
      const start = like.build({ ...request, model: request.model ?? model }, settings)
      return { ...start, argv: argvOf(command, [...start.argv.slice(1), ...args]) }
    },
    ...(converse !== undefined && {
      converse(request) {
        const start = converse({ ...request, model: request.model ?? model })
        return { ...start, argv: argvOf(command, [...args, ...start.argv.slice(1)]) }
      },
    }),
    read: (line, from, now) => like.read(line, from, now),
    end: run => ended(run, like.end(run)),
  }
}

/** relay cannot know whether the operating system keeps another program to a sandbox. */
function sandboxesOf({ sandboxes }: Backend): Readonly<Record<Sandbox, Enforcement>> {
  const told = (sandbox: Sandbox) => (sandboxes[sandbox] === 'enforced' ? 'rules' : sandboxes[sandbox])
  return {
    'read-only': told('read-only'),
    'workspace-write': told('workspace-write'),
    'danger-full-access': told('danger-full-access'),
  }
}

/**
 * A command line followed by arguments. The command is trimmed: after a newline the arguments would be a command of their own.
 */
function argvOf(command: string, words: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `${command.trim()} "$@"`, 'sh', ...words]
}

/** The shell exits with 127 when it does not find a program. */
function ended({ code }: EndedRun, end: AgentEnd): AgentEnd {
  return code === 127 && end.status === 'failed' ? { ...end, status: 'missing' } : end
}
