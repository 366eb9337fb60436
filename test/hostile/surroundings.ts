import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../../src/model/project.ts'
import { trustText } from '../../src/project/trust.ts'
import { trustPath } from '../../src/project/trust-file.ts'
import { treeOf } from '../faults/world.ts'

/**
 * A project and all that it must not reach: the user's home and state folder, a folder beside it, git's folders, other
 * repositories below it, and links in it that lead to each of them.
 */
export interface Surroundings {
  /** The folder of everything. */
  readonly base: string
  /** The project's. */
  readonly root: string
  /** What the program gets of it. */
  readonly env: Readonly<Record<string, string>>
  /** Paths are relative to the project. */
  write(path: string, content: string | Uint8Array, mode?: number): void
  link(to: string, path: string): void
  configure(config: Partial<Config>): void
  /** From here on it is as it should stay. */
  settle(): void
  /** The paths, relative to `base`, that are not as they were; without what relay keeps. */
  changed(): readonly string[]
  /** What is in relay's own folders and is none of relay's forms there, or open to others. */
  strange(): readonly string[]
  remove(): void
}

export function surroundings(): Surroundings {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'relay-hostile-')))
  const root = join(base, 'project')
  const state = join(base, 'home/.local/state')
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), content, { mode })
  }
  const write = (path: string, content: string | Uint8Array, mode?: number) => put(join('project', path), content, mode)
  const link = (to: string, path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(to, join(root, path))
  }
  const configure = (config: Partial<Config>) => {
    write('relaycode.config.json', JSON.stringify({ projectId: 'demo', ...config }))
    put(join('home/.local/state/relaycode/trust', trustPath('', root).slice(6)), trustText(root, config), 0o600)
  }

  mkdirSync(join(state, 'relaycode/trust'), { recursive: true, mode: 0o700 })
  put('home/.bashrc', '# mine\n')
  put('home/.ssh/id_ed25519', 'key\n', 0o600)
  put('outside/secret', 'secret\n')
  put('outside/folder/file', 'file\n')
  for (const repository of [
    'project/.git',
    'project/.git/modules/vendor/library',
    'project/nested/.git',
    'twin/.git',
  ]) {
    put(`${repository}/HEAD`, 'ref: refs/heads/main\n')
    put(`${repository}/config`, '[core]\n\tbare = false\n')
    put(`${repository}/hooks/pre-commit`, '#!/bin/sh\n', 0o755)
    for (const folder of ['objects', 'refs/heads']) mkdirSync(join(base, repository, folder), { recursive: true })
  }
  write('vendor/library/.git', 'gitdir: ../../.git/modules/vendor/library\n')
  write('vendor/library/code.ts', 'theirs\n')
  write('nested/code.ts', 'nested\n')
  write('src/a.ts', 'a\n')
  write('src/deep/b.ts', 'b\n')
  write('notes.txt', 'notes\n')
  link('../outside/secret', 'link-out')
  link('../outside/folder', 'folder-out')
  link('.git/hooks', 'hooks-link')
  link('.git', 'git-link')
  link('.relaycode', 'state-link')
  link('../home', 'home-link')
  link('circle-b', 'circle-a')
  link('circle-a', 'circle-b')
  link('nothing', 'src/dangling')
  link('.', 'here')
  linkSync(join(base, 'outside/secret'), join(root, 'hard-link'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  configure({})

  const look = () => {
    const own = /^(project\/\.relaycode|home\/\.local\/state\/relaycode)\//
    return Object.fromEntries(Object.entries(treeOf(base)).filter(([path]) => !own.test(path)))
  }
  let before = look()

  return {
    base,
    root,
    env: { HOME: join(base, 'home'), XDG_STATE_HOME: state },
    write,
    link,
    configure,
    settle: () => {
      before = look()
    },
    changed: () => {
      const after = look()
      return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(path => before[path] !== after[path])
    },
    strange: () => [
      ...strangeIn(join(root, '.relaycode'), ownForms),
      ...strangeIn(join(state, 'relaycode'), trustForms),
    ],
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

const ownForms =
  /^(\.gitignore|all-ended|lock\/|watch\/|ask\/|declined-offer|declined\/(\d+\.yml)?|rescue\/|output\/|output\/[\w-]{8,64}\/(\w+\.txt)?|history\.jsonl|last-(declined\.yml|checks\.json)|[\w-]{8,64}\.yml)$/
const trustForms = /^(trust\/([0-9a-f]{32}\.json)?|watch\/|begun\/)$/

function strangeIn(folder: string, forms: RegExp, below = ''): readonly string[] {
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap(entry => {
    const name = `${below}${entry.name}${entry.isDirectory() ? '/' : ''}`
    const isOpen = (lstatSync(join(folder, name)).mode & 0o077) !== 0
    const isForm = forms.test(name) && (entry.isDirectory() || entry.isFile())
    return [...(isForm && !isOpen ? [] : [name]), ...(entry.isDirectory() ? strangeIn(folder, forms, name) : [])]
  })
}
