import type { AgentEnd, Enforcement, OwnAgent, Sandbox } from '../../model/agent.ts'
import type { Config } from '../../model/project.ts'
import type { Backend, EndedRun } from './backend.ts'
import { judgeEnd } from './judge-end.ts'
import { backends } from './table.ts'

type Like = Extract<OwnAgent, { readonly like: string }>

/** Every agent that can be asked: those that relay knows, then the project's own. Without a configuration, the first alone. */
export function agentsOf(config: Pick<Config, 'agents'> | undefined): readonly Backend[] {
  const own = Object.entries(config?.agents ?? {}).map(([name, agent]) => {
    const like = backends.find(backend => backend.name === agent.like)
    return agent.like === undefined || like === undefined
      ? textAgent(name, agent.command)
      : likeAgent(name, agent, like)
  })
  return [...backends, ...own]
}

/** What all agents of a project's own have in common. No version is asked for: even that would run a command that came along. */
const common = { program: '/bin/sh', versionArgs: [], own: true } as const

/**
 * Text in, text out. It is told no model: that is a part of its command.
 *
 * Nothing keeps such a program to a sandbox. It sees no project, and that is all: so it is only ever asked to read.
 */
function textAgent(name: string, command: string): Backend {
  return {
    ...common,
    name,
    sandboxes: { 'read-only': 'rules', 'workspace-write': 'none', 'danger-full-access': 'none' },
    login: { variables: [], files: [] },
    projectFiles: [],
    tells: [],
    hasOneModel: true,
    build: ({ prompt }) => ({ argv: argvOf(command, []), env: {}, stdin: prompt, inEmptyFolder: true }),
    read: (line, from) => (from === 'out' ? [{ kind: 'text', text: `${line}\n` }] : []),
    // It has no word for its end: only its exit code tells that it is done.
    end: run => ended(run, judgeEnd(run.code === 0 ? { ...run, events: [...run.events, { kind: 'end' }] } : run)),
  }
}

/** Another program that is spoken to as a known agent is. */
function likeAgent(name: string, { command, model, args = [] }: Like, like: Backend): Backend {
  const { converse } = like
  return {
    ...common,
    name,
    sandboxes: sandboxesOf(like),
    login: like.login,
    projectFiles: like.projectFiles,
    tells: like.tells,
    ...(like.untried === true ? { untried: true } : {}),
    build(request) {
      const start = like.build({ ...request, model: request.model ?? model })
      return { ...start, argv: argvOf(command, [...start.argv.slice(1), ...args]) }
    },
    ...(converse !== undefined && {
      converse(request) {
        const start = converse({ ...request, model: request.model ?? model })
        return { ...start, argv: argvOf(command, [...args, ...start.argv.slice(1)]) }
      },
    }),
    read: (line, from) => like.read(line, from),
    end: run => ended(run, like.end(run)),
  }
}

/** What the system keeps another program to, relay cannot know. */
function sandboxesOf({ sandboxes }: Backend): Readonly<Record<Sandbox, Enforcement>> {
  const told = (sandbox: Sandbox) => (sandboxes[sandbox] === 'enforced' ? 'rules' : sandboxes[sandbox])
  return {
    'read-only': told('read-only'),
    'workspace-write': told('workspace-write'),
    'danger-full-access': told('danger-full-access'),
  }
}

/** A command line with further words behind it; behind a newline they would be a command of their own. */
function argvOf(command: string, words: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `${command.trim()} "$@"`, 'sh', ...words]
}

/** With this code the shell says that a program is not there. */
function ended({ code }: EndedRun, end: AgentEnd): AgentEnd {
  return code === 127 && end.status === 'failed' ? { ...end, status: 'missing' } : end
}
