import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { CommandResult } from '../../model/check.ts'
import type { PathState } from '../../model/plan.ts'
import type { CheckoutSettings } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import { beginAgentsRepository, fillAgentsRepository } from './agents-repository.ts'
import { agentsSubject } from './agents-subject.ts'
import { commitFacts, giveObjects, makeCommit, moveBranch } from './branch-commit.ts'
import {
  type Checkout,
  type CheckoutParts,
  leftCheckout,
  noSettings,
  noteOf,
  OwnCheckout,
  realPathOf,
} from './checkout.ts'
import type { Landed, Landing } from './checkout-note.ts'
import { layDependencies } from './dependencies.ts'
import { endLeftGit } from './end-left-git.ts'
import { submodule } from './folder-tree.ts'
import { usersGitAt } from './git.ts'
import { bringOver } from './old-worktree.ts'
import { openPrivateRepository, type PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { removeAll } from './remove-all.ts'
import { isLockFile, type RunSetup, readMade, setUp } from './set-up.ts'
import { dropUntracked, isTool, prefixesOf } from './tools.ts'
import { commitAt, mustBeBranch, requireMovable, tipOf } from './users-branches.ts'
import { findUsersRepository, type UsersRepository } from './users-repository.ts'

/** The branch that an agent works for. */
export interface BranchOfWork {
  /** The project's root in the user's folder. */
  readonly root: string
  readonly branch: string
  /** Where a new branch begins: a branch or a commit. By default the user's HEAD. */
  readonly from?: string | undefined
  /** The repository of the branch. By default the one around `root`. */
  readonly repository?: UsersRepository | undefined
}

export interface BranchOptions {
  /** The configured setup, links and copies. */
  readonly settings?: CheckoutSettings
  /** Ends the transaction that an earlier relay run left open while it judged the work. Gets the project's folder there. */
  readonly endJudgement?: (cwd: string) => Promise<void>
}

/** A checkout of the tip of a branch. Accepted work becomes the next commit of that branch, which is checked out nowhere. */
export interface BranchCheckout extends Checkout {
  /** The commit that the work starts from: the tip of the branch. */
  readonly start: string
  /**
   * The first line of the last commit that the agent made by itself. Works only while the agent has its own repository there.
   */
  agentsSubject(): Promise<string | undefined>
  /** The finished landing with this uuid, from this relay run or an earlier one. */
  landed(uuid: string): Landed | undefined
  /**
   * Starts a landing: takes the agent's work as a tree, and resets the files to the start, so that the work can be judged, with
   * a repository that no agent has touched. Where an earlier relay run already agreed to the same work, gives that landing and
   * resets nothing.
   */
  beginLanding(uuid: string): Promise<Landing>
  /**
   * Makes the checkout of a begun landing ready for the checks: whatever an agent put where git does not look and a command
   * finds its programs is gone, and what belongs there is laid anew from the user's folder. What `checkout.setup` made is made
   * again where anything of it has changed, or where the work changes a lock file; then gives how the command ended.
   *
   * Other files that git ignores, such as build output, stay, unless `checkout.fresh` is set.
   */
  freshen(run: RunSetup): Promise<CommandResult | undefined>
  /**
   * Records what was accepted, and gives the tree to commit: the start with exactly these states. Reads no file of the
   * checkout. Paths are relative to the project.
   */
  agree(accepted: ReadonlyMap<string, PathState>, outcome: Outcome): Promise<string>
  /**
   * Makes the tree the next commit of the branch and continues from there. Drops everything else in the checkout except files
   * that git ignores. Where the branch has moved since, gives `undefined`, and the work is back in the checkout. Throws
   * `environment` where the branch is checked out now.
   */
  commit(tree: string, message: string): Promise<string | undefined>
  /** Restores the agent's work, so that the agent can continue. */
  goOn(): Promise<void>
}

/**
 * Opens a checkout of a branch in relay's folder, and makes the branch where it is missing. Work that an agent did before an
 * earlier relay run stopped is still there. Throws `environment` where the branch is checked out.
 *
 * The files have git's bytes: nothing is converted on the way in or out, whatever the user's settings and attributes say. So a
 * commit changes no byte of a file that the agent left alone.
 */
export async function openBranchCheckout(
  place: BranchOfWork & { readonly folder: string },
  system: Doors,
  { settings = noSettings, endJudgement = async () => {} }: BranchOptions = {},
): Promise<BranchCheckout> {
  const root = await realPathOf(place.root, system)
  const folder = await realPathOf(place.folder, system)
  const repository = place.repository ?? (await findUsersRepository(root, system))
  if (repository === undefined) {
    throw new RelayError('usage', `${root} is not in a git repository, and a branch needs one`, {
      hint: 'Run `git init`.',
    })
  }
  const { branch } = place
  await endLeftGit(folder, system)
  await bringOver({ root, folder }, repository, system)
  const [there] = await Promise.all([tipOf(branch, repository, system), mustBeBranch(branch, repository, system)])
  const tip = there ?? (await commitAt(place.from ?? 'HEAD', repository, system))
  await requireInCommit(root, tip, repository, system)
  if (there === undefined) await makeBranch(branch, tip, repository, system)
  else await requireMovable(branch, repository, system)
  const facts: BranchFacts = { branch, repository, endJudgement }
  const readStart = async (own: PrivateRepository) => {
    const commit = await mustHaveTip(branch, repository, system)
    return { commit, tree: (await commitFacts(commit, own)).tree, leftOut: [] }
  }
  const left = await leftCheckout({ root, folder }, system)
  if (left !== undefined) {
    const checkout = new OwnBranchCheckout({ ...left, readStart, isLeft: true, settings }, facts, system)
    await checkout.reopen()
    return checkout
  }
  const own = await openPrivateRepository({ root, folder }, repository, system)
  const note = noteOf(own, await readStart(own))
  const checkout = new OwnBranchCheckout({ own, note, readStart, isLeft: false, settings }, facts, system)
  await checkout.make()
  return checkout
}

async function makeBranch(branch: string, at: string, { gitDir }: UsersRepository, system: Doors): Promise<void> {
  const create = `create refs/heads/${branch} ${at}\n`
  await usersGitAt(gitDir, '/', system)(['update-ref', '-m', 'branch: Created by relay', '--stdin'], create)
}

async function mustHaveTip(branch: string, repository: UsersRepository, system: Doors): Promise<string> {
  const tip = await tipOf(branch, repository, system)
  if (tip === undefined) throw new RelayError('conflict', `The branch ${branch} is gone`)
  return tip
}

/**
 * Throws `usage` where the commit lacks the project's folder, or contains a submodule: to commit one, git would look into it.
 */
export async function requireInCommit(
  root: string,
  commit: string,
  { gitDir, top }: UsersRepository,
  system: Doors,
): Promise<void> {
  const git = usersGitAt(gitDir, '/', system)
  const prefix = insideOf(top, root) ?? ''
  if (prefix !== '' && (await git(['ls-tree', '-d', commit, '--', prefix])) === '') {
    throw new RelayError('usage', `The folder ${prefix} is not in the branch`, { hint: 'Commit it first.' })
  }
  const all = await git(['ls-tree', '-r', '-z', commit])
  const path = all
    .split('\0')
    .find(entry => entry.startsWith(submodule))
    ?.replace(/^[^\t]*\t/, '')
  if (path === undefined) return
  throw new RelayError('usage', `${path} is another git repository, a submodule: on a branch relay cannot work with it`)
}

interface BranchFacts {
  readonly branch: string
  readonly repository: UsersRepository
  readonly endJudgement: (cwd: string) => Promise<void>
}

class OwnBranchCheckout extends OwnCheckout implements BranchCheckout {
  readonly #facts: BranchFacts

  constructor(parts: CheckoutParts, facts: BranchFacts, system: Doors) {
    super(parts, system)
    this.#facts = facts
  }

  get start(): string {
    const { commit } = this.note.start
    if (commit === undefined) throw new Error('A branch has a commit')
    return commit
  }

  override async reopen(): Promise<void> {
    const { landing, coming } = this.note
    if (landing === undefined || coming !== undefined) return super.reopen()
    await this.work.layRules(this.note.start.tree)
    await this.#facts.endJudgement(this.cwd)
    if (!(await this.#hasLanded(landing))) await this.goOn()
  }

  /** Whether the landing has reached the branch: an earlier relay run may have stopped after moving it, before noting that. */
  async #hasLanded({ uuid, agreed }: Landing): Promise<boolean> {
    if (agreed === undefined) return false
    const tip = await this.#tip()
    if (tip === this.start || !(await this.#isNext(tip, agreed.tree))) return false
    await this.#goOnFrom(tip, agreed.tree, { uuid, commit: tip, outcome: agreed.outcome })
    return true
  }

  async #isNext(commit: string, tree: string): Promise<boolean> {
    const facts = await commitFacts(commit, this.own)
    return facts.tree === tree && facts.parents.length === 1 && facts.parents[0] === this.start
  }

  agentsSubject(): Promise<string | undefined> {
    return agentsSubject(this.folder, this.own, this.system)
  }

  landed(uuid: string): Landed | undefined {
    return this.note.landed?.uuid === uuid ? this.note.landed : undefined
  }

  async beginLanding(uuid: string): Promise<Landing> {
    this.taken = undefined
    const work = await this.work.take()
    const known = this.note.landing
    if (known?.agreed !== undefined && known.uuid === uuid && known.work === work) return known
    const landing = { uuid, work }
    await this.write({ ...this.note, landing })
    // A journal in the checkout may come from the agent, and relay would trust it.
    await this.#dropJournal()
    await this.work.startFrom(this.note.start.tree, work)
    await this.#giveRepository('checks')
    return landing
  }

  async freshen(run: RunSetup): Promise<CommandResult | undefined> {
    const { landing } = this.note
    if (landing === undefined) throw new Error('No landing was begun')
    if (this.settings.setup.trim() === '') {
      await this.#renewTools([])
      return undefined
    }
    const { tree } = this.note.start
    const isOfWork = (await this.work.pathsBetween(tree, landing.work)).some(isLockFile)
    if (isOfWork) await this.work.putBack(landing.work)
    const result = await this.#setUp(run, true)
    if (isOfWork) await this.work.startFrom(tree, await this.work.take())
    if (result === undefined) await this.#dropStrangeTools()
    return result
  }

  override setUp(run: RunSetup): Promise<CommandResult | undefined> {
    this.taken = undefined
    return this.#setUp(run, false)
  }

  #setUp(run: RunSetup, isJudged: boolean): Promise<CommandResult | undefined> {
    const tools = { renew: (made: readonly string[]) => this.#renewTools(made) }
    const { setup: command } = this.settings
    return setUp({ command, work: this.folder, own: this.own, run, tools }, this.system, isJudged)
  }

  /** Removes all tools, and these paths, and lays the dependencies anew. */
  #renewTools(made: readonly string[]): Promise<void> {
    return this.#layAnew(new Set(), made)
  }

  /** The same, without what `checkout.setup` made. */
  async #dropStrangeTools(): Promise<void> {
    return this.#layAnew(new Set((await readMade(this.own, this.system)).keys()), [])
  }

  async #layAnew(kept: ReadonlySet<string>, also: readonly string[]): Promise<void> {
    const { linked, copied } = this.dependencies
    const places = new Set([...linked, ...copied, ...also])
    // An agent may have put a link in the place of a folder on the way.
    const onTheWay = new Set([...places].flatMap(prefixesOf))
    const isStrange = (path: string) =>
      !kept.has(path) &&
      (this.settings.fresh || isTool(path) || onTheWay.has(path) || prefixesOf(path).some(each => places.has(each)))
    await dropUntracked(isStrange, this.folder, this.own, this.system)
    this.dependencies = await layDependencies(this.work, this.own, this.settings, this.system)
  }

  async agree(accepted: ReadonlyMap<string, PathState>, outcome: Outcome): Promise<string> {
    const { landing, start } = this.note
    if (landing === undefined) throw new Error('No landing was begun')
    const { prefix } = this.own
    const states = new Map([...accepted].map(([path, state]) => [`${prefix}${path}`, state]))
    const tree = await this.work.treeWith(start.tree, await this.#withGitsModes(states, landing.work))
    await this.write({ ...this.note, landing: { ...landing, agreed: { tree, outcome } } })
    return tree
  }

  /** On a disk without executable bits, git keeps those that it knows. */
  async #withGitsModes(states: ReadonlyMap<string, PathState>, work: string): Promise<ReadonlyMap<string, PathState>> {
    if (this.own.users.settings.get('core.filemode') !== 'false') return states
    const listed = await this.own.git('index', this.folder)(['ls-tree', '-r', '-z', work])
    const runs = new Set([...listed.matchAll(/100755 [^\t]*\t([^\0]*)\0/g)].map(([, path = '']) => path))
    const withMode = ([path, state]: readonly [string, PathState]) => {
      return [path, state?.kind === 'file' ? { ...state, mode: runs.has(path) ? 0o755 : 0o644 } : state] as const
    }
    return new Map([...states].map(withMode))
  }

  async commit(tree: string, message: string): Promise<string | undefined> {
    const commit = tree === this.note.start.tree ? this.start : await this.#committed(tree, message)
    if (commit === undefined) {
      await this.goOn()
      return undefined
    }
    const { uuid, agreed } = this.note.landing ?? {}
    const landed = uuid !== undefined && agreed?.tree === tree ? { uuid, commit, outcome: agreed.outcome } : undefined
    await this.#goOnFrom(commit, tree, landed)
    return commit
  }

  /** Gives `undefined` where the branch has moved since. */
  async #committed(tree: string, message: string): Promise<string | undefined> {
    const { branch, repository } = this.#facts
    const from = this.start
    const tip = await this.#tip()
    if (tip !== from) return (await this.#isNext(tip, tree)) ? tip : undefined
    const to = await makeCommit({ tree, parent: from, message }, this.own)
    await giveObjects({ commit: to, from: this.note.start.tree, tree }, this.own, repository.shared, this.system)
    const [subject = ''] = message.split('\n')
    await requireMovable(branch, repository, this.system)
    try {
      await moveBranch(branch, { from, to, subject }, { own: this.own, gitDir: repository.gitDir }, this.system)
    } catch (error) {
      if ((await this.#tip()) === from) throw error
      return undefined
    }
    return to
  }

  async goOn(): Promise<void> {
    const { landing, ...note } = this.note
    if (landing === undefined) return
    await this.#dropJournal()
    await this.work.putBack(landing.work)
    await this.#giveRepository('agent')
    // From here on, the work is in the folder alone.
    if (landing.agreed === undefined) await this.write(note)
  }

  /** The work has landed. Changes are counted from the same base still: it is the same piece of work. */
  async #goOnFrom(commit: string, tree: string, landed: Landed | undefined): Promise<void> {
    await this.#dropJournal()
    await this.work.startFrom(tree, await this.work.take())
    const { landing: _, ...note } = this.note
    await this.write({ ...note, start: { commit, tree, leftOut: [] }, ...(landed && { landed }) })
  }

  /** Makes a new repository in the checkout, with the dependencies around it. */
  async #giveRepository(whose: 'agent' | 'checks'): Promise<void> {
    const { branch } = this.#facts
    const { tree } = this.note.start
    await removeAll([join(this.folder, '.git')], '/', this.system)
    const real = whose === 'agent' ? {} : { real: { commit: this.start, branch } }
    await beginAgentsRepository(this.folder, { tree, ...real }, this.own, this.system)
    if (whose === 'agent') await this.layDependencies()
    await fillAgentsRepository(this.folder, this.own, this.system)
  }

  async #dropJournal(): Promise<void> {
    await removeAll([join(this.cwd, '.relaycode')], '/', this.system)
  }

  #tip(): Promise<string> {
    return mustHaveTip(this.#facts.branch, this.#facts.repository, this.system)
  }
}
