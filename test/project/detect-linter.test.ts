import { describe, expect, it } from 'vitest'
import { detectLinter, mayRunProjectCode } from '../../src/project/detect-linter.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeSystem } from '../support/fake-system.ts'

const solution = '{\n  // Vite makes it so\n  "files": [ ],\n  "references": [{ "path": "./tsconfig.app.json" }]\n}'
const scripts = (all: Record<string, unknown>) => JSON.stringify({ scripts: all })

function detect(files: Record<string, string>, programs: readonly string[], root = '/project') {
  const { system, disk, shell } = fakeSystem({ files })
  disk.folder(root)
  for (const program of programs) shell.programs.set(program, `/usr/bin/${program}`)
  return detectLinter(root, system.files, system.shell)
}

const none = { command: '', why: 'none found, so nothing will be checked; set it in relaycode.config.json' }

describe('detectLinter', () => {
  it.each<[Record<string, string>, string[], string, string]>([
    [{ 'tsconfig.json': '{}' }, ['bun'], 'bun tsc --noEmit', 'found tsconfig.json and bun'],
    [{ 'tsconfig.json': solution }, ['bun'], 'bun tsc -b --noEmit', 'found tsconfig.json and bun'],
    [{ 'tsconfig.json': '{}', 'node_modules/.bin/tsc': '' }, ['npx', 'bun'], 'bun tsc --noEmit', 'found tsconfig.json and bun'],
    [{ 'tsconfig.json': '{}', 'node_modules/.bin/tsc': '' }, ['npx'], 'npx --no-install tsc --noEmit', 'found tsconfig.json and tsc'],
    [{ 'tsconfig.json': solution, 'node_modules/.bin/tsc': '' }, ['npx'], 'npx --no-install tsc -b --noEmit', 'found tsconfig.json and tsc'],
    [{ 'tsconfig.json': '{}', '/node_modules/.bin/tsc': '' }, ['npx'], 'npx --no-install tsc --noEmit', 'found tsconfig.json and tsc'],
    [{ 'tsconfig.json': '{}', 'node_modules/.bin/tsc': '', 'node_modules/.bin/vue-tsc': '' }, ['npx'], 'npx --no-install vue-tsc --noEmit', 'found tsconfig.json and vue-tsc'],
    [{ 'deno.jsonc': '{}' }, ['deno'], 'deno check .', 'found deno.jsonc and deno'],
    [{ 'biome.json': '{}', 'node_modules/.bin/biome': '' }, ['npx'], 'npx --no-install biome lint --max-diagnostics=none .', 'found biome.json and biome'],
    [{ 'eslint.config.mjs': '', 'node_modules/.bin/eslint': '' }, ['npx'], 'npx --no-install eslint .', 'found eslint.config.mjs and eslint'],
    [{ '.eslintrc.yml': '', 'node_modules/.bin/eslint': '' }, ['npx'], 'npx --no-install eslint .', 'found .eslintrc.yml and eslint'],
    [{ '.oxlintrc.json': '', 'node_modules/.bin/oxlint': '' }, ['npx'], 'npx --no-install oxlint', 'found .oxlintrc.json and oxlint'],
    [{ 'Cargo.toml': '' }, ['cargo'], 'cargo check', 'found Cargo.toml and cargo'],
    [{ 'go.mod': '' }, ['go'], 'go vet ./...', 'found go.mod and go'],
    [{ 'pyproject.toml': '' }, ['ruff', 'mypy'], 'ruff check .', 'found pyproject.toml and ruff'],
    [{ 'b.py': '', 'a.py': '' }, ['ruff'], 'ruff check .', 'found a.py and ruff'],
    [{ 'mypy.ini': '' }, ['mypy', 'ruff'], 'mypy .', 'found mypy.ini and mypy'],
    [{ 'setup.py': '' }, ['mypy'], 'mypy .', 'found setup.py and mypy'],
    [{ 'package.json': scripts({ lint: 'x', typecheck: 'y' }), 'node_modules/a/b': '' }, ['npm'], 'npm run --silent typecheck', 'found the script "typecheck" in package.json'],
    [{ 'package.json': scripts({ lint: 'standard' }), 'node_modules/a/b': '' }, ['npm'], 'npm run --silent lint', 'found the script "lint" in package.json'],
    [{ 'tsconfig.json': '{}', 'Cargo.toml': '' }, ['cargo', 'npx'], 'cargo check', 'found Cargo.toml and cargo'],
  ])('for %o with %o it is %s', async (files, programs, command, why) => {
    expect(await detect(files, programs)).toMatchObject({ command, why })
  }) // biome-ignore format: one line a case reads as a table

  it('names every other checker that fits, and of one file the first', async () => {
    const files = {
      'tsconfig.json': '{}',
      'eslint.config.js': '',
      'node_modules/.bin/tsc': '',
      'node_modules/.bin/eslint': '',
    }
    expect(await detect(files, ['npx', 'bun'])).toMatchObject({
      command: 'bun tsc --noEmit',
      others: [{ command: 'npx --no-install eslint .', why: 'found eslint.config.js and eslint' }],
    })
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['nothing is there', {}, ['bun', 'npx', 'npm', 'cargo', 'go', 'ruff', 'mypy', 'deno']],
    ['the program is missing', { 'tsconfig.json': '{}', 'Cargo.toml': '', 'go.mod': '', 'a.py': '' }, ['npx', 'npm']],
    ['there is no npx to run what is there', { 'tsconfig.json': '{}', 'node_modules/.bin/tsc': '' }, []],
    ['a file only ends alike', { 'my-tsconfig.json': '{}', '.py': '', 'src/a.py': '' }, ['bun', 'ruff']],
    ['the scripts change files', { 'package.json': scripts({ lint: 'eslint --fix .', 'type-check': 'tsc --watch' }), 'node_modules/a': '' }, ['npm']],
    ['the packages of the scripts are missing', { 'package.json': scripts({ lint: 'eslint .' }) }, ['npm']],
    ['the scripts are no scripts', { 'package.json': '{"scripts": [1, null]}', 'node_modules/a': '' }, ['npm']],
    ['a script is no text', { 'package.json': scripts({ lint: 1 }), 'node_modules/a': '' }, ['npm']],
    ['package.json holds null', { 'package.json': 'null', 'node_modules/a': '' }, ['npm']],
    ['package.json is broken', { 'package.json': '{', 'node_modules/a': '' }, ['npm']],
  ])('finds none where %s', async (_, files, programs) => {
    expect(await detect(files, programs)).toMatchObject(none)
  }) // biome-ignore format: one line a case reads as a table

  it.each<[Record<string, string>, string[], { file: string; program: string } | undefined]>([
    [{ 'tsconfig.json': '{}' }, ['npx'], { file: 'tsconfig.json', program: 'tsc' }],
    [{ 'eslint.config.js': '' }, ['npx'], { file: 'eslint.config.js', program: 'eslint' }],
    [{ 'tsconfig.json': '{}', 'Cargo.toml': '' }, ['npx'], { file: 'tsconfig.json', program: 'tsc' }],
    [{ 'b.py': '' }, [], { file: 'b.py', program: 'ruff' }],
    [{ 'package.json': '{}' }, ['npm'], undefined],
  ])('of %o with %o names what is missing: %o', async (files, programs, missing) => {
    expect((await detect(files, programs)).missing).toEqual(missing)
  })

  it('does not take a program whose package was removed', async () => {
    const { system, disk, shell } = fakeSystem({ files: { 'tsconfig.json': '{}', 'node_modules/a': '' } })
    disk.folder('node_modules/.bin')
    disk.symlink('../typescript/bin/tsc', 'node_modules/.bin/tsc')
    shell.programs.set('npx', '/usr/bin/npx')
    expect(await detectLinter('/project', system.files, system.shell)).toMatchObject(none)
  })

  it('goes on where a file may not be read', async () => {
    const { system, disk, shell } = fakeSystem({ files: { 'tsconfig.json': solution } })
    shell.programs.set('bun', '/usr/bin/bun')
    disk.onCall = name => {
      if (name === 'read') throw diskError('EACCES')
    }
    expect(await detectLinter('/project', system.files, system.shell)).toMatchObject({ command: 'bun tsc --noEmit' })
  })
})

describe('a command that may run code of the project', () => {
  it.each([
    'npx --no-install eslint .', 'npx --no-install oxlint', 'npm run --silent lint', 'cargo check', 'mypy .', 'pytest', 'make lint',
    'node lint.mjs', 'npx vitest run', 'tsc --noEmit && node x.js', 'biome lint . ; ./x', 'tsc | tee out', './gradlew check', 'go test ./...',
    'deno run x.ts', 'my-tsc', 'ruffian',
  ])('is told from one that only looks: %s', command => expect(mayRunProjectCode(command)).toBe(true)) // biome-ignore format: a list

  it.each([
    '', ' ', 'bun tsc --noEmit', 'npx --no-install tsc -b --noEmit', 'npx --no-install vue-tsc --noEmit', 'tsc', 'deno check .', 'go vet ./...',
    'ruff check .', 'npx --no-install biome lint --max-diagnostics=none .',
  ])('is not one that only looks: %s', command => expect(mayRunProjectCode(command)).toBe(false)) // biome-ignore format: a list
})
