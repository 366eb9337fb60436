import { backends } from '../agents/backends/table.ts'
import type { UserConfig } from '../model/project.ts'
import type { System, Terminal, ToolSettings } from '../ports.ts'
import { findProjectFolder, loadProject } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { configName } from '../project/read-config-file.ts'
import { readUserConfigFile } from '../project/user-config-file.ts'
import { agentFinding } from '../report/findings/agent-finding.ts'
import {
  caution,
  type DoctorFinding,
  findingLines,
  findingsInShort,
  ok,
  problem,
  type Subject,
} from '../report/findings/finding.ts'
import { runtimeFinding, terminalFindings } from '../report/findings/terminal-findings.ts'
import { jsonText } from '../report/text/json-text.ts'
import { examineClipboard } from './doctor/examine-clipboard.ts'
import { examineCommands, examineFolders, examineIgnore, examineLinter, trustOf } from './doctor/examine-project.ts'
import { exitCodeByKind, exitCodeOfInterruption } from './talk/exit-code.ts'
import { failureOf } from './talk/say-failure.ts'
import { outStyle } from './talk/style-of.ts'

export interface DoctorOptions {
  /** The clipboard may be overwritten for a moment. */
  readonly yes?: boolean
  readonly json?: boolean
}

/** `relay doctor`: looks at everything that relay needs here, and says what to do about what is wrong. */
export async function doctor(system: System, options: DoctorOptions): Promise<number> {
  const { terminal, interruption } = system
  const style = outStyle(terminal)
  const findings: DoctorFinding[] = []
  for await (const finding of examine(system, options)) {
    if (interruption.aborted) return exitCodeOfInterruption(system)
    findings.push(finding)
    if (options.json !== true) for (const line of findingLines(finding, style)) terminal.out(line)
  }
  if (options.json === true) terminal.out(jsonText(asJson(findings, system)))
  else terminal.out(findingsInShort(findings, style))
  return findings.some(({ state }) => state === 'problem') ? exitCodeByKind.environment : 0
}

async function* examine(system: System, options: DoctorOptions): AsyncGenerator<DoctorFinding> {
  const { terminal } = system
  const withFailure = (subject: Subject, examination: AsyncIterable<DoctorFinding>) =>
    orFailure(subject, examination, terminal)
  yield runtimeFinding(system.version, system.runtime)
  const own = await readUsers(system)
  yield* own.found
  const { root, project, found } = await readProject(system, own)
  yield* found
  if (project !== undefined) {
    const trust = trustOf(project, system)
    yield* withFailure('commands', examineCommands(trust))
    yield* withFailure('linter', examineLinter(project, trust, system))
  }
  if (root !== undefined) {
    yield* withFailure('state', examineFolders(root, system))
    yield* withFailure('gitignore', examineIgnore(root, system))
  }
  yield* withFailure('clipboard', examineClipboard(project, options.yes === true, system))
  yield* withFailure(
    'terminal',
    examineTerminal({ ...own.user, notify: project?.config.notify ?? own.user.notify ?? 'auto' }, terminal),
  )
  yield* withFailure('agents', examineAgents(system))
}

/** What goes wrong in one examination is a finding like any other: the rest is looked at all the same. */
async function* orFailure(
  subject: Subject,
  examination: AsyncIterable<DoctorFinding>,
  terminal: Terminal,
): AsyncGenerator<DoctorFinding> {
  try {
    yield* examination
  } catch (error) {
    terminal.status(undefined)
    yield failure(subject, error)
  }
}

function failure(subject: Subject, error: unknown): DoctorFinding {
  const { message, hint } = failureOf(error)
  return problem(subject, message, hint)
}

async function* examineTerminal(settings: ToolSettings, terminal: Terminal): AsyncGenerator<DoctorFinding> {
  yield* terminalFindings(terminal, await terminal.tools(settings))
}

async function* examineAgents(system: System): AsyncGenerator<DoctorFinding> {
  const { shell, env } = await outsideProject(system.cwd, system)
  const paths = await Promise.all(backends.map(({ program }) => shell.find(program, env['PATH'])))
  yield agentFinding(backends.filter((_, at) => paths[at] !== null).map(({ name }) => name))
}

/** What the user has set for all projects. */
interface OwnSettings {
  readonly user: UserConfig
  readonly notes: readonly string[]
  readonly isBroken: boolean
  readonly found: readonly DoctorFinding[]
}

async function readUsers(system: System): Promise<OwnSettings> {
  try {
    const { path, user, notes } = await readUserConfigFile(system)
    const keys = Object.keys(user)
    // Most have none, and need none.
    const found = keys.length === 0 ? [] : [ok('config', `yours, for all projects: ${keys.join(', ')} in ${path}`)]
    return { user, notes, isBroken: false, found: [...found, ...notes.map(note => caution('config', note))] }
  } catch (error) {
    return { user: {}, notes: [], isBroken: true, found: [failure('config', error)] }
  }
}

/** A configuration that is missing or broken is a finding like any other: the rest is looked at all the same. */
async function readProject(system: System, own: OwnSettings) {
  let root: string | undefined
  try {
    root = await findProjectFolder(system)
    if (root === undefined) {
      const says = `no ${configName} in ${system.cwd} or above`
      return { root, project: undefined, found: [problem('config', says, 'Run `relay --init` in your project.')] }
    }
    // Nothing can be read with it, and it is said already.
    if (own.isBroken) return { root, project: undefined, found: [] }
    const { project, notes } = await loadProject(system)
    const says = `${project.config.projectId} in ${project.root}`
    return {
      root,
      project,
      found: [
        ok('config', says),
        ...notes.filter(note => !own.notes.includes(note)).map(note => caution('config', note)),
      ],
    }
  } catch (error) {
    return { root, project: undefined, found: [failure('config', error)] }
  }
}

function asJson(findings: readonly DoctorFinding[], { version, runtime }: System) {
  return {
    version,
    runtime,
    ok: findings.every(({ state }) => state !== 'problem'),
    findings: findings.map(({ subject, state, says, remedy }) => ({ subject, state, says, remedy: remedy ?? null })),
  }
}
