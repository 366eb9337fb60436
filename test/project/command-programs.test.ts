import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programsOf } from '../../src/project/command-programs.ts'
import { runWords } from '../../src/report/text/program-words.ts'
import { systemFiles } from '../../src/system/files/files.ts'
import { systemShell } from '../../src/system/shell.ts'
import { canRunWith } from '../support/has-program.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

function put(project: ScratchProject, path: string): void {
  project.write(path, '#!/bin/sh\n')
  chmodSync(join(project.root, path), 0o755)
}

async function programs(command: string, project: ScratchProject) {
  const root = realpathSync(project.root)
  return programsOf(command, root, {
    env: { PATH: `${root}/system:${process.env['PATH']}` },
    files: systemFiles(root),
    shell: systemShell,
  })
}

describe.runIf(canRunWith('git'))('the programs of a command', () => {
  it('are the project’s where PATH has none, and those of PATH where it has', async ({ onTestFinished }) => {
    const project = scratchProject()
    onTestFinished(project.remove)
    put(project, 'node_modules/.bin/ownlint')
    expect(await programs('CI=1 ownlint . && cd x; nolint', project)).toEqual([
      { name: 'ownlint', runs: 'node_modules/.bin/ownlint', own: 'node_modules/.bin/ownlint', isTracked: false },
      { name: 'nolint', runs: null, isTracked: false },
    ])
    put(project, 'system/ownlint')
    const [program] = await programs('ownlint .', project)
    expect(program === undefined ? '' : runWords(program)).toMatch(
      /^ownlint runs \S+\/system\/ownlint, which PATH has first, and not node_modules\/\.bin\/ownlint$/,
    )
  })

  it('that are not found are told with what is near', async ({ onTestFinished }) => {
    const project = scratchProject()
    onTestFinished(project.remove)
    put(project, '.venv/bin/ownlint')
    const [program] = await programs('ownlnt --all', project)
    expect(program === undefined ? '' : runWords(program)).toBe(
      "ownlnt is not found, neither on PATH nor among the project's own programs; did you mean `ownlint --all`?",
    )
  })

  it.each([['a file'], ['a folder behind a link']])('came with the clone where git tracks %s', async way => {
    const project = scratchProject()
    const isLinked = way !== 'a file'
    put(project, `${isLinked ? 'tools' : 'vendor'}/bin/ownlint`)
    put(project, 'vendor/bin/ownlint-more')
    if (isLinked) {
      mkdirSync(join(project.root, '.venv'))
      execFileSync('ln', ['-s', '../tools/bin', join(project.root, '.venv/bin')])
    }
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project.root, stdio: 'pipe' })
    git('init', '-q')
    git('add', 'vendor/bin/ownlint-more')
    expect(await programs('ownlint', project)).toMatchObject([{ isTracked: false }])
    git('add', isLinked ? 'tools' : 'vendor')
    expect(await programs('ownlint', project)).toMatchObject([{ isTracked: true }])
    project.remove()
  })
})
