import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemFiles } from '../../src/system/files/files.ts'
import { findUnfinished } from '../../src/transact/journal/unfinished.ts'
import { layoutOf } from '../../src/transact/layout/layout.ts'
import { respond, uuid } from '../support/respond.ts'
import { agreeTo } from '../support/state-home.ts'

/** A project on the real disk that holds every kind of file that a patch can meet. */
export interface World {
  readonly root: string
  read(path: string): string
  has(path: string): boolean
  /** Everything in the project but relay's own: kind, mode, owner, content, and which names are one file. */
  tree(): Tree
  /** What is in `.relaycode/`, folders with a `/`. */
  state(): readonly string[]
  committed(): boolean
  remove(): void
}

export type Tree = Readonly<Record<string, string>>

export interface Settings {
  readonly linter?: string
  readonly preCommand?: string
  readonly postCommand?: string
  readonly approval?: 'yes' | 'no'
  readonly durability?: 'full' | 'fast'
  readonly commandTimeout?: number
  readonly clipboard?: 'poll'
  readonly clipboardPollInterval?: number
  /** `false`: it is the first time that relay runs in the project. */
  readonly ranBefore?: boolean
}

/** What the response asks for: each kind of file, each kind of change. */
export const asked = {
  'modified.ts': 'changed\n',
  'formatted.ts': 'changed\n',
  tool: '#!/bin/sh\necho changed\n',
  'private.txt': 'changed\n',
  'read-only.txt': 'changed\n',
  'windows.txt': 'one\nTWO\n',
  'bom.ts': 'changed\n',
  'broken.txt': 'changed\n',
  'empty.ts': 'changed\n',
  'no-end.ts': 'changed\n',
  'linked.ts': 'real, changed\n',
  'folder-link/inside.ts': 'inside, changed\n',
  'hard.ts': 'hard, changed\n',
  'group/a.ts': 'changed\n',
  'group/b.ts': 'new\n',
  'new.ts': 'new\n',
  'fresh/deep/er/new.ts': 'new\n',
  'deleted.ts': null,
  'only/one.ts': null,
  'gone-link.ts': null,
  'never-there.ts': null,
} as const

export function answer(files: Readonly<Record<string, string | null>> = asked, id = uuid): string {
  return respond(files, { uuid: id })
}

/** Below `$TMPDIR`; with `under`, below that folder. */
export function layOut({ ranBefore = true, ...settings }: Settings = {}, under = tmpdir()): World {
  const root = mkdtempSync(join(under, 'relay-faults-'))
  const write = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    chmodSync(join(root, path), mode)
  }
  write('relaycode.config.json', JSON.stringify({ projectId: 'demo', ...settings }))
  agreeTo(root, settings)
  write('modified.ts', 'modified\n')
  write('formatted.ts', 'formatted\n')
  write('tool', '#!/bin/sh\n', 0o755)
  write('private.txt', 'private\n', 0o600)
  write('read-only.txt', 'read only\n', 0o444)
  write('windows.txt', 'one\r\ntwo\r\n')
  write('bom.ts', '\uFEFFbom\n')
  write('broken.txt', Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x0a]))
  write('empty.ts', '')
  write('no-end.ts', 'no end')
  write('real.ts', 'real\n')
  symlinkSync('real.ts', join(root, 'linked.ts'))
  write('folder/inside.ts', 'inside\n')
  symlinkSync('folder', join(root, 'folder-link'))
  write('hard.ts', 'hard\n')
  linkSync(join(root, 'hard.ts'), join(root, 'hard-twin.ts'))
  write('group/a.ts', 'group\n')
  if (process.getuid?.() === 0) chownSync(join(root, 'group'), 0, 1)
  chmodSync(join(root, 'group'), 0o2775)
  write('deleted.ts', 'deleted\n')
  write('only/one.ts', 'the last one\n')
  symlinkSync('real.ts', join(root, 'gone-link.ts'))
  write('untouched.ts', 'untouched\n')
  symlinkSync('/nowhere/at/all', join(root, 'dangling'))
  mkdirSync(join(root, 'empty-folder'))
  if (ranBefore) {
    mkdirSync(join(root, '.relaycode'), { mode: 0o700 })
    write('.relaycode/.gitignore', '*\n', 0o600)
    write('.relaycode/all-ended', '', 0o600)
  }
  return worldAt(root)
}

/** What a look at the note alone does not find, though it is there. */
export async function hidden({ root }: World): Promise<string[]> {
  const files = systemFiles(root)
  const [quick, thorough] = [false, true].map(thorough => findUnfinished(layoutOf(root, files), { thorough }))
  const seen = (await quick)?.map(({ uuid }) => uuid) ?? []
  return ((await thorough) ?? []).flatMap(({ uuid }) => (seen.includes(uuid) ? [] : [`the note hides ${uuid}`]))
}

/** Does something in a world of its own, which goes with it. */
export async function inWorld<T>(settings: Settings, work: (world: World) => Promise<T>): Promise<T> {
  const world = layOut(settings)
  try {
    return await work(world)
  } finally {
    world.remove()
  }
}

/** One that is there already. */
export function worldAt(root: string): World {
  return {
    root,
    read: path => readFileSync(join(root, path), 'utf8'),
    has: path => existsSync(join(root, path)),
    tree: () => treeOf(root),
    state: () => namesBelow(join(root, '.relaycode')),
    committed: () => existsSync(join(root, '.relaycode', `${uuid}.yml`)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function treeOf(root: string): Tree {
  const tree: Record<string, string> = {}
  const first = new Map<number, string>()
  const names = new Map<number, number>()
  const all = namesBelow(root, '.relaycode')
  // Those that the project sees: while a stage is left, it has the old files as well.
  for (const path of all) {
    const { ino } = lstatSync(join(root, path))
    names.set(ino, (names.get(ino) ?? 0) + 1)
  }
  for (const path of all) {
    const stats = lstatSync(join(root, path))
    const many = names.get(stats.ino) ?? 1
    const twin = many > 1 && stats.isFile() ? ` ${many} names, one file with ${first.get(stats.ino) ?? path}` : ''
    if (!first.has(stats.ino)) first.set(stats.ino, path)
    tree[path] = described(join(root, path), stats, twin)
  }
  return tree
}

function described(path: string, stats: Stats, twin: string): string {
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`
  const about = `${(stats.mode & 0o7777).toString(8)} ${stats.uid}:${stats.gid}`
  if (stats.isDirectory()) return `folder ${about}`
  return stats.isFile() ? `file ${about}${twin} ${contentOf(path)}` : `other ${about}`
}

/** Short content as it is, so that a failure can be read; long content as its hash. */
function contentOf(path: string): string {
  const bytes = readFileSync(path)
  return bytes.length <= 200
    ? JSON.stringify(bytes.toString('latin1'))
    : createHash('sha256').update(bytes).digest('hex')
}

function namesBelow(folder: string, except?: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== except)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry =>
      entry.isDirectory()
        ? [`${entry.name}/`, ...namesBelow(join(folder, entry.name)).map(name => `${entry.name}/${name}`)]
        : [entry.name],
    )
}

/** What is in `.relaycode/` though nothing is under way; files that were put aside may be where that is expected. */
export function leftOver(world: World, mayRescue: boolean): string[] {
  const allowed =
    /^(\.gitignore|all-ended|lock\/|watch\/|ask\/|rescue\/|output\/.*|declined\/(\d+\.yml)?|history\.jsonl|last-(declined\.yml|checks\.json)|[0-9a-f-]{36}\.yml)$/
  return world
    .state()
    .filter(name => !allowed.test(name) && !(mayRescue && name.startsWith('rescue/')))
    .map(name => `left over: ${name}`)
}
