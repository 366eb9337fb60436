import type { System } from '../ports.ts'
import { type Status, statusLine, statusLines } from '../report/status-lines.ts'
import { isSameDay } from '../report/text/describe-time.ts'
import { jsonText } from '../report/text/json-text.ts'
import { titleOfEntry } from '../title.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { ownerAtWork } from '../transact/lock/lock.ts'
import { findWatchers } from '../transact/lock/watchers.ts'
import { type Look, look } from './look.ts'
import { recoveryJson } from './say/recovery-json.ts'
import { outStyle } from './say/style-of.ts'

interface StatusOptions {
  readonly short?: boolean
  readonly json?: boolean
}

/** `relay status`: whether somebody watches, what is unfinished, and what happened today. */
export async function status(system: System, options: StatusOptions): Promise<number> {
  const { terminal, clock } = system
  const found = await statusOf(await look(system, { namesUnfinished: false }), system)
  if (options.json === true) terminal.out(jsonText(asJson(found)))
  else if (options.short === true) terminal.out(statusLine(found))
  else for (const line of statusLines(found, outStyle(terminal), clock.now())) terminal.out(line)
  return 0
}

async function statusOf({ project, layout, journal, unfinished }: Look, system: System): Promise<Status> {
  const now = system.clock.now()
  const today = { kept: 0, rolledBack: 0, undone: 0 }
  let newest: { number: number; uuid: string; at: Date } | undefined
  /** What was taken back today, and is so still; it may itself be an undo. */
  const takenBack = new Set<string>()
  for (const { number, uuid, at: iso, outcome, undoes } of journal.newestFirst()) {
    const at = new Date(iso)
    const isToday = isSameDay(at, now)
    if (newest === undefined && outcome === 'committed') newest = { number, uuid, at }
    if (takenBack.delete(uuid) && undoes === undefined) today.undone += 1
    if (isToday && (outcome === 'declined' || outcome === 'rolled-back')) today.rolledBack += 1
    if (isToday && outcome === 'committed') {
      if (undoes === undefined) today.kept += 1
      else takenBack.add(undoes)
    }
    if (!isToday && newest !== undefined && takenBack.size === 0) break
  }
  const outline = newest && (await readOutline(newest.uuid, layout))
  return {
    projectId: project.config.projectId,
    root: project.root,
    home: system.home,
    watchers: (await findWatchers(layout, system.shell)).map(({ pid }) => pid),
    working: (await ownerAtWork(layout, system.shell))?.pid,
    unfinished,
    last: newest && { number: newest.number, at: newest.at, title: outline ? titleOfEntry(outline) : '' },
    today,
  }
}

function asJson({ projectId, root, watchers, working, unfinished, last, today }: Status) {
  return {
    projectId,
    root,
    watching: watchers.length > 0,
    watchers,
    working: working ?? null,
    last: last === undefined ? null : { ...last, at: last.at.toISOString() },
    today,
    unfinished: unfinished.map(recoveryJson),
  }
}
