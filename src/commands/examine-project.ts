import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Project } from '../model.ts'
import type { System } from '../ports.ts'
import { addIgnoreLine } from '../project/add-ignore-line.ts'
import { detectLinter } from '../project/detect-linter.ts'
import { isTrackedByGit } from '../project/tracked-by-git.ts'
import { judgeCommands, judgePlace } from '../project/trust.ts'
import type { Finding } from '../report/finding.ts'
import {
  commandFindings,
  ignoreFinding,
  linterFinding,
  linterNotRunFinding,
  noLinterFinding,
  stateFindings,
} from '../report/project-findings.ts'
import { unfinishedNote } from '../report/unfinished-note.ts'
import { readCheck } from '../transact/check/read-check.ts'
import { layoutOf } from '../transact/layout.ts'
import { ownerAtWork } from '../transact/lock.ts'
import { previewRecovery } from '../transact/recover.ts'

/** The commands of a project, and its linter: run only if the user has agreed to it. */
export async function* examineCommands(project: Project, system: System): AsyncGenerator<Finding> {
  const commands = await judgeCommands(project, system)
  const doubts = await judgePlace(project.root, system)
  yield* commandFindings(commands, doubts)
  const isAgreed = commands.every(({ key, state }) => key !== 'linter' || state === 'confirmed') && doubts.length === 0
  yield await examineLinter(project, isAgreed, system)
}

/** Where relay keeps what it needs for going back, and whether git leaves it alone. */
export async function* examineState(root: string, system: System): AsyncGenerator<Finding> {
  yield* await stateOf(root, system)
  const ignore = ignoreFinding(await howIgnored(root, system))
  if (ignore !== undefined) yield ignore
}

async function examineLinter({ root, config }: Project, isAgreed: boolean, system: System): Promise<Finding> {
  const { clock, files, interruption, shell, terminal } = system
  if (config.linter.trim() === '') return noLinterFinding((await detectLinter(root, files, shell)).command)
  if (!isAgreed) return linterNotRunFinding()
  terminal.status('running the linter')
  const begin = clock.monotonic()
  const result = await shell.run(config.linter, {
    cwd: root,
    timeLimit: config.commandTimeout,
    signal: interruption,
    env: { RELAY_PHASE: 'base' },
    onStart: async () => undefined,
  })
  terminal.status(undefined)
  return linterFinding(readCheck(result, root), clock.monotonic() - begin)
}

async function stateOf(root: string, system: System): Promise<readonly Finding[]> {
  const { files } = system
  const layout = layoutOf(root)
  const stat = await files.stat(layout.folder)
  const kind = stat === null ? 'absent' : stat.kind === 'folder' ? 'folder' : 'other'
  const isReadable = kind === 'folder' && (await ownerAtWork(layout, system)) === undefined
  const found = isReadable ? await previewRecovery(layout, files, { thorough: true }) : []
  const unfinished = found.filter(({ action }) => action !== 'finished' && action !== 'unbegun')
  return stateFindings({
    path: layout.folder,
    kind,
    mode: stat?.mode ?? 0,
    trouble: kind === 'folder' ? await writeTrouble(layout.folder, system) : undefined,
    unfinished: unfinished.map(unfinishedNote),
  })
}

/** Why nothing can be written into a folder, if so. */
async function writeTrouble(folder: string, { files, randomUuid }: System): Promise<string | undefined> {
  const path = join(folder, `doctor-${randomUuid()}.tmp`)
  try {
    await files.create(path, Buffer.from('x'), { mode: 0o600, sync: false })
    await files.remove(path)
    return undefined
  } catch (error) {
    if (error instanceof RelayError) return error.message
    throw error
  }
}

async function howIgnored(root: string, { files }: System): Promise<Parameters<typeof ignoreFinding>[0]> {
  if (await isTrackedByGit(root, files)) return 'tracked'
  const textOf = async (path: string) => {
    const isFile = (await files.stat(path))?.kind === 'file'
    return isFile ? Buffer.from((await files.read(path)) ?? []).toString('latin1') : undefined
  }
  const text = await textOf(join(root, '.gitignore'))
  if (text !== undefined && addIgnoreLine(text) === null) return 'ignored'
  const { folder } = layoutOf(root)
  if ((await files.stat(folder)) === null) return 'no-state'
  const own = await textOf(join(folder, '.gitignore'))
  return own?.split('\n').includes('*') ? 'ignored-by-itself' : 'not-ignored'
}
