import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { TurnEnd } from '../../model/agent.ts'
import type { Book } from '../../model/book.ts'
import type { Project } from '../../model/project.ts'
import { type Session, type SessionError, type SessionErrorKind, shortId } from '../../model/session.ts'
import type { WorkEnd, WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { requireInCommit } from '../checkout/branch-checkout.ts'
import { makeClone, startOf } from '../checkout/clone.ts'
import { usersGitAt } from '../checkout/git.ts'
import { hideSecrets } from '../checkout/secrets.ts'
import { uncommittedIn } from '../checkout/users-branches.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'
import { delegationEnvelope } from '../envelope/delegation-envelope.ts'
import { type Origin, readOrigin } from '../ship/origin.ts'
import { type Missing, prPreflight, pullRequestTitle } from '../ship/pull-request.ts'
import type { Begun, Errand, LastWords, Telling } from '../work/errand.ts'
import { landOnBranch } from '../work/land-branch.ts'
import { firstLine } from './names.ts'
import { sessionBook } from './session-book.ts'
import { readSession, writeSession } from './session-file.ts'
import { dropClone, interrupted, type KnownSession, workKeyOf } from './sessions.ts'
import { shipSession } from './ship-session.ts'

/** The top of the repository around a folder. Throws `usage` where there is no such folder, or it is in no repository. */
export async function repositoryTop(folder: string, system: System): Promise<{ top: string; folder: string }> {
  const real = await system.files.realPath(folder)
  const found = real === null ? null : await system.files.stat(real)
  if (real === null || found?.kind !== 'folder') throw new RelayError('usage', `There is no folder ${folder}`)
  const repository = await findUsersRepository(real, system)
  if (repository !== undefined) return { top: repository.top, folder: real }
  throw new RelayError('usage', `${folder} is not in a git repository`, { hint: 'Name one with `--git-dir`.' })
}

/** What a repository lacks for a pull request, checked before any agent is paid for. */
export async function missingForPullRequest(root: string, system: System): Promise<readonly Missing[]> {
  return prPreflight(await readOrigin(root, system), system)
}

/** The start of a session's branch, compared with the user's folder. */
interface Beginning {
  /** A commit. */
  readonly start: string
  /** Those of the named files that differ from the user's folder. */
  readonly different: readonly string[]
  /** Uncommitted paths in the user's folder: the branch will not have these changes. */
  readonly uncommitted: readonly string[]
  /** The number of commits in the branch that are on no known branch of `origin`. */
  readonly unpushed: number
}

export async function beginningOf(
  {
    root,
    base,
    names,
  }: { readonly root: string; readonly base: string | undefined; readonly names: readonly string[] },
  system: System,
): Promise<Beginning> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined) throw new RelayError('usage', `${root} is not in a git repository`)
  const { gitDir, top } = repository
  const start = await startOf(base, repository, system)
  await requireInCommit(root, start, repository, system)
  const git = usersGitAt(gitDir, '/', system)
  const places = [...new Set(['', insideOf(top, root) ?? ''])]
  const wanted = places.flatMap(place => names.map(name => join(place, name)))
  const tree = wanted.length === 0 ? '' : await git(['ls-tree', '-r', '-z', '--name-only', start, '--', ...wanted])
  const paths = tree.split('\0').filter(Boolean)
  const different: string[] = []
  for (const path of paths) {
    const there = await git(['cat-file', 'blob', `${start}:${path}`])
    const here = await system.files.read(join(top, path)).catch(() => null)
    if (here === null || lines(new TextDecoder().decode(here)) !== lines(there)) different.push(path)
  }
  const uncommitted = await uncommittedIn(top, gitDir, system)
  const knowsOrigin = (await git(['for-each-ref', '--count=1', 'refs/remotes/origin/'])) !== ''
  const unpushed = knowsOrigin ? Number(await git(['rev-list', '--count', start, '--not', '--remotes=origin'])) : 0
  return { start, different, uncommitted, unpushed }
}

/** Ignores line endings and whitespace at the end of the text. */
function lines(text: string): string {
  return text.replaceAll('\r', '').trimEnd()
}

export function titleOfSession({ instructions }: Pick<Session, 'instructions'>): string {
  return pullRequestTitle(firstLine(instructions))
}

/** The size in bytes of the envelope for a session's first attempt. */
export function bytesOfSession(session: Session): number {
  return Buffer.byteLength(delegationEnvelope(session, { attempt: 1, before: [], isResumed: false }))
}

/** One session that this relay run works on. No other run writes its state. */
export class Delegation implements Errand {
  readonly isHere = false
  readonly commits = true
  readonly #known: KnownSession
  readonly #project: Project
  readonly #system: System
  readonly #origin: Origin | undefined
  #error: SessionError | undefined
  /** How the last turn ended. */
  #last: TurnEnd['status'] | undefined

  private constructor(known: KnownSession, project: Project, origin: Origin | undefined, system: System) {
    this.#known = known
    this.#project = project
    this.#origin = origin
    this.#system = system
  }

  /** Opens a session. Reads `origin` before any agent runs, so that no agent can change where the work is pushed. */
  static async open(known: KnownSession, project: Project, system: System): Promise<Delegation> {
    return new Delegation(known, project, await readOrigin(project.root, system), system)
  }

  async read(): Promise<Session> {
    return (await readSession(this.#known.folder, this.#system)) ?? this.#known.session
  }

  async note(news: Partial<Session>): Promise<Session> {
    const session = { ...(await this.read()), ...news }
    const told = session.summary === undefined ? {} : { summary: hideSecrets(session.summary, this.#system.env) }
    await writeSession(this.#known.folder, { ...session, ...told }, this.#system)
    return session
  }

  /** Makes or finds the clone. */
  async begin({ note }: Telling): Promise<Begun> {
    const { session, folder } = this.#known
    const { branch, start } = session
    const clone = await makeClone({ root: this.#project.root, base: start, branch, folder }, this.#system)
    const place = { branch, ...clone }
    const onInstructions = (paths: readonly string[]) => note(`it changed what agents go by: ${paths.join(', ')}`)
    const startedAt = session.startedAt ?? this.#system.clock.now().toISOString()
    await this.note({ status: 'working', startedAt })
    return {
      book: this.#book(),
      placeFor: landing => ({
        ...landOnBranch(this.#project, place, landing, onInstructions),
        ship: () => this.#ship(),
      }),
    }
  }

  #book(): Book {
    const { session } = this.#known
    const title = titleOfSession(session)
    return sessionBook({
      word: shortId(session),
      key: workKeyOf(session),
      title,
      message: pullRequestTitle(`feat: ${title}`),
      envelope: facts => delegationEnvelope(session, facts),
      read: () => this.read(),
      note: async news => {
        await this.note(news)
      },
    })
  }

  hear(event: WorkEvent): void {
    if (event.kind === 'turn-ended') this.#last = event.end.status
  }

  async #ship() {
    const session = await this.read()
    const { branch } = session
    if (session.commit === undefined) {
      this.#error = {
        kind: 'agent',
        message: 'Nothing is left of what the agent changed',
        hint: retryHint(session, 'Say more closely what is to change'),
      }
      return { kind: 'left', branch, why: this.#error.message } as const
    }
    const ship = {
      folder: this.#known.folder,
      origin: this.#origin,
      title: titleOfSession(session),
      config: this.#project.config,
      note: (news: Partial<Session>) => this.note(news),
    }
    const { shipped, error } = await shipSession(session, ship, this.#system)
    this.#error = error && { ...error, hint: `${error.hint} Then: \`relay delegate retry ${shortId(session)}\`.` }
    return shipped
  }

  /** Records how a run ended. Removes the clone after a good end. */
  async ended(end: WorkEnd): Promise<LastWords> {
    const error = end.stopped.kind === 'all-done' ? this.#error : errorOf(end, this.#last, this.#known.session)
    if (error === undefined) {
      await this.note({ status: 'completed', error: undefined, ...this.#over() })
      // A clone that cannot be removed now is removed at the next start.
      await dropClone(this.#known.folder, this.#system).catch(() => undefined)
    } else await this.#failed(error)
    return { notes: [] }
  }

  /** Records that a run ended with an error. The work stays for a retry. */
  async broke(thrown: unknown): Promise<Session> {
    const { interruption, env } = this.#system
    if (interruption.aborted) return this.#failed(interrupted(this.#known.session))
    const { message, hint, kind } =
      thrown instanceof RelayError ? thrown : { message: String(thrown), hint: undefined, kind: 'failed' }
    return this.#failed({
      kind: kind === 'agent' || kind === 'declined' ? 'agent' : 'git',
      message: hideSecrets(message, env),
      hint: retryHint(this.#known.session, hint === undefined ? '' : hideSecrets(hint, env)),
    })
  }

  #failed(error: SessionError): Promise<Session> {
    return this.note({ status: 'error', error, ...this.#over() })
  }

  #over() {
    return { endedAt: this.#system.clock.now().toISOString(), owner: undefined }
  }
}

/** What became of a session whose run is over; `undefined`: all went well. */
export function errorOf(
  { stopped, tasks }: WorkEnd,
  last: TurnEnd['status'] | undefined,
  session: Session,
): SessionError | undefined {
  const failed = tasks.map(({ result }) => result).find(({ kind }) => kind === 'failed')
  const byStatus: SessionErrorKind = last === 'auth' ? 'auth' : last === 'rate-limited' ? 'limit' : 'agent'
  switch (stopped.kind) {
    case 'all-done':
      return undefined
    case 'interrupted':
      return interrupted(session)
    case 'held':
      return { kind: 'agent', message: 'A question was left open', hint: retryHint(session) }
    case 'no-agent': {
      const first = stopped.isTold === true ? 'Look at `relay agents`' : 'Correct `checkout.setup`'
      return { kind: byStatus, message: stopped.why, hint: retryHint(session, first) }
    }
    case 'work-left': {
      if (failed?.kind !== 'failed') {
        return { kind: 'limit', message: stopped.why, hint: retryHint(session, 'Wait, or give it more') }
      }
      const kept = failed.kept === undefined ? '' : `Its work is kept: \`relay apply --kept ${failed.kept}\``
      return { kind: byStatus, message: failed.why, hint: retryHint(session, kept, failed.option) }
    }
  }
}

function retryHint(session: Pick<Session, 'id'>, first = '', option = ''): string {
  const before = first === '' ? 'To try again' : `${first.replace(/\.$/, '')}. Then`
  return `${before}: \`relay delegate retry ${`${shortId(session)} ${option}`.trim()}\`.`
}
