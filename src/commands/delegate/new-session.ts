import { resolve } from 'node:path'
import { agentsOf } from '../../agents/backends/own-agents.ts'
import { beginningOf, missingForPullRequest, repositoryTop } from '../../agents/session/delegation.ts'
import { branchName, cleanInstructions } from '../../agents/session/names.ts'
import { listSessions } from '../../agents/session/sessions.ts'
import type { ReadyWork } from '../../agents/work/errand.ts'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { Project } from '../../model/project.ts'
import type { Session } from '../../model/session.ts'
import type { System } from '../../ports.ts'
import { detectProjectId } from '../../project/detect-project-id.ts'
import { findProjectFolder, loadProject } from '../../project/load-project.ts'
import { plainProject } from '../../project/plain-project.ts'
import { readUserConfigFile } from '../../project/user-config-file.ts'
import { count } from '../../report/text/count.ts'
import { wordsOfPaths } from '../../report/text/words-of-paths.ts'
import { confirmWork } from '../alone/run-alone.ts'
import { readWork } from '../alone/work-options.ts'
import { showNotes } from '../talk/show-notes.ts'
import type { DelegateOptions } from './options.ts'

/** The project of a repository. Without a configuration, it is the whole repository and has no commands. */
export async function projectAt(gitDir: string | undefined, system: System): Promise<Project> {
  const { top, folder } = await repositoryTop(resolve(system.cwd, gitDir ?? '.'), system)
  const there = { ...system, cwd: folder }
  const root = await findProjectFolder(there)
  if (root === undefined || insideOf(top, root) === undefined) {
    const { user, notes } = await readUserConfigFile(system)
    showNotes(notes, system)
    const id = (await detectProjectId(top, system.files).catch(() => undefined))?.projectId ?? 'project'
    return plainProject(top, id, user)
  }
  const { project, notes } = await loadProject(there)
  showNotes(notes, system)
  return project
}

/**
 * Makes a delegation ready before any agent is paid for: checks that everything needed is there, and asks the user to trust
 * what would run.
 */
export async function readyFor(project: Project, options: DelegateOptions, system: System): Promise<ReadyDelegation> {
  mustNeedNobody(project, options)
  const ready = await readWork(options, project, 'claude', system)
  if (options.pr !== false) await lookAtShip(project, ready.system)
  const { name, projectFiles } = ready.work.backend
  await confirmWork(ready, options)
  const beginning = { root: project.root, base: options.base, names: projectFiles }
  const { start, different, uncommitted, unpushed } = await beginningOf(beginning, ready.system)
  if (different.length > 0 && options.trust !== true) {
    throw new RelayError(
      'declined',
      `${different.join(', ')}: not what stands in your folder, and ${name} goes by it`,
      {
        hint: `Look at it: \`git show ${start.slice(0, 10)}:${different[0]}\`. Then add \`--trust\`.`,
      },
    )
  }
  const notes = [
    ...(uncommitted.length > 0 ? [`not committed, so the agent does not see it: ${wordsOfPaths(uncommitted)}`] : []),
    ...(unpushed > 0 ? [`pushed with its work: ${count(unpushed, 'commit')} of yours that origin does not have`] : []),
  ]
  showNotes(notes, system)
  return { ...ready, start }
}

/** Throws where the user would have to answer a question: in the background that is impossible. */
function mustNeedNobody({ config }: Project, { detach, note, review, yes }: DelegateOptions): void {
  if (detach !== true && note === undefined) return
  if (review === true) {
    throw new RelayError('usage', '--review needs somebody who can be asked: it goes with no --detach and no --note')
  }
  if (config.approval === 'no' && yes !== true) {
    throw new RelayError('declined', 'Every change is asked about, and nobody can be asked in the background', {
      hint: 'Give --yes.',
    })
  }
}

/**
 * Reports what a pull request would lack, before an agent is paid for: a branch is useful without one. Throws `environment`
 * where no GitHub account is available.
 */
async function lookAtShip({ root }: Project, system: System): Promise<void> {
  for (const { kind, message, hint } of await missingForPullRequest(root, system)) {
    if (kind === 'no-account') throw new RelayError('environment', message, { hint: `${hint} Or give --no-pr.` })
    showNotes([`${message}. ${hint}`], system)
  }
}

export interface ReadyDelegation extends ReadyWork {
  /** The commit that the branch begins at. */
  readonly start: string
}

interface Wish extends DelegateOptions {
  readonly text: string
  readonly ready: ReadyDelegation
  readonly line?: Session['note']
}

/** A new session. Throws `usage` for bad instructions or options. */
export async function newSession(wish: Wish, system: System): Promise<Session> {
  const { text, ready, line, extra, instructionsFile, base, pr } = wish
  const instructions = mustFit('The instructions are', cleanInstructions(text))
  if (instructions === '') {
    throw new RelayError('usage', 'Instructions are required', { hint: 'relay delegate "Add a dark mode"' })
  }
  if (extra !== undefined && instructionsFile !== undefined) {
    throw new RelayError('usage', 'Use either --extra or --instructions-file, not both')
  }
  if (base?.startsWith('-') === true) throw new RelayError('usage', `--base takes a branch, not "${base}"`)
  const fromFile = instructionsFile === undefined ? undefined : await readInstructions(instructionsFile, system)
  const { backend } = ready.work
  const now = system.clock.now()
  const root = ready.project.root
  return {
    id: system.randomUuid(),
    status: 'initializing',
    gitDirectory: root,
    instructions,
    extra: extra === undefined ? undefined : mustFit('The extra text is', cleanInstructions(extra)),
    fromFile,
    agent: backend.name,
    branch: await freeBranch(backend.name, instructions, Math.floor(now.getTime() / 1000), system),
    base,
    start: ready.start,
    wantsPullRequest: pr !== false,
    options: storedOptions(wish),
    note: line,
    createdAt: now.toISOString(),
  }
}

/** The branch name contains the time. Two sessions that begin within a second get different names. */
async function freeBranch(agent: string, instructions: string, from: number, system: System): Promise<string> {
  const taken = new Set((await listSessions(system)).map(({ session }) => session.branch))
  let seconds = from
  while (taken.has(branchName(agent, instructions, seconds))) seconds++
  return branchName(agent, instructions, seconds)
}

function storedOptions(options: DelegateOptions): Session['options'] {
  const names = [
    'model',
    'sandbox',
    'timeout',
    'attempts',
    'maxTime',
    'maxCost',
    'maxTokens',
    'wait',
    'yes',
    'allowSensitive',
  ] as const
  return Object.fromEntries(names.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]])))
}

async function readInstructions(path: string, { cwd, files }: System): Promise<string> {
  const absolute = resolve(cwd, path)
  if (!/\.(?:md|markdown)$/i.test(path)) {
    throw new RelayError('usage', `--instructions-file takes a .md file, not ${path}`)
  }
  const real = await files.realPath(absolute)
  const found = real === null ? null : await files.stat(real)
  if (real === null || found === null) throw new RelayError('usage', `There is no file ${absolute}`)
  if (found.kind !== 'file') throw new RelayError('usage', `${absolute} is not a file`)
  const bytes = await files.read(real, mostBytes + 1).catch(cause => {
    throw new RelayError('usage', `Cannot read ${absolute}: ${(cause as Error).message}`, { cause })
  })
  return mustFit(`${path} is`, cleanInstructions(Buffer.from(bytes ?? []).toString('utf8')))
}

const mostBytes = 200_000

function mustFit(what: string, text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= mostBytes) return text
  throw new RelayError('usage', `${what} too large (${bytes} bytes; max ${mostBytes} bytes)`)
}

/** Names of agents that a line of a note may have after `/`. */
export function agentNamesOf({ config }: Project): readonly string[] {
  return agentsOf(config).map(({ name }) => name)
}
