import { join } from 'node:path'
import { causeCode, RelayError } from '../../errors.ts'
import { isWindows } from '../../ground/paths.ts'
import { lintersOf } from '../../model/linters-of.ts'
import type { Project } from '../../model/project.ts'
import type { Files, Stat, System } from '../../ports.ts'
import { addIgnoreLine } from '../../project/add-ignore-line.ts'
import { programsOf } from '../../project/command-programs.ts'
import { detectLinter } from '../../project/detect-linter.ts'
import { isTrackedByGit } from '../../project/tracked-by-git.ts'
import { type JudgedCommand, judgeCommands, judgePlace, type PlaceDoubt } from '../../project/trust.ts'
import { isOver, unfinishedNote } from '../../report/answers/unfinished-note.ts'
import { caution, type DoctorFinding } from '../../report/findings/finding.ts'
import {
  closedProjectFinding,
  commandFindings,
  forgottenFinding,
  ignoreFindings,
  linterFinding,
  noLinterFinding,
  type StateFolder,
  stateFinding,
} from '../../report/findings/project-findings.ts'
import { runWords, shadowWords } from '../../report/text/program-words.ts'
import { readHistory } from '../../transact/journal/mend-history.ts'
import { type Layout, layoutOf } from '../../transact/layout/layout.ts'
import { ownerAtWork } from '../../transact/lock/lock.ts'
import { previewRecovery } from '../../transact/recover/recover.ts'
import { runLinterNow } from '../open/run-linter-now.ts'

/** What the user has agreed to of a project's commands, and what speaks against the place that they come from. */
export interface Trust {
  readonly commands: readonly JudgedCommand[]
  readonly doubts: readonly PlaceDoubt[]
}

export async function trustOf(project: Project, system: System): Promise<Trust> {
  return { commands: await judgeCommands(project, system), doubts: await judgePlace(project.root, system) }
}

/** The commands of a project, and the place that they come from. */
export async function* examineCommands(trust: Promise<Trust>): AsyncGenerator<DoctorFinding> {
  const { commands, doubts } = await trust
  yield* commandFindings(commands, doubts)
}

/** One run of the linter, if the user has agreed to it. */
export async function* examineLinter(
  project: Project,
  trust: Promise<Trust>,
  system: System,
): AsyncGenerator<DoctorFinding> {
  const { commands, doubts } = await trust
  const isAgreed =
    commands.every(({ key, state }) => !/^linter(?:\.|$)/.test(key) || state === 'confirmed') && doubts.length === 0
  yield await tryLinter(project, isAgreed, system)
}

/**
 * Whether the files of the project can be changed; where relay keeps what it needs for going back, and what is not over in
 * it. What closes both, such as a full disk, is said once.
 */
export async function* examineFolders(root: string, system: System): AsyncGenerator<DoctorFinding> {
  const { files, runtime } = system
  const layout = layoutOf(root, files)
  const stat = await files.stat(layout.folder)
  const kind = stat === null ? 'absent' : stat.kind === 'folder' ? 'folder' : 'other'
  // Where the state folder has to be made first, that tells it too.
  const closed = kind === 'absent' ? undefined : await whyNot('not-written', () => tryRoot(root, system))
  if (closed !== undefined) yield closedProjectFinding(root, closed)
  const trouble = await troubleWith(kind, layout, system)
  const mode = isWindows(runtime) ? undefined : (stat?.mode ?? 0)
  if (!isSameCause(trouble, closed)) yield stateFinding({ path: layout.folder, kind, mode, trouble })
  if (kind !== 'folder' || trouble?.what === 'closed') return
  if ((await ownerAtWork(layout, system.shell)) !== undefined) return
  for (const recovery of await previewRecovery(layout, system, { thorough: true })) {
    if (!isOver(recovery)) yield caution('state', unfinishedNote(recovery))
  }
  const talk = { report: () => system.terminal.status('reading all stored changes') }
  const { forgotten } = await readHistory(layout, { thorough: true, system, talk }).finally(() => {
    system.terminal.status(undefined)
  })
  if (forgotten.length > 0) yield forgottenFinding(forgotten)
}

/** Whether git leaves that alone. */
export async function* examineIgnore(root: string, system: System): AsyncGenerator<DoctorFinding> {
  const ignore = ignoreFindings[await howIgnored(root, system)]
  if (ignore !== undefined) yield ignore
}

async function tryLinter(project: Project, isAgreed: boolean, system: System): Promise<DoctorFinding> {
  const { root, config } = project
  if (lintersOf(config).length === 0)
    return noLinterFinding((await detectLinter(root, system.files, system.shell)).command)
  if (!isAgreed) return caution('linter', 'not run: you have not allowed its command')
  const { check, ms } = await runLinterNow(project, system)
  const programs = (await Promise.all(lintersOf(config).map(each => programsOf(each, root, system)))).flat()
  const isMissing = check.kind === 'uncounted' && check.why.startsWith('exit 127')
  const words = programs.flatMap(each => (isMissing && each.near !== undefined ? runWords(each) : shadowWords(each)))
  return linterFinding(check, ms, words)
}

/** What is in the way, with the system's code for it. */
type Obstacle = NonNullable<StateFolder['trouble']> & { readonly code: string | undefined }

function isSameCause(one: Obstacle | undefined, other: Obstacle | undefined): boolean {
  return one?.code !== undefined && one.code === other?.code && one.hint === other.hint
}

/** Why relay could not work with `.relaycode/`, if so. */
async function troubleWith(kind: StateFolder['kind'], layout: Layout, system: System): Promise<Obstacle | undefined> {
  const { files, randomUuid } = system
  switch (kind) {
    case 'absent':
      return whyNot('not-written', () => tryRoot(layout.root, system, layout.folder))
    case 'folder': {
      const path = join(layout.folder, `doctor-${randomUuid()}.tmp`)
      return (
        (await whyNot('closed', () => files.list(layout.folder))) ??
        (await whyNot('not-written', () => tryToWrite(path, join(layout.folder, 'a file'), files)))
      )
    }
    case 'other':
      return undefined
  }
}

async function whyNot(what: Obstacle['what'], attempt: () => Promise<unknown>): Promise<Obstacle | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    return { what, why: error.message, hint: error.hint, code: causeCode(error) }
  }
}

/** Tries it among the user's own files, and removes what an earlier try that was killed had left there. */
async function tryRoot(root: string, { files, randomUuid }: System, standsFor?: string): Promise<void> {
  const path = join(root, `.relaycode-doctor-${randomUuid()}.tmp`)
  const own = await tryToWrite(path, standsFor ?? join(root, 'a file'), files)
  const names = (await files.list(root).catch(() => null)) ?? []
  // One that cannot be removed is in nobody's way.
  for (const name of names.filter(each => leftName.test(each))) {
    await removeLeft(join(root, name), own, files).catch(() => undefined)
  }
}

const leftName = /^\.relaycode-doctor-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/
const probe = 'x'
const tenMinutes = 600_000

/** A name alone says nothing: only what this user has, holds no more than a try writes, and is no longer tried. */
async function removeLeft(path: string, own: Stat | null, files: Files): Promise<void> {
  const found = await files.stat(path)
  if (found?.kind !== 'file' || found.size > probe.length || found.uid !== own?.uid) return
  if (own.modifiedMs - found.modifiedMs < tenMinutes) return
  const text = Buffer.from((await files.read(path)) ?? []).toString()
  if (text === '' || text === probe) await files.remove(path)
}

/** Answers what the system made of the file: whose it is, and when it was. */
async function tryToWrite(path: string, standsFor: string, files: Files): Promise<Stat | null> {
  await files.create(path, Buffer.from(probe), { mode: 0o600, sync: false, standsFor })
  const own = await files.stat(path).catch(() => null)
  await files.remove(path)
  return own
}

async function howIgnored(root: string, { files }: System): Promise<keyof typeof ignoreFindings> {
  if (await isTrackedByGit(root, files)) return 'tracked'
  const textOf = async (path: string) => {
    const isFile = (await files.stat(path))?.kind === 'file'
    return isFile ? Buffer.from((await files.read(path)) ?? []).toString('latin1') : undefined
  }
  const text = await textOf(join(root, '.gitignore'))
  if (text !== undefined && addIgnoreLine(text) === null) return 'ignored'
  const { folder } = layoutOf(root, files)
  // One that cannot be looked into is told elsewhere.
  if ((await files.list(folder).catch(() => null)) === null) return 'no-state'
  const own = await textOf(join(folder, '.gitignore'))
  return own?.split('\n').includes('*') ? 'ignored-by-itself' : 'not-ignored'
}
