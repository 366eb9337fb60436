import { RelayError } from '../errors.ts'
import type { SignalName } from '../model.ts'
import type { System } from '../ports.ts'
import { configName } from '../project/config-name.ts'
import { findProjectFolder, loadProject } from '../project/load-project.ts'
import { caution, type Finding, ok, problem } from '../report/finding.ts'
import { findingLines, findingsInShort } from '../report/finding-lines.ts'
import { jsonText } from '../report/json-text.ts'
import { noticeFinding, runtimeFinding, terminalFindings } from '../report/terminal-findings.ts'
import { examineClipboard } from './examine-clipboard.ts'
import { examineCommands, examineState } from './examine-project.ts'
import { exitCodeOfKind, exitCodeOfSignal } from './exit-code.ts'
import { outStyle } from './look.ts'

export interface DoctorOptions {
  /** The clipboard may be overwritten for a moment. */
  readonly yes?: boolean
  readonly json?: boolean
}

/** `relay doctor`: looks at everything that relay needs here, and says what to do about what is wrong. */
export async function doctor(system: System, options: DoctorOptions): Promise<number> {
  const { terminal, interruption } = system
  const style = outStyle(system)
  const findings: Finding[] = []
  for await (const finding of examine(system, options)) {
    if (interruption.aborted) return exitCodeOfSignal(interruption.reason as SignalName)
    findings.push(finding)
    if (options.json !== true) for (const line of findingLines(finding, style)) terminal.out(line)
  }
  if (options.json === true) terminal.out(jsonText(asJson(findings, system)))
  else terminal.out(findingsInShort(findings, style))
  return findings.some(({ state }) => state === 'problem') ? exitCodeOfKind('environment') : 0
}

async function* examine(system: System, options: DoctorOptions): AsyncGenerator<Finding> {
  const { terminal } = system
  yield runtimeFinding(system.version, system.runtime)
  const root = await findProjectFolder(system)
  const { project, found } = await readProject(root, system)
  yield* found
  if (project !== undefined) yield* examineCommands(project, system)
  if (root !== undefined) yield* examineState(root, system)
  yield* examineClipboard(project, options.yes === true, system)
  const { isTerminal, pager, editor, notices } = await terminal.tools(project?.config.notify ?? 'auto')
  const { columns, canAsk, colour, unicode, links } = terminal
  yield* terminalFindings({ columns, isTerminal, canAsk, colour: colour.err, unicode, links, pager, editor })
  yield noticeFinding(notices)
}

/** A configuration that is missing or broken is a finding like any other: the rest is looked at all the same. */
async function readProject(root: string | undefined, system: System) {
  if (root === undefined) {
    const says = `no ${configName} in ${system.cwd} or above`
    return { project: undefined, found: [caution('config', says, 'Run `relay --init` in your project.')] }
  }
  try {
    const { project, notes } = await loadProject(system)
    const says = `${project.config.projectId} in ${project.root}`
    return { project, found: [ok('config', says), ...notes.map(note => caution('config', note))] }
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    return { project: undefined, found: [problem('config', error.message, error.hint)] }
  }
}

function asJson(findings: readonly Finding[], { version, runtime }: System) {
  return {
    version,
    runtime,
    ok: findings.every(({ state }) => state !== 'problem'),
    findings: findings.map(({ subject, state, says, remedy }) => ({ subject, state, says, remedy: remedy ?? null })),
  }
}
