import { join, resolve } from 'node:path'
import { agentsOf } from '../../agents/backends/own-agents.ts'
import { agentsFor, agentThatCan, depthOfAgent, mustBeThere } from '../../agents/choose-agent.ts'
import { archiveNow } from '../../agents/prd/begin-loop.ts'
import { findPrd, loopPaths } from '../../agents/prd/loop-files.ts'
import { claimLoop, lastPrdIn, loopFolder } from '../../agents/prd/open-loop.ts'
import { readPrd } from '../../agents/prd/prd-file.ts'
import { markdownIn, prdName, questionsPrompt, writingPrompt } from '../../agents/prd/prd-prompts.ts'
import { writeNewFiles } from '../../agents/prd/write-new-files.ts'
import { type AskWriter, convertPrd, type WriterOptions, writerTurn } from '../../agents/prd/write-prd.ts'
import { replaceUsersFile } from '../../agents/work/replace-users-file.ts'
import { textAt } from '../../agents/work/user-files.ts'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { TurnEnd } from '../../model/agent.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { outsideProject } from '../../project/outside-project.ts'
import { prdFindingLines } from '../../report/agents/prd-lines.ts'
import { jsonText } from '../../report/text/json-text.ts'
import { visible } from '../../report/text/visible.ts'
import { readTime } from '../open/read-amount.ts'
import { confirmAgents } from '../talk/confirm-agents.ts'
import type { TrustOptions } from '../talk/confirm-commands.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'
import { styleOf } from '../talk/style-of.ts'
import { createTurnView } from '../talk/turn-view.ts'
import { createWatchEvents } from '../talk/watch-events.ts'
import { prdJson } from './prd-json.ts'
import { projectAround } from './project-around.ts'

export interface WritePrdOptions extends TrustOptions {
  readonly prd?: string
  readonly agent?: string
  readonly model?: string
  readonly timeout?: string
  readonly json?: boolean
}

/**
 * Has an agent without tools write a prd.json: from a PRD in Markdown, or from a description and the user's answers to the
 * agent's questions. The result is checked, and fixed once by the agent. Only then it replaces the earlier one, which is
 * archived.
 */
export async function writePrd(
  what: 'convert' | 'new',
  words: readonly string[],
  options: WritePrdOptions,
  given: System,
): Promise<number> {
  const { project } = await projectAround(given)
  const { root } = project
  const system = await outsideProject(root, given)
  const target = targetIn(root, options.prd, system) ?? (await findPrd(root, system)) ?? 'prd.json'
  const source = what === 'convert' ? await prdText(words[0], system) : await description(words, system)
  const writer = await readWriter(options, project, system)
  await confirmAgents(root, [writer.backend], project, system, options)
  const ask = shownTurn(writer, root, system)
  const markdown = what === 'convert' ? source : await newPrd(source, ask, root, system)
  if (typeof markdown === 'number') return markdown
  const written = await convertPrd(markdown, ask)
  if (written.kind === 'failed') return exitCodeOf(written.end, system)
  if (written.kind === 'unreadable') {
    // The answer is paid for, and the user may want to fix it by hand.
    system.terminal.out(written.answer)
    throw new RelayError('agent', `What the agent wrote is no prd.json: ${written.problems.join('; ')}`)
  }
  const { text, findings } = written
  const read = readPrd(text)
  const stories = read.kind === 'prd' ? read.file.prd.stories.length : 0
  for (const line of prdFindingLines(findings, stories, styleOf(system.terminal))) system.terminal.err(line)
  const leave = await claimLoop(root, target, system).catch(error => {
    // The answer is paid for.
    system.terminal.out(text)
    throw error
  })
  await putInPlace(root, target, text, system).finally(leave)
  if (options.json === true && read.kind === 'prd') system.terminal.out(jsonText(prdJson(target, read.file)))
  return written.findings.length === 0 ? 0 : exitCodeOfFindings
}

/** The path of the named prd.json, which need not exist. Throws `usage` where it is outside of the project. */
function targetIn(root: string, named: string | undefined, { cwd }: System): string | undefined {
  if (named === undefined) return undefined
  const path = insideOf(root, resolve(cwd, named))
  if (path !== undefined && path !== '') return path
  throw new RelayError('usage', `${named} is not in the project`)
}

const exitCodeOfFindings = 6

async function prdText(name: string | undefined, system: System): Promise<string> {
  if (name === undefined) {
    throw new RelayError('usage', 'relay prd convert takes the PRD: a Markdown file', {
      hint: 'relay prd convert tasks/prd-my-feature.md',
    })
  }
  const text = await textAt(resolve(system.cwd, name), system)
  if (text === undefined) throw new RelayError('usage', `There is no ${name}`)
  if (text.trim() === '') throw new RelayError('usage', `${name} is empty`)
  return text
}

/** The description from the command line, from stdin where it is piped, else from a question. */
async function description(words: readonly string[], { terminal }: System): Promise<string> {
  const given = words.join(' ').trim()
  if (given !== '' && given !== '-') return given
  const typed = terminal.piped
    ? Buffer.from(await terminal.readStdin(mostStdin)).toString('utf8')
    : await terminal.ask('What is to be built? A few sentences, on one line:')
  if (typed !== undefined && typed.trim() !== '') return typed.trim()
  throw new RelayError('usage', 'relay prd new needs a description of the feature', {
    hint: 'relay prd new "Tasks get a priority, and lists can be filtered by it"',
  })
}

const mostStdin = 1024 * 1024

async function readWriter(options: WritePrdOptions, { config }: Project, system: System): Promise<WriterOptions> {
  const backends = agentsOf(config)
  const preferred = config.agent || 'amp'
  const [backend] =
    options.agent === undefined
      ? [(await agentThatCan('read-only', preferred, backends, system)).agent]
      : await agentsFor([options.agent], preferred, backends, system)
  if (backend === undefined) throw new Error('No agent was chosen')
  const depth = depthOfAgent(system)
  await mustBeThere([backend], system)
  const timeout = options.timeout === undefined ? 600 : readTime('--timeout', options.timeout, 'm')
  const { agentSilence: silence, agentGrace: grace } = config
  return { backend, model: options.model, depth, timeout, silence, grace }
}

/** Runs turns that show a live line, and a line at their end. */
function shownTurn(writer: WriterOptions, root: string, system: System): AskWriter {
  const { backend } = writer
  return async prompt => {
    const view = createTurnView([backend], createWatchEvents(system, false), system)
    try {
      const end = await writerTurn(writer, root, system, event => view.tell(backend.name, event))(prompt)
      view.done(backend.name, end)
      view.ended(backend.name, end)
      return end
    } finally {
      view.close()
    }
  }
}

/** Has the agent write a PRD in Markdown, and keeps it in tasks/. Gives the PRD, or the exit code. */
async function newPrd(about: string, ask: AskWriter, root: string, system: System): Promise<string | number> {
  const { terminal } = system
  const asked = terminal.canAsk ? await askQuestions(about, ask, system) : undefined
  if (typeof asked === 'number') return asked
  const end = await ask(writingPrompt(about, asked))
  if (end.status !== 'ok') return exitCodeOf(end, system)
  const markdown = markdownIn(end.text)
  const path = await keepPrd(root, markdown, system)
  terminal.err(`Written: ${path}`)
  return markdown
}

async function askQuestions(about: string, ask: AskWriter, system: System) {
  const { terminal } = system
  const end = await ask(questionsPrompt(about))
  if (end.status !== 'ok') return exitCodeOf(end, system)
  if (!end.text.includes('?')) return undefined
  terminal.err(visible(end.text.trim()))
  const answers = await terminal.ask('Your answers, such as "1A, 2C", or in your own words:')
  return answers === undefined || answers.trim() === '' ? undefined : { questions: end.text, answers }
}

/** Writes the PRD under a name that no file has yet. */
async function keepPrd(root: string, markdown: string, system: System): Promise<string> {
  const name = prdName(markdown)
  for (let copy = 1; ; copy++) {
    const path = join('tasks', `${name}${copy === 1 ? '' : `-${copy}`}.md`)
    const { left } = await writeNewFiles(root, { [path]: markdown }, system)
    if (left.length === 0) return path
  }
}

/** Writes the prd.json, after archiving the one that is there. */
async function putInPlace(root: string, target: string, text: string, system: System): Promise<void> {
  const path = join(root, target)
  const before = await textAt(path, system)
  if (before === text) return
  if (before !== undefined) await archiveBefore(root, target, before, system)
  if (!(await replaceUsersFile(path, now => (now === before ? text : undefined), system))) {
    // The answer is paid for, and what was saved meanwhile is in no archive.
    system.terminal.out(text)
    throw new RelayError('conflict', `${target} was saved meanwhile, and stays as it is`, {
      hint: 'What the agent wrote is printed above.',
    })
  }
  const isFound = (await findPrd(root, system)) === target
  system.terminal.err(`Written: ${target}. Next: relay loop${isFound ? '' : ` --prd ${target}`}`)
}

async function archiveBefore(root: string, target: string, before: string, system: System): Promise<void> {
  const read = readPrd(before)
  const branch = (read.kind === 'prd' && read.file.prd.branchName) || 'unreadable'
  const lastPrd = lastPrdIn(loopFolder(root, target, system))
  const archive = await archiveNow({ root, paths: loopPaths(target), lastPrd }, branch, system)
  if (archive !== undefined) system.terminal.err(`The one before is in ${archive.folder}/`)
}

function exitCodeOf({ status }: TurnEnd, system: System): number {
  if (system.interruption.aborted) return exitCodeOfInterruption(system)
  return exitCodeByKind[status === 'missing' || status === 'auth' ? 'environment' : 'agent']
}
