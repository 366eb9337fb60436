import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { World, write } from '../checkout/world.ts'

export { write }

/** The repository of a user, with a name to commit by. */
export class ShipWorld extends World {
  constructor(files: Readonly<Record<string, string>> = { 'a.txt': '1\n2\n3\n' }) {
    super()
    Object.assign(this.system, { env: { PATH: process.env['PATH'] ?? '', HOME: this.home, GIT_DIR: '/nowhere' } })
    this.commit(files)
    this.git('config', 'user.name', 'user')
    this.git('config', 'user.email', 'user@example.com')
  }

  /** A branch with one commit on top of another; the folder shows `main` again afterwards. */
  branch(name: string, files: Readonly<Record<string, string>>, from = 'main'): this {
    const tree = join(this.home, `branch-${name.replaceAll('/', '-')}`)
    this.git('worktree', 'add', '-q', '-b', name, tree, from)
    write(tree, files)
    this.gitIn(tree, 'add', '-A', '--force')
    this.gitIn(tree, 'commit', '-q', '-m', `work on ${name}`)
    this.git('worktree', 'remove', '--force', tree)
    return this
  }

  /** One commit on the branch that is checked out. */
  add(files: Readonly<Record<string, string>>): this {
    this.write(files)
    this.git('add', '-A')
    this.git('commit', '-q', '-m', 'more')
    return this
  }

  hook(name: string, script: string): this {
    mkdirSync(join(this.top, '.git/hooks'), { recursive: true })
    write(join(this.top, '.git/hooks'), { [name]: `#!/bin/sh\n${script}\n` })
    return this
  }

  /** Puts programs before those of the machine. */
  programs(scripts: Readonly<Record<string, string>>): this {
    write(join(this.home, 'bin'), scripts)
    const path = `${join(this.home, 'bin')}:${process.env['PATH']}`
    Object.assign(this.system.env, { PATH: path })
    return this
  }

  /** A bare repository beside, which a URL leads to; `origin` is that URL, and knows `main`. */
  bareRemote(url: string, name = 'origin'): string {
    const bare = join(this.home, `${name}.git`)
    this.gitIn(this.home, 'init', '-q', '--bare', '-b', 'main', bare)
    this.git('config', '--global', `url.${bare}.insteadOf`, url)
    this.git('remote', 'add', name, url)
    this.git('push', '-q', name, 'main')
    return bare
  }

  /** A file in the home. */
  read(path: string): string {
    return readFileSync(join(this.home, path), 'utf8')
  }

  gitPath(): string {
    return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  }

  commitAt(name: string): string {
    return this.git('rev-parse', name).trim()
  }

  /** What the user sees: the branch, its newest subjects, and what is not committed. */
  seen(branch = 'main'): string {
    return `${this.git('log', '--format=%s', '--first-parent', branch)}${this.git('status', '--porcelain', '--branch')}`
  }
}
