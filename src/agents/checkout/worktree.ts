import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import type { CommandResult } from '../../model/check.ts'
import type { CheckoutSettings } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import { makeAgentsRepository } from './agents-repository.ts'
import { agentsSubject } from './agents-subject.ts'
import { commitFacts, giveObjects, makeCommit, moveBranch } from './branch-commit.ts'
import { type Checkout, type CheckoutChanges, insideAndOutside, partsOf, realPathOf } from './checkout.ts'
import { copyIndex } from './copy-index.ts'
import { layDependencies } from './dependencies.ts'
import { type Dependencies, noDependencies } from './dependencies-note.ts'
import { envInCheckout } from './env-in-checkout.ts'
import { submodule } from './folder-tree.ts'
import { usersGitAt } from './git.ts'
import { openPrivateRepository, type PrivateRepository } from './private-repository.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'
import { isLockFile, type RunSetup, readMade, readSetupNote, setUp } from './set-up.ts'
import { dropUntracked, isTool, prefixesOf } from './tools.ts'
import { asideIn, bringBack } from './turn-files.ts'
import { findUsersRepository, type UsersRepository } from './users-repository.ts'
import {
  commitAt,
  ensureWorktree,
  lock,
  mustBeBranch,
  realPlace,
  tipOf,
  uncommittedIn,
  unlock,
} from './users-worktrees.ts'
import { WorkTree } from './work-tree.ts'
import {
  forgetWorktree,
  type Landed,
  type Landing,
  noteWorktree,
  readWorktreeNote,
  type WorktreeNote,
} from './worktree-note.ts'

/** The branch that an agent works on, and the folders for it. */
export interface WorktreePlace {
  /** The project's root in the user's folder. */
  readonly root: string
  readonly branch: string
  /** Where a new branch begins: a branch or a commit. By default the user's HEAD. */
  readonly from?: string
  /** The folder of the work tree; it need not exist. */
  readonly at: string
  /** relay's own folder for this work tree. */
  readonly folder: string
  /** The repository of the branch. By default the one around `root`. */
  readonly repository?: UsersRepository
}

export interface WorktreeOptions {
  /** Drops uncommitted changes in the work tree. */
  readonly discard?: boolean
  /** The configured setup, links and copies. */
  readonly settings?: CheckoutSettings
  /** Ends the transaction that an earlier relay run left open while it judged the work. Gets the project's folder there. */
  readonly endJudgement?: (cwd: string) => Promise<void>
}

/**
 * A work tree of the user's repository in which an agent works on a branch. From its opening until `leave`, it is ready for the
 * agent, except during a landing.
 */
export interface Worktree extends Checkout {
  readonly branch: string
  /** The commit that the work starts from: the tip of the branch. */
  readonly start: string
  /** The hash of the work tree's present tree, in relay's repository. */
  tree(): Promise<string>
  /**
   * The first line of the last commit that the agent made by itself. Works only while the agent has its own repository there.
   */
  agentsSubject(): Promise<string | undefined>
  /** The finished landing with this uuid, from this relay run or an earlier one. */
  landed(uuid: string): Landed | undefined
  /**
   * Starts a landing: takes the agent's work as a tree, gives the work tree its own `.git` back, and resets the files to the
   * start, so that the work can be judged. Where an earlier relay run already agreed to the same work, gives that landing and
   * resets nothing.
   */
  beginLanding(uuid: string): Promise<Landing>
  /**
   * Makes the work tree of a begun landing ready for the checks: whatever an agent put where git does not look and a command
   * finds its programs is gone, and what belongs there is laid anew from the user's folder. What `checkout.setup` made is made
   * again where anything of it has changed, or where the work changes a lock file; then gives how the command ended.
   *
   * Other files that git ignores, such as build output, stay, unless `checkout.fresh` is set.
   */
  freshen(run: RunSetup): Promise<CommandResult | undefined>
  /**
   * Records that these files are agreed to as they are now, and gives the tree to commit. Paths are relative to the project.
   */
  agree(paths: readonly string[], outcome: Outcome): Promise<string>
  /**
   * Makes the tree the next commit of the branch and continues from there, ready for the agent. Drops everything else in the
   * work tree except files that git ignores. Throws `conflict` where the branch has moved since.
   */
  commit(tree: string, message: string): Promise<string>
  /** Restores the agent's work, so that the agent can continue. */
  goOn(): Promise<void>
}

/**
 * Opens the work tree of a branch. Makes the branch and the work tree where they are missing, and repairs a half-made one. Work
 * that an agent did before an earlier relay run stopped is still there.
 *
 * The files have git's bytes: nothing is converted on the way in or out, whatever the user's settings and attributes say. So a
 * commit changes no byte of a file that the agent left alone.
 *
 * While the agent works, `.git` is a separate repository. The user's git sees only the one commit that lands.
 */
export async function openWorktree(
  place: WorktreePlace,
  system: Doors,
  options: WorktreeOptions = {},
): Promise<Worktree> {
  const root = await realPathOf(place.root, system)
  const folder = await realPathOf(place.folder, system)
  const at = await realPlace(place.at, system)
  const repository = place.repository ?? (await findUsersRepository(root, system))
  if (repository === undefined) {
    throw new RelayError('usage', `${root} is not in a git repository, and a branch needs one`, {
      hint: 'Run `git init`.',
    })
  }
  const { branch } = place
  const [there] = await Promise.all([tipOf(branch, repository, system), mustBeBranch(branch, repository, system)])
  const from = there ?? (await commitAt(place.from ?? 'HEAD', repository, system))
  await requireInCommit(root, from, repository, system)
  await bringBack(asideIn(folder), system)
  const noted = await readWorktreeNote(folder, system)
  // The work tree gets its own `.git` back before git looks at it.
  if (noted?.is === 'lent') await putGitBack(at, folder, system)
  const wasHalfMade = noted?.is === 'making'
  const onMake = async () => {
    await removeAll(placesIn(folder), folder, system)
    await noteWorktree(folder, { is: 'making', start: from }, system)
  }
  const wanted = { at, branch, isNew: there === undefined, from }
  const { found, gitDir } = await ensureWorktree(wanted, repository, { wasHalfMade, onMake }, system)
  const own = await openPrivateRepository({ root, folder }, repository, system)
  const note: WorktreeNote = found && noted !== undefined ? noted : { is: 'making', start: from }
  const isLeft = found && noted !== undefined && !wasHalfMade
  const settings = options.settings ?? { setup: '', link: [], copy: [], env: [], fresh: false }
  const worktree = new GitWorktree({ branch, at, folder, gitDir, repository, isLeft, settings }, own, note, system)
  const isStrange = found && noted === undefined
  await worktree.makeReady(isStrange, options)
  return worktree
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

function placesIn(folder: string): readonly string[] {
  return [...partsOf(folder), join(folder, gitFile), join(folder, 'picked')]
}

/** The name under which relay keeps the work tree's own `.git` file while the agent's repository is in its place. */
const gitFile = 'git-file'

/** Removes the agent's `.git`, and writes the work tree's own `.git` file again. */
async function putGitBack(at: string, folder: string, system: Doors): Promise<void> {
  const { files } = system
  const found = await files.stat(at)
  const bytes = await files.read(join(folder, gitFile))
  if (found?.kind !== 'folder' || bytes === null) return
  if ((found.mode & 0o700) !== 0o700) await runProgram(['chmod', 'u+rwx', '--', at], { cwd: '/' }, system)
  await removeAll([join(at, '.git')], '/', system)
  await files.create(join(at, '.git'), bytes)
}

interface WorktreeFacts {
  readonly branch: string
  readonly at: string
  readonly folder: string
  /** The git directory of this work tree, inside the user's repository. */
  readonly gitDir: string
  readonly repository: UsersRepository
  readonly isLeft: boolean
  readonly settings: CheckoutSettings
}

interface StartFacts {
  /** Changes are counted from this tree. */
  readonly base?: string
  readonly landed?: Landed | undefined
  /** The tree just taken, where the files do not match the tree to start from. */
  readonly taken?: string | undefined
}

class GitWorktree implements Worktree {
  readonly cwd: string
  readonly folder: string
  readonly tmp: string
  readonly aside: string
  readonly isLeft: boolean
  readonly leftOut = []
  dependencies: Dependencies = noDependencies
  readonly #facts: WorktreeFacts
  readonly #own: PrivateRepository
  readonly #work: WorkTree
  readonly #system: Doors
  #note: WorktreeNote
  #startTree = ''
  /** The tree just taken: nothing has run in the work tree since. */
  #taken: string | undefined

  constructor(facts: WorktreeFacts, own: PrivateRepository, note: WorktreeNote, system: Doors) {
    this.cwd = join(facts.at, own.prefix)
    this.folder = facts.at
    this.tmp = own.at('tmp')
    this.aside = asideIn(own.at(''))
    this.isLeft = facts.isLeft
    this.#facts = facts
    this.#own = own
    this.#work = new WorkTree(facts.at, own, system)
    this.#note = note
    this.#system = system
  }

  get branch(): string {
    return this.#facts.branch
  }

  get start(): string {
    return this.#note.start
  }

  get #base(): string {
    return this.#note.base ?? this.#startTree
  }

  /** Prepares the work tree for an agent, from any state that an earlier relay run left. */
  async makeReady(isStrange: boolean, options: WorktreeOptions): Promise<void> {
    const isMaking = this.#note.is === 'making'
    const tip = isMaking ? this.start : await this.#tip()
    const tree = await this.#treeOf(tip)
    if (isMaking) await this.#fill(tip, tree, isStrange, options)
    else await this.#takeUp(tip, tree, options)
    await this.#lend()
  }

  /** @param isStrange relay did not make this work tree, so uncommitted changes in it belong to the user */
  async #fill(tip: string, tree: string, isStrange: boolean, { discard = false }: WorktreeOptions): Promise<void> {
    const { at, gitDir } = this.#facts
    const changed = isStrange && !discard ? await uncommittedIn(at, gitDir, this.#system) : []
    if (changed.length > 0) throw this.#changed(changed)
    await this.#work.fill(tree)
    if (isStrange) await this.#work.dropNew()
    await this.#startAt(tip, tree)
  }

  /** Continues from the note of an earlier relay run. */
  async #takeUp(tip: string, tree: string, { discard = false, endJudgement }: WorktreeOptions): Promise<void> {
    const landing = this.#note.is === 'landing' ? this.#note.landing : undefined
    this.#startTree = await this.#treeOf(this.start)
    await this.#work.layRules(this.#startTree)
    if (landing !== undefined) await endJudgement?.(this.cwd)
    if (discard) await this.#work.dropNew()
    else if (landing !== undefined && !(await this.#hasLanded(tip, landing))) await this.#work.putBack(landing.work)
    await this.#catchUp(tip, tree, discard)
  }

  /** Whether the landing has reached the branch: an earlier relay run may have stopped after moving it, before noting that. */
  async #hasLanded(tip: string, { uuid, agreed }: Landing): Promise<boolean> {
    if (agreed === undefined || tip === this.start) return false
    if (!(await this.#isNext(tip, agreed.tree))) return false
    await this.#goOnFrom(tip, agreed.tree, { uuid, commit: tip, outcome: agreed.outcome })
    return true
  }

  async #isNext(commit: string, tree: string): Promise<boolean> {
    const facts = await commitFacts(commit, this.#own)
    return facts.tree === tree && facts.parents.length === 1 && facts.parents[0] === this.start
  }

  /**
   * Moves on to the tip of the branch where the files are as relay left them, or are committed meanwhile. Otherwise they are
   * the user's changes: resets nothing and throws `conflict`.
   */
  async #catchUp(tip: string, tree: string, discard: boolean): Promise<void> {
    const { is, left, start } = this.#note
    const taken = await this.#work.take()
    if (discard) return this.#startAt(tip, tree, { taken })
    if (taken === tree && tip !== start) return this.#startAt(tip, tree, { taken })
    if (is === 'left' && taken !== left && taken !== tree) {
      throw this.#changed(await this.#work.pathsBetween(left ?? this.#startTree, taken))
    }
    if (tip === start) return
    if (taken !== this.#startTree) {
      throw this.#changed(await this.#work.pathsBetween(this.#startTree, taken), `${this.branch} has moved since`)
    }
    await this.#startAt(tip, tree, { taken })
  }

  async changes(): Promise<CheckoutChanges> {
    const taken = await this.#work.take()
    return insideAndOutside(await this.#work.changesBetween([this.#base, taken]), this.#own.prefix)
  }

  async diff(): Promise<string> {
    const git = this.#own.git('taken', this.folder)
    return git(['diff', '--cached', '--text', '--no-ext-diff', '--no-textconv', this.#base])
  }

  env(env: Readonly<Record<string, string>>): Record<string, string> {
    return envInCheckout(env, { top: this.#own.top, work: this.folder })
  }

  setUp(run: RunSetup): Promise<CommandResult | undefined> {
    return this.#setUp(run)
  }

  agentsSubject(): Promise<string | undefined> {
    return agentsSubject(this.folder, this.#own, this.#system)
  }

  tree(): Promise<string> {
    return this.#work.take()
  }

  async renew(): Promise<void> {
    await this.#giveBack()
    const tip = await this.#tip()
    const tree = tip === this.start ? this.#startTree : await this.#treeOf(tip)
    const taken = await this.#work.take()
    const isThere = taken === tree && tree === this.#startTree
    await this.#startAt(tip, tree, { taken: isThere ? undefined : taken })
    await removeAll([this.tmp], '/', this.#system)
    await this.#lend()
  }

  /** The work stays in the work tree, which is the user's. */
  async putAside(): Promise<string> {
    await this.#giveBack()
    return this.folder
  }

  async leave(): Promise<void> {
    await this.#giveBack()
    // Leaves the work for the next relay run to look at.
    if (this.#system.interruption.aborted || this.#note.is === 'landing') return
    await this.#write({ ...this.#note, is: 'left', left: await this.#work.take() })
  }

  async remove(): Promise<void> {
    const { at, gitDir, folder, repository } = this.#facts
    await this.#giveBack()
    const left = await this.#work.pathsBetween(this.#startTree, await this.#work.take())
    if (left.length > 0) throw this.#changed(left)
    const { linked, copied } = this.dependencies
    const { made } = await readSetupNote(this.#own, this.#system)
    await removeAll(
      [...linked, ...copied, ...made].map(path => join(at, path)),
      '/',
      this.#system,
    )
    // relay has compared all files already. The user's git might report one as changed because of its conversions.
    const picked = this.#own.git('picked', at)
    await copyIndex(this.#own.at('index'), this.#own.at('picked'), this.#system)
    await picked(['update-index', '--assume-unchanged', '-z', '--stdin'], await picked(['ls-files', '-z']))
    await this.#giveIndex('picked')
    const git = usersGitAt(repository.gitDir, repository.top, this.#system)
    await git(['worktree', 'remove', '--', at], '', [0, 128])
    if ((await this.#system.files.stat(gitDir)) !== null) {
      await this.#giveIndex('index')
      throw this.#changed(await uncommittedIn(at, gitDir, this.#system))
    }
    await forgetWorktree(folder, this.#system)
    await removeAll(placesIn(folder), '/', this.#system)
  }

  landed(uuid: string): Landed | undefined {
    return this.#note.landed?.uuid === uuid ? this.#note.landed : undefined
  }

  async beginLanding(uuid: string): Promise<Landing> {
    const begun = this.#note.is === 'landing' ? this.#note.landing : undefined
    if (begun?.uuid === uuid) return begun
    if (begun !== undefined) await this.#work.putBack(begun.work)
    this.#taken = undefined
    const work = await this.#work.take()
    await this.#giveBack()
    const known = this.#note.landing
    const isAgreed = known?.agreed !== undefined && known.uuid === uuid && known.work === work
    const landing = isAgreed ? known : { uuid, work }
    // A journal in the work tree may come from the agent, and relay would trust it.
    if (!isAgreed) await this.#dropJournal()
    await this.#write({ ...this.#note, is: 'landing', landing })
    if (!isAgreed) await this.#work.startFrom(this.#startTree, work)
    return landing
  }

  async freshen(run: RunSetup): Promise<CommandResult | undefined> {
    const { landing } = this.#note
    if (landing === undefined) throw new Error('No landing was begun')
    if (this.#facts.settings.setup.trim() === '') {
      await this.#renewTools([])
      return undefined
    }
    const isOfWork = (await this.#work.pathsBetween(this.#startTree, landing.work)).some(isLockFile)
    if (isOfWork) await this.#work.putBack(landing.work)
    const result = await this.#setUp(run, true)
    if (isOfWork) await this.#work.startFrom(this.#startTree, await this.#work.take())
    if (result === undefined) await this.#dropStrangeTools()
    return result
  }

  #setUp(run: RunSetup, isJudged = false): Promise<CommandResult | undefined> {
    const tools = { renew: (made: readonly string[]) => this.#renewTools(made) }
    const { setup: command } = this.#facts.settings
    return setUp({ command, work: this.folder, own: this.#own, run, tools }, this.#system, isJudged)
  }

  /** Removes all tools, and these paths, and lays the dependencies anew. */
  #renewTools(made: readonly string[]): Promise<void> {
    return this.#layAnew(new Set(), made)
  }

  /** The same, without what `checkout.setup` made. */
  async #dropStrangeTools(): Promise<void> {
    return this.#layAnew(new Set((await readMade(this.#own, this.#system)).keys()), [])
  }

  async #layAnew(kept: ReadonlySet<string>, also: readonly string[]): Promise<void> {
    const { settings } = this.#facts
    const { linked, copied } = this.dependencies
    const places = new Set([...linked, ...copied, ...also])
    // An agent may have put a link in the place of a folder on the way.
    const onTheWay = new Set([...places].flatMap(prefixesOf))
    const isStrange = (path: string) =>
      !kept.has(path) &&
      (settings.fresh || isTool(path) || onTheWay.has(path) || prefixesOf(path).some(each => places.has(each)))
    await dropUntracked(isStrange, this.folder, this.#own, this.#system)
    this.dependencies = await layDependencies(this.#work, this.#own, settings, this.#system)
  }

  async agree(paths: readonly string[], outcome: Outcome): Promise<string> {
    const { landing } = this.#note
    if (landing === undefined) throw new Error('No landing was begun')
    const all = new Set(paths.map(path => `${this.#own.prefix}${path}`))
    const taken = await this.#work.take()
    const tree = await this.#work.taken(this.#startTree, taken, all)
    await this.#write({ ...this.#note, landing: { ...landing, agreed: { tree, outcome } } })
    this.#taken = taken
    return tree
  }

  async commit(tree: string, message: string): Promise<string> {
    const commit = tree === this.#startTree ? this.start : await this.#committed(tree, message)
    const { landing } = this.#note
    const { uuid, agreed } = landing ?? {}
    const landed = uuid !== undefined && agreed?.tree === tree ? { uuid, commit, outcome: agreed.outcome } : undefined
    await this.#goOnFrom(commit, tree, landed)
    await this.#lend()
    return commit
  }

  async #committed(tree: string, message: string): Promise<string> {
    const { gitDir, repository } = this.#facts
    const from = this.start
    const tip = await this.#tip()
    if (tip !== from) {
      if (await this.#isNext(tip, tree)) return tip
      throw this.#moved()
    }
    const to = await makeCommit({ tree, parent: from, message }, this.#own)
    await giveObjects({ commit: to, from: this.#startTree, tree }, this.#own, repository.shared, this.#system)
    const [subject = ''] = message.split('\n')
    try {
      await moveBranch(this.branch, { from, to, subject }, { own: this.#own, gitDir }, this.#system)
    } catch (error) {
      throw (await this.#tip()) === from ? error : this.#moved()
    }
    return to
  }

  async goOn(): Promise<void> {
    const { landing } = this.#note
    if (landing !== undefined) await this.#work.putBack(landing.work)
    await this.#lend()
  }

  async #goOnFrom(commit: string, tree: string, landed: Landed | undefined): Promise<void> {
    const { base, landed: before } = this.#note
    const taken = this.#taken ?? (await this.#work.take())
    this.#taken = undefined
    await this.#startAt(commit, tree, { base: base ?? tree, landed: landed ?? before, taken })
  }

  /** Sets the start of the work, from the tree just taken or filled. */
  async #startAt(
    commit: string,
    tree: string,
    { base = tree, landed = this.#note.landed, taken }: StartFacts = {},
  ): Promise<void> {
    if (taken !== undefined) await this.#work.startFrom(tree, taken)
    this.#startTree = tree
    const { is } = this.#note
    await this.#write({ is, start: commit, base, ...(landed && { landed }) })
  }

  /** Gives one of relay's indexes to the user's git as the index of the work tree. */
  async #giveIndex(name: string): Promise<void> {
    const index = join(this.#facts.gitDir, 'index')
    await copyIndex(this.#own.at(name), `${index}.relay`, this.#system)
    await this.#system.files.rename(`${index}.relay`, index)
  }

  /** Gives the agent a repository of its own, after keeping the work tree's `.git` file. */
  async #lend(): Promise<void> {
    const { at, folder, gitDir } = this.#facts
    const { files } = this.#system
    await this.#dropJournal()
    await this.#giveIndex('index')
    await files.makeFolder(this.tmp, 0o700)
    this.dependencies = await layDependencies(this.#work, this.#own, this.#facts.settings, this.#system)
    const git = join(at, '.git')
    const bytes = await files.read(git)
    if (bytes === null) throw new RelayError('failed', `${git} is gone`)
    await files.replace(join(folder, gitFile), bytes, join(folder, `${gitFile}.new`), { mode: 0o600 })
    await this.#write({ ...this.#note, is: 'lent' })
    await lock(gitDir, this.#system)
    await files.remove(git)
    await makeAgentsRepository(at, this.#startTree, this.#own, this.#system)
  }

  /** Gives the work tree its own `.git` back. Also after an interruption, so that the user finds it in order. */
  async #giveBack(): Promise<void> {
    if (this.#note.is !== 'lent') return
    const calm = { ...this.#system, interruption: new AbortController().signal }
    await putGitBack(this.#facts.at, this.#facts.folder, calm)
    await unlock(this.#facts.gitDir, calm)
  }

  async #dropJournal(): Promise<void> {
    await removeAll([join(this.cwd, '.relaycode')], '/', this.#system)
  }

  async #tip(): Promise<string> {
    const tip = await tipOf(this.branch, this.#facts.repository, this.#system)
    if (tip === undefined) throw new RelayError('conflict', `The branch ${this.branch} is gone`)
    return tip
  }

  async #treeOf(commit: string): Promise<string> {
    return (await commitFacts(commit, this.#own)).tree
  }

  async #write(note: WorktreeNote): Promise<void> {
    await noteWorktree(this.#facts.folder, note, this.#system)
    this.#note = note
  }

  #changed(paths: readonly string[], also = ''): RelayError {
    const { at } = this.#facts
    const some = paths.length > 5 ? `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more` : paths.join(', ')
    const message = `In ${at} there is what relay did not leave there: ${some}${also === '' ? '' : ` (${also})`}`
    return new RelayError('conflict', message, {
      hint: `Commit it with \`git -C ${at} commit -a\`, or drop it with --discard-checkout.`,
    })
  }

  #moved(): RelayError {
    return new RelayError('conflict', `The branch ${this.branch} has moved while relay worked on it`, {
      hint: `What was made is still in ${this.#facts.at}. Look at \`git log ${this.branch}\`.`,
    })
  }
}
