import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { count } from '../report/count.ts'
import { describeSize } from '../report/describe-size.ts'
import { describeAge } from '../report/describe-time.ts'
import { layoutOf } from '../transact/layout.ts'
import { withLock } from '../transact/lock.ts'
import { choosePrunable, listEntries, type PruneRules, prune as pruneEntries } from '../transact/prune.ts'
import { ensureStateFolder } from '../transact/state-folder.ts'
import { ages, amount, sizes } from './read-amount.ts'
import { createTalk } from './talk.ts'

export interface PruneOptions {
  readonly keep?: string
  readonly olderThan?: string
  readonly maxSize?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `relay prune`: removes old entries from the journal, never the newest, after a question. */
export async function prune(system: System, options: PruneOptions): Promise<number> {
  const rules = rulesOf(options)
  const { project } = await loadProject(system)
  const { terminal, files, clock } = system
  const layout = layoutOf(project.root)
  await ensureStateFolder(layout, files)
  return withLock(layout, system, createTalk(system), async () => {
    const entries = await listEntries(layout, files)
    const chosen = choosePrunable(entries, rules, clock.now())
    const bytes = chosen.reduce((sum, entry) => sum + entry.bytes, 0)
    const [newest, oldest] = [chosen.at(0), chosen.at(-1)]
    if (newest === undefined || oldest === undefined) {
      terminal.err(`Nothing to remove: ${count(entries.length, 'entry', 'entries')} kept.`)
      return 0
    }
    const which = newest === oldest ? `#${newest.number}` : `#${oldest.number} to #${newest.number}`
    const what = `${count(chosen.length, 'entry', 'entries')} of ${entries.length} (${which}, ${describeSize(bytes)})`
    terminal.err(
      `The newest of them is from ${describeAge(newest.at, clock.now())}. What they changed stays; undoing it from the journal will not be possible.`,
    )
    if (options.dryRun === true) {
      terminal.err(`Would remove ${what}.`)
      return 0
    }
    if (options.yes !== true && !(await isConfirmed(`Remove ${what}? (y/n)`, system))) return 3
    await pruneEntries(chosen, layout, files)
    terminal.err(`Removed ${what}.`)
    return 0
  })
}

async function isConfirmed(question: string, { terminal }: System): Promise<boolean> {
  for (;;) {
    const typed = await terminal.ask(question)
    if (typed === undefined)
      terminal.err('This needs an answer, and nobody could be asked: nothing was removed. Add --yes.')
    const key = typed?.trim().toLowerCase()
    if (key === 'y' || key === 'yes') return true
    if (key === undefined || key === 'n' || key === 'no') return false
    terminal.err('  y removes them, n leaves everything as it is')
  }
}

function rulesOf({ keep, olderThan, maxSize }: PruneOptions): PruneRules {
  if (keep === undefined && olderThan === undefined && maxSize === undefined) {
    throw new RelayError('usage', 'Say what may go: --keep, --older-than or --max-size', {
      hint: 'For example `relay prune --keep 200 --dry-run`.',
    })
  }
  return {
    ...(keep === undefined ? {} : { keep: amount('--keep', keep, { '': 1 }, '200') }),
    ...(olderThan === undefined ? {} : { olderThanMs: amount('--older-than', olderThan, ages, '30d') }),
    ...(maxSize === undefined ? {} : { maxBytes: amount('--max-size', maxSize, sizes, '100MB') }),
  }
}
