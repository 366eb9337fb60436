import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Step } from '../../model/talk.ts'
import { inFlight } from '../disk/in-flight.ts'
import { isGone } from '../disk/is-gone.ts'
import { makeMark } from '../disk/mark.ts'
import type { Move } from '../entry/moves.ts'
import type { Layout } from './layout.ts'

/**
 * The folder in which one transaction keeps what it needs while it runs: new files before they are swapped in, old
 * ones after they were taken out, and notes that tell a recovery how far it came.
 */
export interface Stage {
  readonly layout: Layout
  readonly uuid: string
  readonly folder: string
  /** The new file of a move, until it is in its place. */
  fresh(move: Kept): string
  /** The old file of a move: the old inode itself. */
  old(move: Kept): string
  /** A file that a rollback took out of the place, or found in the stage, and has to judge. */
  gone(move: Kept): string
  /** A copy of the old content, made from the entry if the old inode is missing. */
  remade(move: Kept): string
  /** A file that the user edited, without the change: a rollback makes it. */
  merged(move: Kept): string
  /** A text on its way to being the pending entry, the ended one, or another file of the journal's. */
  readonly draft: string
  /** Exists once every new file is staged: before that, nothing in the project has been touched. */
  readonly staged: string
  /**
   * Exists in a stage that was made again: its contents are lost, and only the places show how far the transaction
   * came.
   */
  readonly lost: string
  /** The last command that was started. */
  readonly command: string
  /** The states of the patch's files after the commands. */
  readonly written: string
  /** A question that was left open. */
  readonly question: string
  /** The same question while its answer changes the project: the transaction is no longer open. */
  readonly answered: string
  output(step: Step): string
}

/** Which move a file in the stage belongs to; on another file system it is kept beside the move's place instead. */
type Kept = Pick<Move, 'key' | 'aside'>

/** Reads nothing from the disk. */
export function stageOf(layout: Layout, uuid: string): Stage {
  const folder = layout.stage(uuid)
  const keep =
    (what: string) =>
    ({ key, aside }: Kept) =>
      aside === undefined
        ? join(folder, `${what}.${key}`)
        : join(layout.root, aside, `.relay-${uuid.slice(0, 8)}.${what}.${key}`)
  return {
    layout,
    uuid,
    folder,
    fresh: keep('new'),
    old: keep('old'),
    gone: keep('gone'),
    remade: keep('remade'),
    merged: keep('merged'),
    draft: join(folder, 'draft'),
    staged: join(folder, 'staged'),
    lost: join(folder, 'lost'),
    command: join(folder, 'command.json'),
    written: join(folder, 'written.json'),
    question: join(folder, 'question.json'),
    answered: join(folder, 'answered.json'),
    output: step => join(folder, `${step}.txt`),
  }
}

/**
 * Makes a stage again that somebody has removed together with the originals: from then on only the entry is left. It
 * happens in one step, for a stage without its marks says that nothing has been touched.
 */
export async function remakeStage(stage: Stage): Promise<void> {
  const { files } = stage.layout
  if (!(await isGone(stage.folder, files))) return
  const made = `${stage.folder}.new`
  await files.makeFolder(made, 0o700)
  for (const mark of [stage.lost, stage.staged]) await makeMark(join(made, basename(mark)), files, 'name')
  await files.rename(made, stage.folder)
}

/** Call this when files of the project are changed: a stage without its mark would say that nothing was touched. */
export async function mendStage(stage: Stage): Promise<void> {
  const { files } = stage.layout
  await remakeStage(stage)
  if ((await files.stat(stage.staged)) !== null) return
  for (const mark of [stage.lost, stage.staged]) await makeMark(mark, files, 'name')
}

/** An unfinished transaction has a stage, unless somebody has removed it. */
export async function isStageLost({ folder, lost, layout }: Stage): Promise<boolean> {
  return (await layout.files.stat(lost)) !== null || (await isGone(folder, layout.files))
}

/** After `git clean -X` nothing can be noted, and the entries of earlier changes are gone as well. */
export function removedStage(meanwhile: string, advice: string): RelayError {
  return new RelayError(
    'usage',
    `What relay keeps in .relaycode/ was removed while ${meanwhile}: relay needs it to roll back`,
    {
      hint: `${advice} \`git clean -x -e .relaycode\`.`,
    },
  )
}

export async function removeAsides(stage: Stage, moves: readonly Move[]): Promise<void> {
  for (const move of moves) {
    if (move.aside === undefined) continue
    for (const what of [stage.fresh, stage.old, stage.gone, stage.remade, stage.merged]) {
      await stage.layout.files.remove(what(move))
    }
  }
}

export async function filesIn({ folder, layout: { files } }: Stage): Promise<readonly string[]> {
  return ((await files.list(folder)) ?? []).map(name => join(folder, name))
}

/** Removes a transaction's stage; harmless when it is gone already. The mark that it had begun goes last. */
export async function removeStage(stage: Stage): Promise<void> {
  const { folder, staged, layout } = stage
  const { files } = layout
  const names = await filesIn(stage)
  const others = names.filter(path => path !== staged)
  await inFlight(others, path => files.remove(path))
  if (names.includes(staged)) await files.remove(staged)
  await files.removeFolder(folder)
}
