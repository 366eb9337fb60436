import { endLeftRuns, type RunningAgent, runningAgents } from '../agents/run/run-folder.ts'
import { leftAsides } from '../agents/work/left-asides.ts'
import { RelayError } from '../errors.ts'
import { judgeRecovery } from '../flows/judge-recovery.ts'
import type { HistoryLine } from '../model/entry.ts'
import type { Project } from '../model/project.ts'
import type { Progress, Recovery } from '../model/talk.ts'
import type { ProcessMark, System } from '../ports.ts'
import { findProjectFolder, loadProject } from '../project/load-project.ts'
import { leftWords } from '../report/agents/under-way-words.ts'
import { asideWords, describeRecovery, forgottenWords } from '../report/answers/describe-recovery.ts'
import { count } from '../report/text/count.ts'
import { jsonText } from '../report/text/json-text.ts'
import { visibleLine } from '../report/text/visible.ts'
import { mendHistory, readHistory } from '../transact/journal/mend-history.ts'
import { layoutOf } from '../transact/layout/layout.ts'
import { ensureRelayFolder, mustBeFolder } from '../transact/layout/relay-folder.ts'
import { ownerAtWork, withLock } from '../transact/lock/lock.ts'
import { previewRecovery, recover as recoverProject } from '../transact/recover/recover.ts'
import { bringBackAsides } from './recover/bring-back-asides.ts'
import { recoveryJson } from './recover/recovery-json.ts'
import { resumeHeldFirst } from './recover/resume-held-first.ts'
import { confirmPlace, type TrustOptions } from './talk/confirm-commands.ts'
import { exitCodeByKind } from './talk/exit-code.ts'
import { showNotes } from './talk/show-notes.ts'
import { styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'

interface RecoverOptions extends TrustOptions {
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `relay recover`: does by hand what every writing command does first. */
export async function recover(system: System, options: RecoverOptions): Promise<number> {
  // Agents need no configuration, and neither does what they left.
  const isPlain = (await findProjectFolder(system)) === undefined
  if (isPlain && options.dryRun !== true && (await endLeftAgents(system)) > 0) return 0
  const { project } = await loadProject(system)
  if (options.dryRun === true) return preview(project, system, options.json === true)
  if (options.json === true) {
    throw new RelayError('usage', '--json goes with --dry-run alone', { hint: '`relay recover --dry-run --json`' })
  }
  return recoverNow(project, system, options)
}

/** Tells what a recovery would do, and does nothing. */
async function preview(project: Project, system: System, json: boolean): Promise<number> {
  const { clock, terminal } = system
  const layout = layoutOf(project.root, system.files)
  await mustBeFolder(layout)
  const other = await ownerAtWork(layout, system.shell)
  if (other !== undefined) throw isAtWork(other)
  const found = await previewRecovery(layout, system, { thorough: true })
  const leftAgents = (await runningAgents(system)).filter(({ relay }) => relay === undefined)
  if (json) {
    const agents = leftAgents.map(({ agent, pid }) => ({ agent, pid }))
    terminal.out(jsonText({ unfinished: found.map(asJson), leftAgents: agents }))
  } else {
    const style = styleOf(terminal)
    for (const recovery of found) {
      for (const line of describeRecovery(recovery, style, clock.now(), { isPreview: true })) terminal.err(line)
    }
    const notes = [...(await asideNotes(project, system)), ...leftAgents.map(leftNote)]
    showNotes(notes, system)
    if (notes.length === 0 && found.length === 0) terminal.err('Nothing is unfinished.')
    const talk = createTalk(system, () => project)
    const { forgotten } = await readHistory(layout, { thorough: true, system, talk }).finally(talk.close)
    if (forgotten.length > 0) {
      terminal.err(`Not in the history: ${forgottenWords(forgotten)}. \`relay recover\` puts them back.`)
    }
  }
  return found.some(recovery => needsYou(recovery, system)) ? exitCodeByKind.unfinished : 0
}

async function asideNotes({ root }: Project, system: System): Promise<readonly string[]> {
  const asides = (await leftAsides(root, system)).flatMap(({ paths }) => paths)
  return asides.length > 0 ? [asideWords(asides)] : []
}

function leftNote({ agent, pid }: RunningAgent): string {
  return `${visibleLine(agent)}: ${leftWords(pid)}`
}

async function recoverNow(project: Project, system: System, options: TrustOptions): Promise<number> {
  const layout = layoutOf(project.root, system.files)
  // First of all, and unasked: each minute of theirs is paid for.
  let found = await endLeftAgents(system)
  await confirmPlace(project, system, options)
  await ensureRelayFolder(layout)
  const talk = createTalk(system, () => project)
  let forgotten: readonly HistoryLine[] = []
  const counting = {
    ...talk,
    report: (progress: Progress) => {
      if (progress.kind === 'recovered' || progress.kind === 'resumed') found += 1
      talk.report(progress)
    },
  }
  try {
    if (await bringBackAsides(system)) found += 1
    await resumeHeldFirst(project, system, counting, options)
    await withLock(layout, system, talk, async () => {
      await recoverProject(layout, system, counting, { judge: judgeRecovery(project.config), thorough: true })
      forgotten = (await mendHistory(layout, { thorough: true, system, talk })).forgotten
    })
  } finally {
    talk.close()
  }
  if (found === 0) system.terminal.err('Nothing is unfinished.')
  if (forgotten.length > 0) system.terminal.err(`Put back into the history: ${forgottenWords(forgotten)}.`)
  return 0
}

async function endLeftAgents(system: System): Promise<number> {
  const ended = await endLeftRuns(system)
  if (ended > 0) system.terminal.err(`Ended ${count(ended, 'agent')} that kept running after relay stopped.`)
  return ended
}

function asJson(recovery: Recovery) {
  const { restored, rescued, kept } = recovery.restoration
  return {
    ...recoveryJson(recovery),
    restores: restored,
    rescues: rescued.map(({ path }) => path),
    edited: kept.map(({ path }) => path),
  }
}

/** As the recovery itself would stop: on what cannot be read, and on what has to be asked about where nobody can be. */
function needsYou({ action, restoration }: Recovery, { terminal }: System): boolean {
  if (action === 'unreadable') return true
  return (action === 'held' || action === 'foreign' || restoration.kept.length > 0) && !terminal.canAsk
}

/** What a living relay has under way only looks unfinished. */
function isAtWork({ pid }: ProcessMark): RelayError {
  return new RelayError('environment', `Another relay (process ${pid}) is working in this project`, {
    hint: 'It may be waiting for your answer: `relay status` tells. Answer there, or wait, then try again.',
  })
}
