import { basename, join } from 'node:path'
import type { Inspected, System } from '../../ports.ts'
import { type Git, usersGitAt } from '../checkout/git.ts'
import type { ReadFiles } from './read-project.ts'

/** A folder in a commit, by its path in the repository. */
export interface FolderInCommit {
  readonly commit: string
  readonly folder: string
}

/**
 * The files of folders in commits, each under the path `/RAF/<name of the folder>`, in the order of the places. Git is asked
 * about all of them at once: to start it takes longer than the answer.
 */
export async function filesInCommits(
  gitDir: string,
  places: readonly FolderInCommit[],
  system: System,
): Promise<readonly ReadFiles[]> {
  const git = usersGitAt(gitDir, '/', system)
  const trees = await treesOf(places, git)
  const entries = await entriesOf(trees, git)
  const all = [...entries.values()].flat()
  const texts = await textsOf(new Set(all.flatMap(({ path, name }) => (path.endsWith('.md') ? name : []))), git)
  return places.map(({ folder }, at) => {
    const its = entries.get(trees[at] ?? '') ?? []
    return readFrom(new Map(its.map(entry => [join('/RAF', basename(folder), entry.path), entry])), texts, git)
  })
}

/** The tree of each folder; `undefined` where the commit does not have it. */
async function treesOf(places: readonly FolderInCommit[], git: Git): Promise<readonly (string | undefined)[]> {
  if (places.length === 0) return []
  const asked = places.map(({ commit, folder }) => `${commit}:${folder}\n`).join('')
  const lines = (await git(['cat-file', '--batch-check'], asked)).split('\n')
  return lines.map(line => /^([0-9a-f]+) tree /.exec(line)?.[1])
}

/** A file in a tree, by its path there, and the name of its content. */
interface Entry {
  readonly mode: string
  readonly name: string
  readonly path: string
}

/** The files in trees. A comparison with the empty tree lists them, of many trees in one call. */
async function entriesOf(
  trees: readonly (string | undefined)[],
  git: Git,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const found = new Map<string, Entry[]>(trees.flatMap(tree => (tree === undefined ? [] : [[tree, []]])))
  if (found.size === 0) return found
  const empty = [...found.keys()][0]?.length === sha1.length ? sha1 : sha256
  const pairs = [...found.keys()].map(tree => `${empty} ${tree}\n`).join('')
  const listed = await git(['diff-tree', '--stdin', '-r', '-z', '--no-renames'], pairs)
  let now: Entry[] = []
  for (const [, tree, mode = '', name = '', path = ''] of listed.matchAll(entryOrTree)) {
    if (tree === undefined) now.push({ mode, name, path })
    else now = found.get(tree) ?? []
  }
  return found
}

/** The pair that was asked about, or one of its files. */
const entryOrTree = /[0-9a-f]+ ([0-9a-f]+)\n|:[0-7]+ ([0-7]+) [0-9a-f]+ ([0-9a-f]+) A\0([^\0]*)\0/g

/** The empty tree, which every git knows. */
const sha1 = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const sha256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'

/** Texts by the names of their contents. What is not in UTF-8, and all that comes after it, is left out. */
async function textsOf(names: ReadonlySet<string>, git: Git): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  if (names.size === 0) return texts
  const asked = [...names].map(name => `${name}\n`).join('')
  const answer = new TextEncoder().encode(await git(['cat-file', '--batch'], asked))
  const textAt = (from: number, to: number) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.subarray(from, to))
  let at = 0
  for (const name of names) {
    const line = textAt(at, answer.indexOf(10, at))
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(line) ?? []
    const from = at + line.length + 1
    const text = textAt(from, from + Number(size))
    // Its size in the answer is another one than git says.
    if (size === undefined || text.includes('\ufffd')) break
    texts.set(name, text)
    at = from + Number(size) + 1
  }
  return texts
}

function readFrom(entries: ReadonlyMap<string, Entry>, texts: ReadonlyMap<string, string>, git: Git): ReadFiles {
  const below = (path: string) => [...entries.keys()].filter(each => each.startsWith(`${path}/`))
  return {
    async list(path) {
      const names = below(path).map(each => each.slice(path.length + 1).split('/')[0] ?? '')
      return names.length === 0 ? null : [...new Set(names)]
    },
    async inspect(path): Promise<Inspected | null> {
      const entry = entries.get(path)
      if (entry === undefined) return below(path).length > 0 ? folderFound : null
      const text = texts.get(entry.name) ?? (await textOf(entry.name, git))
      if (entry.mode === '120000') return { kind: 'link', to: text }
      return { kind: 'file', bytes: new TextEncoder().encode(text) }
    },
  }
}

async function textOf(name: string, git: Git): Promise<string> {
  // A batch ends with an extra newline, and `runProgram` drops the last newline of the output. So the text is exact.
  const answer = await git(['cat-file', '--batch'], `${name}\n`)
  return answer.slice(answer.indexOf('\n') + 1)
}

const folderFound = { kind: 'folder' } as const
