import type { Backend } from '../../agents/backends/backend.ts'
import { allowFile, type ConfirmedFiles } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { type AgentFile, confirmedFiles, judgeAgentFiles, trustAgents } from '../../project/agent-files.ts'
import { type JudgedCommand, judgeAgentCommands } from '../../project/trust.ts'
import { describeAgentTrust } from '../../report/agents/describe-agent-trust.ts'
import { askKey } from './ask-key.ts'
import { notAgreed, type TrustOptions } from './confirm-commands.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

/**
 * Lets no agent start in a folder before the user has agreed to what it would run there by itself: the files of a project
 * that it goes by, as they are now, and the commands of the project's own agents. Without a configuration there are only
 * files.
 *
 * Where agents may write (`mayWrite`), what they may run then is confirmed as well.
 *
 * What is agreed to is what was shown: what changes while the question is open is asked about once more. A no is an error, and
 * so is a question that nobody can answer. Where there is nothing of it, nothing is said.
 *
 * Gives the files as they were confirmed: a turn begins with these bytes, whatever becomes of the folder meanwhile.
 */
export async function confirmAgents(
  folder: string,
  agents: readonly Backend[],
  project: Project | undefined,
  system: System,
  { trust = false, mayWrite = false }: TrustOptions & { readonly mayWrite?: boolean },
): Promise<ConfirmedFiles> {
  const look = () => judge(folder, agents, mayWrite, project, system)
  let found = await look()
  while (!found.all.every(({ state }) => state === 'confirmed')) {
    if (trust) {
      await agree(found, project, system)
      break
    }
    if (!(await isAgreed(found, folder, agents, project, system))) throw notAgreed(system)
    const now = await look()
    if (marksOf(now) === marksOf(found)) {
      await agree(found, project, system)
      break
    }
    showNotes(['this has changed since you saw it'], system)
    found = now
  }
  return confirmedFiles(folder, namesOf(agents), found.files, system)
}

interface Judged {
  readonly commands: readonly JudgedCommand[]
  readonly files: readonly AgentFile[]
  readonly all: readonly (JudgedCommand | AgentFile)[]
}

async function judge(
  folder: string,
  agents: readonly Backend[],
  mayWrite: boolean,
  project: Project | undefined,
  system: System,
): Promise<Judged> {
  const names = agents.filter(({ own }) => own === true).map(({ name }) => name)
  const commands = project === undefined ? [] : await judgeAgentCommands(project, { names, mayWrite }, system)
  const files = await judgeAgentFiles(folder, [...namesOf(agents), ...(mayWrite ? [allowFile] : [])], system)
  return { commands, files, all: [...commands, ...files] }
}

function namesOf(agents: readonly Backend[]): readonly string[] {
  return agents.flatMap(({ projectFiles }) => projectFiles)
}

/** By their content; what has no mark is known by what could be seen of it. */
function marksOf({ commands, files }: Judged): string {
  return JSON.stringify([
    commands,
    files.map(({ mark, contents: _, ...file }) => [file.folder, file.name, mark ?? file]),
  ])
}

async function isAgreed(
  { commands, files }: Judged,
  folder: string,
  agents: readonly Backend[],
  project: Project | undefined,
  { terminal }: System,
): Promise<boolean> {
  const { lines, prompt, no } = describeAgentTrust(agents, commands, files, folder, styleOf(terminal))
  for (const line of lines) terminal.err(line)
  const keys = [
    ['y', 'allow this for the folder on this machine; relay asks again when it changes'],
    ['n', no],
  ] as const
  return (await askKey(prompt, keys, { singleKey: project?.config.singleKey === true }, terminal)) === 'y'
}

async function agree({ commands, files }: Judged, project: Project | undefined, system: System): Promise<void> {
  const own = project === undefined ? undefined : { root: project.root, commands }
  const problem = await trustAgents(files, own, system)
  if (problem !== undefined) showNotes([`the next start asks again: ${problem}`], system)
}
