import { archiveNow } from '../agents/prd/begin-loop.ts'
import { checkPrd } from '../agents/prd/check-prd.ts'
import { loopPaths, readPrdAt } from '../agents/prd/loop-files.ts'
import { nextStory } from '../agents/prd/next-story.ts'
import { claimLoop, lastPrdIn, loopFolder, prdPathIn } from '../agents/prd/open-loop.ts'
import { skillFiles } from '../agents/prd/skills.ts'
import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import { prdFindingLines, prdLines } from '../report/agents/prd-lines.ts'
import { jsonText } from '../report/text/json-text.ts'
import { prdJson } from './alone/prd-json.ts'
import { projectAround } from './alone/project-around.ts'
import type { WritePrdOptions } from './alone/write-prd.ts'
import { outStyle } from './talk/style-of.ts'

interface PrdOptions extends WritePrdOptions {
  readonly prd?: string
  readonly json?: boolean
}

/** `relay prd`: shows, checks or archives a prd.json, or has an agent write one. */
export async function prd(system: System, words: readonly string[], options: PrdOptions): Promise<number> {
  const [what = 'status', name, ...more] = words
  const tooMuch = lookingAlone.includes(what) ? name : what === 'new' ? undefined : more[0]
  if (tooMuch !== undefined) {
    throw new RelayError('usage', `relay prd ${what} takes no "${tooMuch}"`, {
      ...(tooMuch === name && { hint: `Another prd.json: relay prd ${what} --prd ${tooMuch}` }),
    })
  }
  switch (what) {
    case 'status':
      return showStatus(system, options)
    case 'check':
      return check(system, options)
    case 'archive':
      return archive(system, options)
    case 'skills':
      return writeSkills(name ?? 'skills', system)
    case 'convert':
    case 'new':
      return (await import('./alone/write-prd.ts')).writePrd(what, words.slice(1), options, system)
    default:
      throw new RelayError('usage', `relay prd knows no "${what}"`, {
        hint: 'It is one of status, check, archive, convert, new and skills.',
      })
  }
}

/** Commands that take no argument. */
const lookingAlone: readonly string[] = ['status', 'check', 'archive']

async function readHere({ prd: named }: PrdOptions, system: System) {
  const { project } = await projectAround(system)
  const { root } = project
  const path = await prdPathIn(root, named, system)
  return { root, path, file: await readPrdAt(root, path, system) }
}

async function showStatus(system: System, options: PrdOptions): Promise<number> {
  const { terminal } = system
  const { path, file } = await readHere(options, system)
  const { prd } = file
  if (options.json === true) terminal.out(jsonText(prdJson(path, file)))
  else for (const line of prdLines(prd, nextStory(prd)?.id, outStyle(terminal))) terminal.out(line)
  return 0
}

const exitCodeOfFindings = 6

async function check(system: System, options: PrdOptions): Promise<number> {
  const { terminal } = system
  const { path, file } = await readHere(options, system)
  const findings = checkPrd(file)
  if (options.json === true) terminal.out(jsonText(prdJson(path, file)))
  else {
    for (const line of prdFindingLines(findings, file.prd.stories.length, outStyle(terminal))) terminal.out(line)
  }
  return findings.length === 0 ? 0 : exitCodeOfFindings
}

async function archive(system: System, options: PrdOptions): Promise<number> {
  const { root, path, file } = await readHere(options, system)
  const lastPrd = lastPrdIn(loopFolder(root, path, system))
  const { branchName } = file.prd
  const leave = await claimLoop(root, path, system)
  const found = await archiveNow({ root, paths: loopPaths(path), lastPrd }, branchName, system).finally(leave)
  if (options.json === true) system.terminal.out(jsonText({ folder: found?.folder ?? null }))
  else system.terminal.err(found === undefined ? 'There is nothing to archive.' : `Archived in ${found.folder}/`)
  return 0
}

/** Writes the skill files. Leaves existing files alone. */
async function writeSkills(folder: string, system: System): Promise<number> {
  const { writeNewFiles } = await import('../agents/prd/write-new-files.ts')
  const { written, left } = await writeNewFiles(folder, skillFiles, system)
  for (const path of written) system.terminal.err(`Written: ${path}`)
  for (const path of left) system.terminal.err(`Left alone, yours is another one: ${path}`)
  if (written.length + left.length === 0) system.terminal.err(`All of it is in ${folder}/ already.`)
  return left.length === 0 ? 0 : exitCodeOfConflict
}

const exitCodeOfConflict = 5
