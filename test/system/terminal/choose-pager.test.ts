import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findProgram } from '../../../src/system/find-program.ts'
import { choosePager } from '../../../src/system/terminal/choose-pager.ts'
import { hasProgram } from '../../support/has-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'relay-pagers-'))
const config = join(folder, 'gitconfig')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  vi.stubEnv('GIT_CONFIG_GLOBAL', config)
  vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null')
})

/** A PATH with git and just these. */
function pathWith(...programs: readonly string[]): string {
  const bin = mkdtempSync(join(folder, 'bin-'))
  for (const name of ['git', ...programs]) {
    const real = name === 'git' ? findProgram('git') : 'true'
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${real} "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}

async function chosen(
  env: NodeJS.ProcessEnv,
  {
    git = '',
    programs = ['less'],
    text = 'diff' as const,
  }: { git?: string; programs?: readonly string[]; text?: 'diff' | 'other' } = {},
): Promise<string> {
  writeFileSync(config, git)
  const pager = await choosePager({ PATH: pathWith(...programs), ...env }, text)
  return pager === undefined ? 'none' : `${pager.command} <- ${pager.takesPatch ? 'git' : 'relay'}`
}

const gits = '[core]\n\tpager = delta --dark\n'

describe.runIf(hasProgram('git'))('choosePager', () => {
  it('asks relay’s own wish, git’s, the general one, in this order', async () => {
    const env = { RELAY_PAGER: 'less -S', GIT_PAGER: 'diff-so-fancy | less', PAGER: 'more' }
    expect(await chosen(env, { git: gits })).toBe('less -S <- relay')
    expect(await chosen({ ...env, RELAY_PAGER: undefined }, { git: gits })).toBe('diff-so-fancy | less <- git')
    expect(await chosen({ PAGER: 'more' }, { git: gits })).toBe('delta --dark <- git')
    expect(await chosen({ PAGER: 'more' })).toBe('more <- relay')
    expect(await chosen({})).toBe('less -R <- relay')
    expect(await chosen({}, { programs: [] })).toBe('none')
  })

  it('takes what git’s configuration says of diffs alone, when that is a program', async () => {
    expect(await chosen({}, { git: `${gits}[pager]\n\tdiff = riff\n` })).toBe('riff <- git')
    expect(await chosen({}, { git: `${gits}[pager]\n\tdiff = false\n` })).toBe('delta --dark <- git')
    expect(await chosen({}, { git: '[core]\n\tpager = less -FRX\n' })).toBe('less -FRX <- relay')
    expect(await chosen({}, { git: '[core]\n\tpager = cat\n' })).toBe('none')
  })

  it('takes a delta that is installed, unless nothing is to be paged', async () => {
    const programs = ['less', 'delta']
    expect(await chosen({ PAGER: 'less' }, { programs })).toBe('delta <- git')
    expect(await chosen({ PAGER: 'cat' }, { programs })).toBe('none')
    expect(await chosen({ PAGER: '' }, { programs })).toBe('none')
    expect(await chosen({ RELAY_PAGER: '' }, { programs })).toBe('none')
    expect(await chosen({ GIT_PAGER: 'less' }, { programs })).toBe('less <- relay')
  })

  it('takes nothing from a repository’s own configuration, which may have come with the project', async () => {
    const repository = join(folder, 'repository')
    execFileSync('git', ['init', '-q', repository])
    execFileSync('git', ['-C', repository, 'config', 'core.pager', 'evil'])
    vi.stubEnv('GIT_DIR', join(repository, '.git'))
    expect(await chosen({})).toBe('less -R <- relay')
    expect(await chosen({}, { git: gits })).toBe('delta --dark <- git')
    vi.stubEnv('GIT_DIR', undefined)
  })

  it('takes no pager of diffs for another text', async () => {
    const env = { GIT_PAGER: 'delta', PAGER: 'more' }
    expect(await chosen(env, { git: gits, programs: ['delta'], text: 'other' })).toBe('more <- relay')
  })

  it.each([
    ['LESS=FRX less', 'relay'],
    ['/usr/bin/less -R', 'relay'],
    ['LC_ALL=C delta', 'git'],
    ['bat --style=plain', 'relay'],
    ['"my pager"', 'git'],
  ])('knows what %s takes', async (command, takes) => {
    expect(await chosen({ GIT_PAGER: command })).toBe(`${command} <- ${takes}`)
  })
})
