import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Checkout, openCheckout } from '../../../src/agents/checkout/checkout.ts'
import type { PathState } from '../../../src/model/plan.ts'
import type { CheckoutSettings } from '../../../src/model/project.ts'
import type { System } from '../../../src/ports.ts'
import { systemFiles } from '../../../src/system/files/files.ts'
import { systemPrograms } from '../../../src/system/run-program.ts'
import { repositoryAt } from '../../support/repository.ts'

/** A user's home with a project in it, and the real git. */
export class World {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'relay-checkout-')))
  readonly top = join(this.home, 'project')
  readonly system: Pick<System, 'files' | 'programs' | 'env' | 'home' | 'interruption'>
  #opened = 0

  constructor() {
    mkdirSync(this.top)
    this.system = {
      files: systemFiles(this.home),
      programs: systemPrograms,
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: '/nowhere', GIT_AUTHOR_NAME: 'nobody' },
      home: this.home,
      interruption: new AbortController().signal,
    }
  }

  /** Where no path is given, in the project. */
  git(...args: readonly string[]): string {
    return this.gitIn(this.top, ...args)
  }

  gitIn(cwd: string, ...args: readonly string[]): string {
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home }
    const who = ['-c', 'user.name=user', '-c', 'user.email=user@example.com', '-c', 'protocol.file.allow=always']
    return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** A project whose files are committed. */
  commit(files: Readonly<Record<string, string | Uint8Array>>): this {
    repositoryAt(this.top, files, () => {
      this.git('init', '-q', '-b', 'main')
      write(this.top, files)
      this.git('add', '-A')
      this.git('commit', '-q', '--allow-empty', '-m', 'first')
    })
    return this
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): this {
    write(this.top, files)
    return this
  }

  async open(root = this.top, settings: Partial<CheckoutSettings> = {}): Promise<Checkout> {
    const folder = join(this.home, `state-${this.#opened++}`)
    mkdirSync(folder)
    return openCheckout(root, folder, this.system, {
      setup: '',
      link: [],
      copy: [],
      env: [],
      fresh: false,
      ...settings,
    })
  }

  /** As a later relay does. */
  async reopen({ cwd }: Checkout, settings: Partial<CheckoutSettings> = {}): Promise<Checkout> {
    return openCheckout(this.top, dirname(cwd), this.system, {
      setup: '',
      link: [],
      copy: [],
      env: [],
      fresh: false,
      ...settings,
    })
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** Writes files, making their folders. One with `#!` at its begin may be executed. */
export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, path)
    mkdirSync(dirname(at), { recursive: true })
    if (typeof content === 'string' && content.startsWith('-> ')) symlinkSync(content.slice(3), at)
    else writeFileSync(at, content)
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(at, 0o755)
  }
}

/** Every file below a folder, with its content in latin1, links as `-> where`; without a `.git` at its top, if so wished. */
export function treeOf(folder: string, skip = '.git'): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const at = join(folder, name)
    const path = relative(folder, at)
    if (skip !== '' && (path === skip || path.startsWith(`${skip}/`))) continue
    const stat = lstatSync(at)
    if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(at)}`
    else if (stat.isFile()) found[path] = `${stat.mode & 0o111 ? 'x ' : ''}${readFileSync(at, 'latin1')}`
  }
  return found
}

/** What was made, in words that read well in a test: `path: before => after`. */
export async function madeIn(checkout: Checkout): Promise<Record<string, string>> {
  const { changes, outside } = await checkout.changes()
  return Object.fromEntries([
    ...changes.map(({ path, base, made }) => [path, `${told(base)} => ${told(made)}`]),
    ...outside.map(path => [`outside ${path}`, 'changed']),
  ])
}

function told(state: PathState): string {
  if (state === null) return 'nothing'
  if (state.kind === 'link') return `-> ${state.to}`
  return `${state.mode === 0o755 ? 'x ' : ''}${JSON.stringify(Buffer.from(state.bytes).toString('latin1'))}`
}
