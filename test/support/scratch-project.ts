import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parse } from 'yaml'
import { agreeTo } from './state-home.ts'

/** A project in a folder of its own on the real disk. */
export interface ScratchProject {
  readonly root: string
  write(path: string, content: string | Uint8Array): void
  read(path: string): string
  /** Every file of the project and its text, links as `-> where`, folders with a `/`; without relay's own. */
  tree(): Record<string, string>
  /** The entries and stages in `.relaycode/`, sorted: each name begins with a uuid. */
  journal(): readonly string[]
  /** One entry, as a YAML reader sees it. */
  entry(name: string): Record<string, unknown>
  history(): readonly Record<string, unknown>[]
  remove(): void
}

/** With `null` for the configuration it has none. The user has agreed to the commands in it. */
export function scratchProject(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  config: Readonly<Record<string, unknown>> | null = {},
): ScratchProject {
  const root = mkdtempSync(join(tmpdir(), 'relay-project-'))
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  if (config !== null) {
    write('relaycode.config.json', JSON.stringify({ projectId: 'demo', ...config }))
    agreeTo(root, config)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)

  return {
    root,
    write,
    read,
    tree: () => treeAt(root),
    journal: () =>
      readdirSync(join(root, '.relaycode'))
        .filter(name => /^[0-9a-f]{8}-.*\.(yml|stage)$/.test(name))
        .sort(),
    entry: name => parse(read(join('.relaycode', name)), { version: '1.2' }) as Record<string, unknown>,
    history: () =>
      read('.relaycode/history.jsonl')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Record<string, unknown>),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Every file below a folder as `tree` tells it. */
export function treeAt(root: string): Record<string, string> {
  return Object.fromEntries(below(root, root))
}

function below(folder: string, root: string): [string, string][] {
  return readdirSync(folder)
    .sort()
    .filter(name => folder !== root || name !== '.relaycode')
    .flatMap((name): [string, string][] => {
      const path = join(folder, name)
      const here = relative(root, path)
      const found = lstatSync(path)
      if (found.isSymbolicLink()) return [[here, `-> ${readlinkSync(path)}`]]
      if (!found.isDirectory()) return [[here, readFileSync(path, 'utf8')]]
      return [[`${here}/`, ''], ...below(path, root)]
    })
}
