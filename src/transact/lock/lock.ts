import { join, relative } from 'node:path'
import { RelayError } from '../../errors.ts'
import { isShape, isText, isWhole, maybe } from '../../ground/json.ts'
import { machineName } from '../../ground/words.ts'
import { type AskedChange, askedWords } from '../../model/asked-change.ts'
import type { ProcessMark, Shell, System, Talk } from '../../ports.ts'
import { makeMark } from '../disk/mark.ts'
import { readNote } from '../disk/note.ts'
import type { Layout } from '../layout/layout.ts'
import { findOwners } from './owner-marks.ts'
import { type OwnerFile, ownerFiles, ownerName } from './owner-name.ts'

const lookAgainMs = 100
const sayAfterMs = 300
const usualPatience = 60_000

type Waiting = Pick<System, 'shell' | 'clock' | 'interruption' | 'randomUuid' | 'env'>

/**
 * Does one piece of work while no other relay works in the project.
 *
 * Every owner makes a file with a name of its own, then looks for others: an owner that is not alone steps back and
 * tries again. The name holds the process, its start time and its machine, so the file of a dead owner counts for
 * nothing, and anyone can remove it: its name is never used again. (One shared pid file that others may break when it
 * looks stale is the well-known broken way.)
 *
 * @param patience how long another owner is waited for, in milliseconds
 */
export async function withLock<T>(
  layout: Layout,
  system: Waiting,
  talk: Pick<Talk, 'report'>,
  work: () => Promise<T>,
  patience = usualPatience,
): Promise<T> {
  const mine = await takeLock(layout, system, talk, patience)
  try {
    return await work()
  } finally {
    // A lock that cannot be removed dies with this process.
    await layout.files.remove(mine).catch(() => undefined)
  }
}

/** Waits until nobody else is at work; answers the file that says that this process is. */
async function takeLock(
  layout: Layout,
  system: Waiting,
  talk: Pick<Talk, 'report'>,
  patience: number,
): Promise<string> {
  const { clock, shell, interruption, env } = system
  await layout.files.makeFolder(layout.locks, 0o700)
  const self = await shell.self()
  const mine = join(layout.locks, ownerName(self, system.randomUuid()))

  const began = clock.monotonic()
  let said: string | undefined
  let asked: string | undefined
  for (;;) {
    const other = await tryLock(self, mine, layout, shell)
    if (other === undefined) return mine
    const waited = clock.monotonic() - began
    const isNew = other.path !== asked
    if (isNew && other.life === 'alive' && (await shell.hasStartedThis(other.mark))) throw isWaitedFor(other, env)
    asked = other.path
    const question = waited >= sayAfterMs ? await questionOf(other, layout, shell) : undefined
    if (interruption.aborted || waited > patience) throw isBusy(other, question, layout)
    if (waited >= sayAfterMs) said = sayWaiting(other, question, said, talk)
    await clock.sleep(lookAgainMs * (0.5 + Math.random()), interruption)
  }
}

/** Says it again when the other begins to ask: then it waits for the user, who waits for it. */
function sayWaiting(
  other: Owner,
  question: AskedChange | undefined,
  said: string | undefined,
  talk: Pick<Talk, 'report'>,
): string {
  const words = question === undefined ? 'busy' : askedWords(question)
  if (said === undefined || (question !== undefined && said !== words)) {
    talk.report({ kind: 'waiting', owner: nameOf(other), ...(question !== undefined && { question }) })
  }
  return words
}

/** Makes this process's file if nobody else is at work. Otherwise answers the other owner, and leaves no file. */
async function tryLock(self: ProcessMark, mine: string, layout: Layout, shell: Shell): Promise<Owner | undefined> {
  const { files } = layout
  const before = await liveOwner(layout, shell, self, mine)
  if (before !== undefined) return before
  // An error message names this short path instead of the long name.
  await makeMark(mine, files, false, { standsFor: join(layout.locks, String(self.pid)) })
  const since = await liveOwner(layout, shell, self, mine).catch(async error => {
    await files.remove(mine)
    throw error
  })
  if (since !== undefined) await files.remove(mine)
  return since
}

/** Removes no file, not even a dead owner's. */
export async function ownerAtWork({ locks, files }: Layout, shell: Shell): Promise<ProcessMark | undefined> {
  for (const { mark } of await ownerFiles(locks, files)) {
    if ((await shell.lifeOf(mark)) !== 'dead') return mark
  }
  return undefined
}

interface Owner extends OwnerFile {
  readonly life: 'alive' | 'unseen'
}

/**
 * Another owner that is not known to be dead, if there is one; removes the files of dead owners. An owner that cannot
 * be seen from here, in another container or on another machine, may be in the middle of a change, however long it is
 * silent (a closed laptop, a Ctrl+Z): only a person can know that it is not.
 */
async function liveOwner(
  { locks, files }: Layout,
  shell: Shell,
  self: ProcessMark,
  mine: string,
): Promise<Owner | undefined> {
  for (const { path, mark } of await ownerFiles(locks, files)) {
    if (path === mine) continue
    // One process does one piece of work at a time: its other file is one that it could not remove.
    const life = isSame(mark, self) ? 'dead' : await shell.lifeOf(mark)
    if (life !== 'dead') return { path, mark, life }
    await files.remove(path)
  }
  return undefined
}

/** What an owner asks its user about; `undefined`: it asks nothing. */
async function questionOf({ mark }: Owner, { askers, files }: Layout, shell: Shell): Promise<AskedChange | undefined> {
  const asker = (await findOwners(askers, files, shell).catch(() => [])).find(each => isSame(each.mark, mark))
  if (asker === undefined) return undefined
  const note = await readNote(asker.path, files).catch(() => undefined)
  return isAskedChange(note) ? note : {}
}

const isAskedChange = isShape<AskedChange>({ number: maybe(isWhole), title: maybe(isText) })

function isSame(one: ProcessMark, other: ProcessMark): boolean {
  return ownerName(one, '') === ownerName(other, '')
}

function nameOf({ mark, life }: Owner): string {
  const machine = machineName(mark.machine)
  return `process ${mark.pid}${life === 'unseen' && machine !== '' ? ` on ${machine}` : ''}`
}

/** For instance a post command that runs `relay apply`: each would wait for the other. */
function isWaitedFor(owner: Owner, env: System['env']): RelayError {
  // In a hook of git: see `committerFor`.
  if (env['RELAY_PHASE'] === 'commit') {
    const message = `relay is committing #${env['RELAY_NUMBER']}, and this one runs in a hook of that commit`
    return new RelayError('environment', message, { hint: 'Run it when the commit is made.' })
  }
  const message = `The relay that works in this project (${nameOf(owner)}) started this one, and waits for it to end`
  return new RelayError('environment', message, {
    hint: 'Run it when the other relay is done. From a command of relay, only commands that change nothing work, such as `relay status`.',
  })
}

function isBusy(owner: Owner, question: AskedChange | undefined, layout: Layout): RelayError {
  if (question !== undefined) {
    return new RelayError('environment', `${askedWords(question)} in another window (${nameOf(owner)})`, {
      hint: 'Answer it there; then try again.',
    })
  }
  if (owner.life === 'alive') {
    return new RelayError('environment', `Another relay (${nameOf(owner)}) is working in this project`, {
      hint: 'Wait until it is done, answer its question, or, if Ctrl+Z stopped it, continue it with `fg`; then try again.',
    })
  }
  const message = `A relay in another container or on another machine (${nameOf(owner)}) works in this project, or was stopped there`
  return new RelayError('environment', message, {
    hint: `Wait until it is done. If you know that it no longer runs, remove its lock: \`rm ${relative(layout.root, owner.path)}\``,
  })
}
