import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isTrackedByGit } from '../../src/project/tracked-by-git.ts'
import { systemFiles } from '../../src/system/files/files.ts'
import { canRunWith } from '../support/has-program.ts'

describe.runIf(canRunWith('git'))('git and .relaycode/', () => {
  let top: string
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.invalid', ...args], {
      cwd: top,
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], HOME: top, GIT_CONFIG_NOSYSTEM: '1' },
    })
  const write = (path: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), 'x\n')
  }
  const tracked = (project = '.') => isTrackedByGit(join(top, project), systemFiles(top))

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'relay-git-')))
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))

  it('are told apart without git', async () => {
    write('.relaycode/a.yml')
    expect(await tracked()).toBe(false)
    git('init', '-q')
    expect(await tracked()).toBe(false)
    write('.relaycodes')
    write('docs/.relaycode-example')
    git('add', '.relaycodes', 'docs')
    expect(await tracked()).toBe(false)
    git('add', '-f', '.relaycode')
    expect(await tracked()).toBe(true)
    git('rm', '-q', '-r', '--cached', '.relaycode')
    expect(await tracked()).toBe(false)
  })

  it('are told apart for a project below the top', async () => {
    git('init', '-q')
    write('packages/ui/.relaycode/a.yml')
    git('add', '.')
    expect(await tracked('packages/ui')).toBe(true)
    mkdirSync(join(top, 'packages/api'))
    expect(await tracked('packages/api')).toBe(false)
    expect(await tracked('packages')).toBe(false)
  })

  it('are told apart in an index of version 4, which leaves out how a path begins', async () => {
    git('init', '-q')
    write('.prettierrc')
    write('.relaycode/a.yml')
    git('add', '-f', '.')
    git('update-index', '--index-version', '4')
    expect(await tracked()).toBe(true)
  })

  it('are told apart in a work tree of its own', async () => {
    git('init', '-q')
    write('.relaycode/a.yml')
    git('add', '-f', '.')
    git('commit', '-q', '-m', 'x')
    git('worktree', 'add', '-q', 'tree')
    expect(await tracked('tree')).toBe(true)
  })

  it('are no reason for an error, whatever stands there', async () => {
    write('.git')
    expect(await tracked()).toBe(false)
    rmSync(join(top, '.git'))
    write('.git/index')
    expect(await tracked()).toBe(false)
  })
})
