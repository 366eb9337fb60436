import { rafStatusJson } from '../agents/raf/status-json.ts'
import { listSessions, workOf } from '../agents/session/sessions.ts'
import { listKept } from '../agents/work/kept-work.ts'
import { leftAsides } from '../agents/work/left-asides.ts'
import { workIn } from '../agents/work/under-way.ts'
import { ownersOf } from '../agents/work/work-note.ts'
import { titleOfEntry } from '../model/title.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { planLines, planListLines, type Running } from '../report/agents/plan-lines.ts'
import { sessionJson } from '../report/json/session-json.ts'
import { underWayJson } from '../report/json/under-way-json.ts'
import { type Status, statusLine, statusLines, workLines } from '../report/screens/status-lines.ts'
import { isSameDay } from '../report/text/describe-time.ts'
import { jsonText } from '../report/text/json-text.ts'
import type { Style } from '../report/text/style.ts'
import { movesOf } from '../transact/entry/moves.ts'
import type { EndedTransaction, Journal } from '../transact/journal/journal.ts'
import { ownerAtWork } from '../transact/lock/lock.ts'
import { findOwners } from '../transact/lock/owner-marks.ts'
import { projectAround } from './alone/project-around.ts'
import { lastKept } from './open/last-kept.ts'
import { type Look, lookIn } from './open/look.ts'
import { lookAtPlans, type Plans, runningIn } from './open/look-at-plans.ts'
import { recoveryJson } from './recover/recovery-json.ts'
import { outStyle } from './talk/style-of.ts'

interface StatusOptions {
  readonly short?: boolean
  readonly json?: boolean
}

/**
 * `relay status`: whether relay is watching, what is unfinished, what happened today, and the state of the plans; or one plan,
 * task by task. Plans need no configuration.
 */
export async function status(system: System, wanted: string | undefined, options: StatusOptions): Promise<number> {
  const { terminal, clock } = system
  const { project, isPlain } = await projectAround(system)
  const found = await statusOf(await lookIn(project, system), system)
  // A shell asks for the line at each prompt, and it tells of no plan.
  const here = wanted === undefined && options.short === true && options.json !== true
  const plans = await lookAtPlans(project.root, wanted, system, { here })
  const isEmpty = [plans.projects, plans.worktrees, plans.branches].every(those => those.length === 0)
  const isIdle = isEmpty && found.works.length === 0
  if (isPlain && (isIdle || options.short === true)) throw noProject(system.cwd)
  const style = outStyle(terminal)
  const running = runningIn(plans, found.works)
  const say = (lines: readonly string[]) => {
    for (const line of lines) terminal.out(line)
  }
  if (options.json === true) terminal.out(jsonText({ ...asJson(found), ...rafStatusJson(plans) }))
  else if (options.short === true) terminal.out(statusLine(found))
  else if (wanted === undefined) {
    const lines = (isPlain ? workLines : statusLines)(found, style, clock.now())
    say(lines)
    if (lines.length > 0 && !isEmpty) terminal.out('')
    say(planListLines(plans, style, running))
  } else say(linesOfPlan(plans, style, running))
  return 0
}

function linesOfPlan({ projects, worktrees, branches }: Plans, style: Style, running: Running | undefined) {
  const [here] = projects
  const [elsewhere] = [
    ...worktrees.map(project => ({ name: 'Worktree', project }) as const),
    ...branches.map(project => ({ name: 'Branch', project }) as const),
  ]
  if (here !== undefined) return planLines(here, elsewhere, style, running)
  return elsewhere === undefined ? [] : planLines(elsewhere.project, undefined, style, running, 'relay do -w')
}

async function statusOf({ project, layout, journal, unfinished, underWay }: Look, system: System): Promise<Status> {
  const pidsIn = async (folder: string) => {
    return (await findOwners(folder, layout.files, system.shell)).map(({ mark }) => mark.pid)
  }
  const works = await workIn(project.root, system).catch(() => [])
  return {
    projectId: project.config.projectId,
    root: project.root,
    home: system.home,
    watchers: await pidsIn(layout.watchers),
    askers: await pidsIn(layout.askers),
    working: (await ownerAtWork(layout, system.shell))?.pid,
    underWay: underWay.map(entry => ({
      number: entry.number,
      uuid: entry.uuid,
      title: titleOfEntry(entry),
      files: movesOf(entry).map(({ path }) => path),
    })),
    unfinished,
    last: await lastKept(journal, layout),
    today: dayOf(journal, system.clock.now()),
    prd: await prdIn(project.root, system),
    delegations: (await listSessions(system).catch(() => []))
      .filter(({ session }) => session.gitDirectory === project.root)
      .map(known => ({ session: known.session, work: workOf(known, works, system) })),
    works,
    // `relay apply --kept` says why kept work cannot be read. The rest of the status must still be shown.
    keptWork: await listKept(project.root, system).catch(() => []),
    putAside: await asidesIn(project.root, system, pidsIn),
  }
}

/** Without those of a run that still works: it puts them back itself. */
async function asidesIn(
  root: string,
  system: System,
  pidsIn: (folder: string) => Promise<readonly number[]>,
): Promise<readonly string[]> {
  const asides = await leftAsides(root, system).catch(() => [])
  const left = asides.map(async ({ folder, paths }) => ((await pidsIn(ownersOf(folder))).length > 0 ? [] : paths))
  return (await Promise.all(left)).flat()
}

/** The user stories of a prd.json, where there is one. `relay prd` says what is wrong with it. */
async function prdIn(root: string, system: System): Promise<Status['prd']> {
  const { findPrd, readPrdAt } = await import('../agents/prd/loop-files.ts')
  const path = await findPrd(root, system).catch(() => undefined)
  if (path === undefined) return undefined
  const { prdJson } = await import('./alone/prd-json.ts')
  const { findings: _, ...prd } = await readPrdAt(root, path, system)
    .then(file => prdJson(path, file))
    .catch(() => ({ file: path, project: '', branchName: '', stories: [], next: null, findings: [] }))
  return prd
}

/** Today's changes, with their present state. */
function dayOf(journal: Journal, now: Date): Status['today'] {
  const turns: EndedTransaction[] = []
  for (const turn of journal.newestFirst()) {
    if (!isSameDay(new Date(turn.at), now)) break
    turns.push(turn)
  }
  const standing = turns.filter(({ outcome }) => outcome === 'committed')
  return {
    kept: standing.filter(({ undoes }) => undoes === undefined).length,
    rolledBack: turns.filter(({ outcome }) => outcome === 'declined' || outcome === 'rolled-back').length,
    undone: countPatches(new Set(standing.flatMap(({ undoes }) => undoes ?? [])), journal),
  }
}

/** The number of these transactions that are patches. An undone transaction may itself be an undo, and may be of any day. */
function countPatches(uuids: Set<string>, journal: Journal): number {
  let patches = 0
  for (const { uuid, undoes } of journal.newestFirst()) {
    if (uuids.size === 0) break
    if (uuids.delete(uuid) && undoes === undefined) patches += 1
  }
  return patches
}

function asJson(status: Status) {
  const {
    projectId,
    root,
    watchers,
    askers,
    working,
    underWay,
    unfinished,
    last,
    today,
    works,
    keptWork,
    putAside,
    prd,
    delegations,
  } = status
  return {
    projectId,
    root,
    watching: watchers.length > 0,
    watchers,
    asking: askers,
    working: working ?? null,
    underWay,
    last: last === undefined ? null : { ...last, at: last.at.toISOString() },
    today,
    unfinished: unfinished.map(recoveryJson),
    putAside,
    agents: works.map(underWayJson),
    prd: prd ?? null,
    delegations: delegations.map(({ session, work }) => sessionJson(session, work)),
    keptWork: keptWork.map(({ number, book, task, title, agent, why, at, paths }) => {
      return { number, book: book ?? null, task: task ?? null, title, agent, why, at: at.toISOString(), files: paths }
    }),
  }
}
