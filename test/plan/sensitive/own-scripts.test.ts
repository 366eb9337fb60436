import { describe, expect, it } from 'vitest'
import { commandsOf } from '../../../src/commands-of.ts'
import { mayRunScripts, ownScripts } from '../../../src/ground/own-scripts.ts'
import { ownPrograms } from '../../../src/plan/sensitive/own-programs.ts'
import { programsOf } from '../../../src/plan/sensitive/programs-of.ts'

const scripts = {
  lint: 'node scripts/lint.js && eslint src/app.ts',
  prelint: './tools/before',
  postlint: 'tsx scripts/after',
  check: 'npm run lint && npm-run-all "check:*"',
  'check:types': 'tsc -p build/strict.json',
  'check:names': 'python tools/names.py',
  test: 'vitest run test/unit.ts',
  both: 'concurrently "npm:check:names" "tsc"',
  build: 'esbuild --bundle src/main.ts',
  round: 'npm run round && ./bin/round',
  start: 'node src/server.js',
}

function whyAsk(linter: string, path: string, packageJson = JSON.stringify({ scripts })): string | undefined {
  return ownPrograms({ linter }, programsOf(ownScripts(commandsOf({ linter }), [packageJson]), true))(path)
}

describe('what a Makefile runs', () => {
  it.each([
    ['julia --project=. tools/check.jl', 'tools/check.jl'],
    ['go run tools/check.go ./...', 'tools/check.go'],
    ['cd tools/check && go run . ../..', 'tools/check/main.go'],
    ['go run -C tools/check .', 'tools/check/main.go'],
    ['dart run tool/check.dart', 'tool/check.dart'],
    ['dart tool/check.dart lib', 'tool/check.dart'],
    ['swift tools/check.swift', 'tools/check.swift'],
    ['dotnet run tools/check.cs', 'tools/check.cs'],
    ['mix run tools/check.exs', 'tools/check.exs'],
    ['elixir tools/check.exs', 'tools/check.exs'],
    ['java tools/Check.java src', 'tools/check.java'],
    ['kotlinc -script tools/check.kts', 'tools/check.kts'],
    ['runghc tools/Check.hs', 'tools/check.hs'],
    ['ocaml tools/check.ml', 'tools/check.ml'],
    ['nim r tools/check.nim', 'tools/check.nim'],
    ['guile -s tools/check.scm', 'tools/check.scm'],
    ['sbcl --script tools/check.lisp', 'tools/check.lisp'],
    ['emacs --batch -l tools/check.el', 'tools/check.el'],
    ['nvim -l tools/check.lua', 'tools/check.lua'],
    ['vim -es -S tools/check.vim', 'tools/check.vim'],
    ['pipx run tools/check.py', 'tools/check.py'],
    ['pdm run python tools/check.py', 'tools/check.py'],
    ['$(PYTHON) tools/check.py', 'tools/check.py'],
    ['./tools/check.ml', 'tools/check.ml'],
  ])('%s runs %s', (recipe, path) => {
    expect(whyAsk('make lint', path, `lint:\n\t${recipe}\n`)).toMatch(/^is (?:run|read) by `linter`$/)
    expect(whyAsk('bmake lint', path, `lint:\n\t${recipe}\n`)).toMatch(/^is (?:run|read) by `linter`$/)
  })

  it.each([
    ['$(CC) $(CFLAGS) main.c -o main', 'main.c'],
    ['$(CXX) -c src/main.cpp', 'src/main.cpp'],
    ['dart format lib/main.dart', 'lib/main.dart'],
    ['dart analyze lib && dart test', 'lib/main.dart'],
    ['go vet main.go && go test ./...', 'main.go'],
    ['swift build && swift test', 'test.js'],
    ['emacs --batch -f batch-byte-compile main.el', 'main.el'],
    ['mix format lib/main.ex', 'lib/main.ex'],
    ['dotnet format src/Main.cs', 'src/main.cs'],
    ['pdm run mypy src/app.py', 'src/app.py'],
    ['pipx run ruff check tests', 'tests.py'],
  ])('%s does not run %s', (recipe, path) => expect(whyAsk('make lint', path, `lint:\n\t${recipe}\n`)).toBeUndefined())

  it.each([
    ['make lint', 'VERSION := $(shell tools/version.py $(NAME))', 'tools/version.py'],
    ['make lint', 'VERSION := $(shell $(PYTHON) $(call quoted,-B) tools/version.py)', 'tools/version.py'],
    ['make', 'VERSION != python tools/version.py', 'tools/version.py'],
    ['just lint', 'version := `node tools/version`', 'tools/version.js'],
  ])('%s runs what gives a variable its value: %s', (linter, line, path) =>
    expect(whyAsk(linter, path, `${line}\nlint:\n\teslint .\n`)).toBe('is run by `linter`'),
  )

  it.each([
    ['LINT = python tools/lint.py', '@$(LINT) src', 'tools/lint.py'],
    ['LINT := node tools/lint # ours', '$(LINT)', 'tools/lint.js'],
    ['LINT ?= tools/lint.py', '-$(LINT) --fix', 'tools/lint.py'],
  ])('%s is what the recipe %s runs', (line, recipe, path) => {
    expect(whyAsk('make lint', path, `${line}\nlint:\n\t${recipe}\n`)).toBe('is run by `linter`')
    expect(whyAsk('make lint', path, `lint:\n\t${recipe}\n${line}\n`)).toBe('is run by `linter`')
    expect(whyAsk('make lint', path, `${line}\nlint:\n\teslint .\nother:\n\t${recipe}\n`)).toBeUndefined()
  })

  it.each([
    ['SOURCES = src/main.py src/app.py', 'ruff check $(SOURCES)', 'src/main.py'],
    ['SOURCES = src/main.py src/app.py', '$(LINTER) $(SOURCES)', 'src/main.py'],
    ['CHECK = ruff check src/main.py', '$(CHECK)', 'src/main.py'],
    ['CC = gcc', '$(CC) main.c', 'main.c'],
  ])('of %s the recipe %s runs no file that it looks at', (line, recipe, path) =>
    expect(whyAsk('make lint', path, `${line}\nlint:\n\t${recipe}\n`)).toBeUndefined(),
  )

  it('runs none of these for a script of package.json, and reads no file that is only listed', () => {
    const makefile =
      'FILES = $(shell find src/main.js -name main.js)\nV := $(shell python tools/v.py)\ncheck:\n\teslint .\n'
    expect(whyAsk('npm run lint', 'tools/v.py', makefile)).toBeUndefined()
    expect(whyAsk('make check', 'src/main.js', makefile)).toBeUndefined()
  })

  it.each(['FILES := $(shell find src -name "*.py") main.py', 'FILES=main.py $(shell find src)'])(
    'runs no file that is listed beside it: %s',
    line => expect(whyAsk('make check', 'main.py', `${line}\ncheck:\n\teslint .\n`)).toBeUndefined(),
  )
})

describe('what composer, Deno and Wireit run', () => {
  it.each([
    ['composer lint', '{"scripts":{"lint":"@php -d x=1 tools/lint.php"}}', 'tools/lint.php'],
    ['deno task lint', '{"tasks":{"lint":{"dependencies":["own"]},"own":"deno run tools/own.ts"}}', 'tools/own.ts'],
    ['npm run lint', '{"scripts":{"lint":"wireit"},"wireit":{"lint":{"command":"node tools/own"}}}', 'tools/own.js'],
  ])('%s of %s', (linter, json, path) => expect(whyAsk(linter, path, json)).toBe('is run by `linter`'))

  it('is no file that has the name of a task', () => {
    const json = '{"tasks":{"lint":{"command":"deno lint","dependencies":["own"]},"own":"deno run tools/own.ts"}}'
    expect(whyAsk('npm run lint', 'own.ts', json)).toBeUndefined()
    expect(whyAsk('npm run lint', 'task.ts', json)).toBeUndefined()
  })
})

describe('ownScripts', () => {
  it.each([
    ['npm run --silent lint', 'scripts/lint.js'],
    ['npm run lint', 'tools/before'],
    ['yarn lint', 'scripts/after.ts'],
    ['cd . && pnpm lint', 'scripts/lint.js'],
    ['node --run lint', 'scripts/lint.js'],
    ['bun run check', 'scripts/lint.js'],
    ['npm run check', 'tools/names.py'],
    ['npm run both', 'tools/names.py'],
    ['npm-run-all check:*:all', 'tools/names.py'],
    ['npm.cmd run round', 'bin/round'],
  ])('%s runs %s', (linter, path) => expect(whyAsk(linter, path)).toBe('is run by `linter`'))

  it.each([
    'if ! tools/check; then exit 1; fi',
    'for each in web api; do tools/check $each; done',
    '{ time tools/check; }',
    'env -i CI=1 tools/check',
    'cross-env CI=1 tools/check',
    'timeout -k 5s 60 tools/check',
    'sudo -u me tools/check',
    'ls | xargs -n 1 tools/check',
    'npx -y -p tool tools/check',
    'npm exec -- tools/check',
    'concurrently -k "vite build src/app.ts" "tools/check"; vite',
    'concurrently -n a \'env CI=1 "tools/check"\'; vite',
    'exec tools/check 2>&1',
    'cmd.exe /c tools/check',
  ])('finds the program that %s starts', lint => {
    const packageJson = JSON.stringify({ scripts: { lint: `${lint} src/app.ts` } })
    expect(whyAsk('npm run lint', 'tools/check', packageJson)).toBe('is run by `linter`')
    expect(whyAsk('npm run lint', 'src/app.ts', packageJson)).toBeUndefined()
  })

  it('finds the settings that a script takes', () => {
    expect(whyAsk('npm run check', 'build/strict.json')).toBe('is read by `linter`')
  })

  it.each([
    ['npm run lint', 'src/app.ts'],
    ['npm run lint', 'src/server.js'],
    ['npm t', 'test/unit.ts'],
    ['npm run build', 'src/main.ts'],
    ['tsc lint', 'scripts/lint.js'],
    ['npm run other', 'scripts/lint.js'],
    ['npm run test -- *', 'scripts/lint.js'],
  ])('%s does not run %s, or only as what it works on', (linter, path) => expect(whyAsk(linter, path)).toBeUndefined())

  it.each(['', '{', '[]', 'null', '{"scripts":[]}', '{"scripts":{"lint":[1,{}]}}'])('finds none in %s', packageJson =>
    expect(whyAsk('npm run lint', 'scripts/lint.js', packageJson)).toBeUndefined(),
  )

  it('follows scripts that run each other, however many', () => {
    const ring = Array.from({ length: 20_000 }, (_, at) => [`s${at}`, `npm run s${at + 1} s0`])
    const packageJson = JSON.stringify({ scripts: { ...Object.fromEntries(ring), s20000: './bin/last' } })
    expect(whyAsk('npm run s0', 'bin/last', packageJson)).toBe('is run by `linter`')
  })

  it('reads a Makefile that runs more commands at once than there is room for on the stack', () => {
    const makefile = `X := ${'$(shell true)'.repeat(200_000)}\nlint:\n\t./bin/last\n`
    const commands = ownScripts([{ key: 'linter', command: 'make lint' }], [makefile]).map(({ command }) => command)
    expect(commands.some(command => command.endsWith('./bin/last'))).toBe(true)
  })

  it('takes no long time for as many patterns', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => at)
    const all = Object.fromEntries(many.map(at => [`y:${at}`, 'tsc']))
    const lint = `npm-run-all ${many.map(at => `x${at}:*`).join(' ')} last`
    const packageJson = JSON.stringify({ scripts: { ...all, lint, last: './bin/last' } })
    expect(whyAsk('npm run lint', 'bin/last', packageJson)).toBe('is run by `linter`')
  }, 10_000)

  it('is only looked for where a command may run scripts', () => {
    expect(mayRunScripts(commandsOf({ linter: 'tsc --noEmit', postCommand: 'npx prettier .' }))).toBe(false)
    expect(mayRunScripts(commandsOf({ linter: 'tsc --noEmit', postCommand: 'npm test -- --run' }))).toBe(true)
  })
})
