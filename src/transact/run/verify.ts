import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { mendsFiles } from '../../ground/mends-files.ts'
import { scriptsFor, scriptsRunBy } from '../../ground/package-scripts.ts'
import type { Check, Checks } from '../../model/check.ts'
import { lintersOf } from '../../model/linters-of.ts'
import type { CommandEnd } from '../../model/talk.ts'
import { inFlight } from '../disk/in-flight.ts'
import { hashAfter, type Move } from '../entry/moves.ts'
import { syncTouched } from '../execute/sync.ts'
import type { Layout } from '../layout/layout.ts'
import { forgetWritten, noteWritten } from '../layout/stage-notes.ts'
import { changedBetween, differences, hashesIn, hashIn, lookAt, type Places } from '../survey/places.ts'
import { isSameOrReformatted } from '../survey/reformatted.ts'
import { interrupted, type RollBack, rollBackBecause } from '../work/decision.ts'
import type { Running } from '../work/work.ts'
import { editsOf } from './edits-of.ts'
import { runProjectCommand } from './project-command.ts'
import { runLinter } from './run-linter.ts'

/** The checks of a patch, and its files since then. */
export interface Result {
  readonly kind: 'result'
  readonly checks: Checks
  readonly post: CommandEnd | undefined
  readonly places: Places
  /** The files that the user changed while the linter ran, as the commands had left them. */
  readonly left: Places
}

/**
 * Runs the post command and the linter, and then reads the files: from here on, any other content is a user's edit.
 *
 * @param again a repeated run, which makes the note of the earlier one void
 */
export async function verify(
  moves: readonly Move[],
  before: Check,
  work: Running,
  again = false,
): Promise<RollBack | Result> {
  const { job, layout, stage, talk } = work
  if (again) await forgetWritten(stage)
  const post = interrupted(work) === undefined ? await runProjectCommand('post', work, moves) : undefined
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  if (post !== undefined && !post.ok && !talk.present)
    return rollBackBecause({ kind: 'command', step: 'post', end: post })
  const { postCommand } = job.project.config
  const linters = lintersOf(job.project.config)
  const linted =
    linters.length === 0
      ? await unlinted(moves, before, work)
      : await lint(moves, before, work, await lookAt(moves, layout))
  if (linted.kind === 'back') return linted
  const { check: after, comparison, places, left } = linted
  if (again || linters.length > 0 || postCommand.trim() !== '') await secure(moves, places, work)
  return { kind: 'result', checks: { before, after, comparison }, post, places, left }
}

const noPlaces: Places = new Map()

type Linted = Exclude<Awaited<ReturnType<typeof runLinter>>, RollBack> & Pick<Result, 'places' | 'left'>

async function unlinted(moves: readonly Move[], before: Check, work: Running): Promise<RollBack | Linted> {
  const lint = await runLinter('lint', before, work)
  return lint.kind === 'back' ? lint : { ...lint, places: await lookAt(moves, work.layout), left: noPlaces }
}

/**
 * Runs the linter over files of which a look is known, and looks at them again.
 *
 * Where no user edits, nobody guesses who changed a file meanwhile: it is checked once more as it is then, and one that
 * changes again is a no.
 */
async function lint(
  moves: readonly Move[],
  before: Check,
  work: Running,
  checked: Places,
  isLast = false,
): Promise<RollBack | Linted> {
  const found = await runLinter('lint', before, work, editsOf(moves, checked))
  if (found.kind === 'back') return found
  const places = await lookAt(moves, work.layout)
  if (work.job.isAlone !== true) return { ...found, places, left: await leftBefore(checked, places, work) }
  const paths = changedBetween(checked, places)
  if (paths.length === 0) return { ...found, places, left: noPlaces }
  if (!isLast) return lint(moves, before, work, places, true)
  const checks = { before, after: found.check, comparison: found.comparison }
  const error = new RelayError('agent', `${paths.join(', ')} changed while it was checked`)
  return rollBackBecause({ kind: 'failed', error }, { checks })
}

/**
 * The files that the user changed while the linter ran, as they were before. If the linter changes files itself, nobody
 * can tell whose work a change is, and none counts as the user's.
 */
async function leftBefore(checked: Places, places: Places, { job, layout, talk }: Running): Promise<Places> {
  const paths = editedBetween(checked, places)
  if (paths.length === 0) return noPlaces
  const isMended = await linterMends(lintersOf(job.project.config), layout)
  talk.report({ kind: 'edited', paths, whileChecked: isMended ? 'by-whomever' : 'by-user' })
  const isLeft = new Set(isMended ? [] : paths)
  return new Map([...checked].filter(([path]) => isLeft.has(path)))
}

/** The linter's command, or a script that it runs, says that it changes files (`--fix`). */
async function linterMends(linters: readonly string[], { root, files }: Layout): Promise<boolean> {
  const all = await scriptsFor(linters, root, files)
  const scripts = linters.flatMap(linter => scriptsRunBy(linter, all))
  return [...linters, ...scripts.map(([, text]) => text)].some(mendsFiles)
}

/** Without the files in which only a formatter's changes differ. */
function editedBetween(before: Places, after: Places): readonly string[] {
  return differences(hashesIn(before), hashesIn(after)).filter(path => {
    return !isSameOrReformatted(path, before.get(path) ?? null, after.get(path) ?? null)
  })
}

/** Notes the states of the files, and syncs the files that relay did not write itself. */
export async function secure(moves: readonly Move[], places: Places, { job, layout, stage }: Running): Promise<void> {
  await noteWritten(stage, hashesIn(places))
  // Formatters do not sync their files, and a post command may have written the same content again.
  const formats = job.project.config.postCommand.trim() !== ''
  const rewritten = formats ? moves : moves.filter(move => hashIn(places, move.path) !== hashAfter(move))
  await inFlight(rewritten, async ({ path, target }) => {
    if (hashIn(places, path) !== null) await layout.files.sync(join(layout.root, target))
  })
  if (rewritten.length > 0) await syncTouched(rewritten, [], stage)
}
