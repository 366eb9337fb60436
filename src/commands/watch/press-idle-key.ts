import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import { titleOfEntry } from '../../model/title.ts'
import { changesOf } from '../../plan/entry-changes.ts'
import type { System, Terminal } from '../../ports.ts'
import { IDLE_KEYS, idleKeysInShort } from '../../report/screens/idle-keys.ts'
import { logTable } from '../../report/screens/log-table.ts'
import { cutLine } from '../../report/text/cut-line.ts'
import { type Keys, keyLines } from '../../report/text/hanging.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { takeBackIn } from '../back.ts'
import { copyFollowUp } from '../follow-up/copy-follow-up.ts'
import { newestRows } from '../log.ts'
import { chosenEntry } from '../open/chosen-entry.ts'
import { readJournal } from '../open/read-journal.ts'
import { pageDiff } from '../talk/page-diff.ts'
import { sayTrouble } from '../talk/say-failure.ts'
import { styleOf } from '../talk/style-of.ts'
import type { WatchEvents } from '../talk/watch-events.ts'
import { keysOf } from '../talk/way-out.ts'
import type { Inbox } from './inbox.ts'

/** What stands around a key: the watcher's own. */
export interface Pressing {
  readonly inbox: Inbox
  readonly project: Project
  readonly system: System
  readonly events: WatchEvents
}

/** Does what a key means to a watcher that waits. What goes wrong is said, and ends nothing. */
export async function pressIdleKey(key: string, pressing: Pressing): Promise<Outcome | 'quit' | undefined> {
  const { system, events } = pressing
  try {
    return await press(key.toLowerCase(), pressing)
  } catch (error) {
    sayTrouble(error, system, events)
    return undefined
  }
}

async function press(key: string, pressing: Pressing): Promise<Outcome | 'quit' | undefined> {
  const { inbox, project, system, events } = pressing
  const { terminal } = system
  const style = styleOf(terminal)
  const before = inbox.lastKey
  inbox.lastKey = key
  switch (key) {
    case 'u':
    case 'r': {
      const kind = key === 'u' ? 'undo' : 'redo'
      const end = await takeBackIn(project, { kind }, { hasKeys: inbox.hasKeys }, system, events)
      return end.kind === 'ended' ? end.outcome : undefined
    }
    case 'd':
      return showNewest(pressing)
    case 'l':
      return list(pressing)
    case 'c':
      await copyFollowUp(project, system)
      return undefined
    case 'k':
      await (await import('../pack/pack-last-answer.ts')).packLastAnswer(project, system)
      return undefined
    case 'p':
      inbox.pause(!inbox.paused)
      events.say({ event: 'paused', paused: inbox.paused })
      return undefined
    case 'q':
      // Meant for the pager, it may be: that of a short diff has closed by itself.
      if (before !== 'd') return 'quit'
      terminal.err(style.paint.meta('  No pager is open. Press q again to quit.'))
      return undefined
    case '?':
      for (const line of keyLines(allKeys(inbox.offer), style)) terminal.err(line)
      return undefined
    default:
      terminal.err(style.paint.meta(`  ${idleKeysInShort(style.columns - 2)}`))
      return undefined
  }
}

/** Those of an open offer first, and in the place of keys with the same letter. */
function allKeys(offer: Inbox['offer']): Keys {
  const offered = keysOf(offer?.offers ?? [])
  return [...offered, ...IDLE_KEYS.filter(([key]) => !offered.some(([known]) => known === key))]
}

async function showNewest({ project, system }: Pressing): Promise<undefined> {
  const { terminal } = system
  const journal = await readJournal(project, system)
  if (journal.countKept() === 0) return sayNone(terminal)
  const { entry } = await chosenEntry(undefined, { journal, layout: layoutOf(project.root, system.files) })
  const { columns, paint, sign } = styleOf(terminal)
  terminal.err(paint.strong(cutLine(`#${entry.number} ${visibleLine(titleOfEntry(entry))}`, columns, sign.cut)))
  await pageDiff(changesOf(entry), terminal)
}

/** As much as stands above the rest of the screen. */
const mostListed = 10

/** On stderr, like all that a watcher tells people: stdout may be a program's. */
async function list({ project, system }: Pressing): Promise<undefined> {
  const { terminal, clock } = system
  const journal = await readJournal(project, system)
  const rows = await newestRows(mostListed, journal, layoutOf(project.root, system.files))
  if (rows.length === 0) return sayNone(terminal)
  for (const line of logTable(rows, styleOf(terminal), clock.now())) terminal.err(line)
}

function sayNone(terminal: Terminal): undefined {
  terminal.err('Nothing was kept here yet.')
}
