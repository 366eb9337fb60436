import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { FileState, LinkState, PathState } from '../../model/plan.ts'
import { copyIndex } from './copy-index.ts'
import { beside } from './dependencies-note.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { removeAll } from './remove-all.ts'
import { takeTree } from './take-tree.ts'
import { dropFalseRules } from './tools.ts'
import { changesBetween } from './tree-changes.ts'

/**
 * A folder that relay writes from a tree and reads back as a tree, byte for byte, with a repository of its own.
 *
 * `index` in relay's folder always holds the tree that the work starts from, with the times of its files. Each `take` begins
 * with a copy of it, so relay trusts nothing that an earlier `take` saw.
 */
export class WorkTree {
  readonly folder: string
  readonly #own: PrivateRepository
  readonly #system: Doors
  /** The tree whose ignore rules are in `rules`, where known. */
  #ruled: string | undefined
  /** The files of note in `index`, where they have been listed since it was written. */
  #noted: readonly string[] | undefined

  constructor(folder: string, own: PrivateRepository, system: Doors) {
    this.folder = folder
    this.#own = own
    this.#system = system
  }

  /** Writes the tree to start from into the folder. Overwrites anything at the paths of its files. */
  async fill(tree: string): Promise<void> {
    const { at, git } = this.#own
    await this.#system.files.remove(at('index'))
    await git('index', this.folder)(['read-tree', '--reset', '-u', tree])
    this.#noted = undefined
    await this.layRules(tree)
  }

  /** The content of the folder now, as a tree. */
  async take(): Promise<string> {
    const { at, git } = this.#own
    await this.#mustStand()
    const [pipe] = await dropFalseRules(this.folder, this.#system)
    if (pipe !== undefined) {
      throw new RelayError('agent', `The agent made ${pipe} a pipe, device or socket, which git cannot read`, {
        hint: 'relay has removed it.',
      })
    }
    await copyIndex(at('index'), at('taken'), this.#system)
    const roots = { git: git('taken', this.folder), rules: git('index', at('rules')) }
    return takeTree(roots, await beside(this.#own, this.#system))
  }

  async pathsBetween(one: string, other: string): Promise<readonly string[]> {
    const git = this.#own.git('index', this.folder)
    return (await git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', one, other])).split('\0').filter(Boolean)
  }

  /** An agent that can write beside the folder may have replaced it. relay follows no link that leads away. */
  async #mustStand(): Promise<void> {
    if ((await this.#system.files.stat(this.folder))?.kind === 'folder') return
    throw new RelayError('agent', 'The agent has moved or replaced the folder that it works in')
  }

  /** The differences between two trees, by paths from the top. */
  async changesBetween(trees: readonly [base: string, made: string]): Promise<readonly AgentChange[]> {
    const { at, git } = this.#own
    await this.#system.files.makeFolder(at('contents'))
    await this.#system.files.remove(at('contents-index'))
    const contents = { folder: at('contents'), git: git('contents-index', at('contents')) }
    return changesBetween(trees, contents, this.#system)
  }

  /** A tree with exactly these states at their paths, and everything else from `from`. Reads no file of the folder. */
  async treeWith(from: string, states: ReadonlyMap<string, PathState>): Promise<string> {
    if (states.size === 0) return from
    const { at, git } = this.#own
    const { files } = this.#system
    const picked = git('picked', this.folder)
    const contents = at('contents')
    await removeAll([contents], at(''), this.#system)
    await files.makeFolder(contents)
    const made = [...states].flatMap(([path, state]) => (state === null ? [] : [{ path, state }]))
    for (const [index, { state }] of made.entries()) {
      const bytes = state.kind === 'file' ? state.bytes : new TextEncoder().encode(state.to)
      await files.create(join(contents, `${index}`), bytes, { sync: false })
    }
    const list = made.map((_, index) => `${join(contents, `${index}`)}\n`).join('')
    const hashed = list === '' ? '' : await picked(['hash-object', '-w', '--no-filters', '--stdin-paths'], list)
    const names = hashed.split('\n')
    await picked(['read-tree', from])
    const noObject = '0'.repeat(this.#own.format === 'sha256' ? 64 : 40)
    // Deletions first: a new file may have the path of an old folder.
    const deleted = [...states].flatMap(([path, state]) => (state === null ? [`0 ${noObject}\t${path}\0`] : []))
    const written = made.map(({ path, state }, index) => `${modeOf(state)} ${names[index]}\t${path}\0`)
    await picked(['update-index', '--add', '--replace', '-z', '--index-info'], [...deleted, ...written].join(''))
    return (await picked(['write-tree'])).trim()
  }

  /** Changes the folder from the tree just taken to another tree to start from. Keeps files that git ignores. */
  async startFrom(tree: string, taken: string): Promise<void> {
    await this.#reset(tree, taken)
    const { at } = this.#own
    await copyIndex(at('taken'), at('index.new'), this.#system)
    await this.#system.files.rename(at('index.new'), at('index'))
    this.#noted = undefined
    await this.layRules(tree)
  }

  /** Restores a tree that was taken before, whatever the folder has now. The tree to start from stays the same. */
  async putBack(taken: string): Promise<void> {
    const { at, git } = this.#own
    await dropFalseRules(this.folder, this.#system)
    await copyIndex(at('index'), at('taken'), this.#system)
    await git('taken', this.folder)(['add', '--update', ':/'])
    // First the files of the tree, with their own ignore rules. By these rules, the remaining files are new ones.
    await git('taken', this.folder)(['read-tree', '--reset', '-u', taken])
    const there = await this.take()
    if (there !== taken) await this.#reset(taken, there)
  }

  /** Changes the folder from the tree just taken to another one. Checks the deletions, since git only warns where one fails. */
  async #reset(tree: string, taken: string): Promise<void> {
    const git = this.#own.git('taken', this.folder)
    await git(['read-tree', '--reset', '-u', tree])
    const gone = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=D', taken, tree])
    for (const path of gone.split('\0').filter(Boolean)) {
      if ((await this.#system.files.stat(join(this.folder, path))) === null) continue
      throw new RelayError('agent', `Cannot remove ${path}, which the agent made`, {
        hint: `Look at the permissions in ${this.folder}`,
      })
    }
  }

  /** Writes every `.gitignore` of the tree to start from into `rules`. */
  async layRules(tree: string): Promise<void> {
    if (this.#ruled === tree) return
    const { at, git } = this.#own
    await removeAll([at('rules')], at(''), this.#system)
    await this.#system.files.makeFolder(at('rules'))
    const rules = (await this.filesOfNote()).filter(path => isNamed(path, rulesFiles))
    const list = rules.map(path => `${path}\0`).join('')
    if (list !== '') await git('index', at('rules'))(['checkout-index', '--force', '-z', '--stdin'], list)
    this.#ruled = tree
  }

  /** The files with a name that means something to relay, in the tree to start from. */
  async filesOfNote(): Promise<readonly string[]> {
    const names = [...rulesFiles, ...packageFiles, ...pythonFiles].map(name => `:(glob)**/${name}`)
    this.#noted ??= (await this.#own.git('index', this.folder)(['ls-files', '-z', '--', ...names]))
      .split('\0')
      .filter(Boolean)
    return this.#noted
  }
}

const rulesFiles = ['.gitignore']
export const packageFiles = ['package.json']
/** relay looks for a virtual environment beside these files. */
export const pythonFiles = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile']

/** Whether a path ends with one of these names. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.includes(path.slice(path.lastIndexOf('/') + 1))
}

/** The mode of a file or link in a tree of git. */
function modeOf(state: FileState | LinkState): string {
  if (state.kind === 'link') return '120000'
  return (state.mode & 0o100) === 0 ? '100644' : '100755'
}
