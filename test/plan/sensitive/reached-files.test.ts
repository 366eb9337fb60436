import { describe, expect, it } from 'vitest'
import type { WithCommands } from '../../../src/commands-of.ts'
import { ownPrograms } from '../../../src/plan/sensitive/own-programs.ts'
import { reachedFiles } from '../../../src/plan/sensitive/reached-files.ts'

const NOT_LOOKED = 'is in a part of the project that was not looked at: the patch reaches too many'

/** What a patch of one file would be asked about, in a project of these files. */
async function whyAsk(files: Readonly<Record<string, string>>, path: string, config: WithCommands = {}) {
  const names = Object.keys(files)
  const inside = (folder: string) =>
    names.filter(name => name.startsWith(folder)).map(name => name.slice(folder.length))
  const reached = await reachedFiles(config, [path], {
    read: async name => (files[name] === undefined ? [] : [files[name]]),
    has: async name => files[name] !== undefined,
    list: async folder => [...new Set(inside(folder === '' ? '' : `${folder}/`).map(name => name.split('/')[0] ?? ''))],
  })
  return ownPrograms(config, reached)(path)
}

describe('what a settings file loads', () => {
  it.each([
    ['eslint.config.js', `import rule from './tools/rule.js'`, 'tools/rule.js'],
    ['eslint.config.js', `import rule from "./tools/rule.js"`, 'Tools/Rule.js'],
    ['eslint.config.mjs', `import './tools/rule'`, 'tools/rule.ts'],
    ['eslint.config.mjs', `import rules from './tools'`, 'tools/index.js'],
    ['eslint.config.cjs', `module.exports = require('./tools/rule')`, 'tools/rule.cjs'],
    ['eslint.config.cjs', `module.exports = require ( "./tools/rule.js" )`, 'tools/rule.js'],
    ['vite.config.ts', `import { plugin } from './build/plugin.js'`, 'build/plugin.ts'],
    ['vite.config.ts', `const plugin = await import('./build/plugin.ts')`, 'build/plugin.ts'],
    ['next.config.js', `import './src/env.js'`, 'src/env.js'],
    ['.eslintrc.cjs', `module.exports = { extends: ['./lint/base.js'] }`, 'lint/base.js'],
    ['.eslintrc.json', `{"extends": "./lint/base"}`, 'lint/base.js'],
    ['.eslintrc.yml', `extends:\n  - ./lint/base.js\n`, 'lint/base.js'],
    ['.stylelintrc', `plugins: [./lint/plugin.cjs, ./lint/other.cjs]`, 'lint/other.cjs'],
    ['webpack.common.js', `const plugin = require('./build/plugin')`, 'build/plugin.js'],
    ['gulpfile.mjs', `export * from './tasks/all.js'`, 'tasks/all.js'],
    ['babel.config.js', `module.exports = { plugins: ['./build/strip'] }`, 'build/strip.js'],
    ['babel.config.js', `module.exports = { plugins: ['./src/strip.js'] }`, 'src/strip.js'],
    ['babel.config.js', `const plugins = require('./src')`, 'src/index.js'],
    ['packages/app/eslint.config.js', `import rule from './tools/rule.js'`, 'packages/app/tools/rule.js'],
    ['.eslintrc.json', `{"ignorePatterns": ["./a.js"], "extends": ["./lint/base"]}`, 'lint/base.js'],
    ['babel.config.js', `alias: { a: './a' }, plugins: [['./build/strip', { root: ['./src'] }]]`, 'build/strip.js'],
    ['babel.config.js', `alias: { '@': require('./build/alias') }`, 'build/alias.js'],
    ['package.json', `{"prettier": "./settings/format.js"}`, 'settings/format.js'],
    ['package.json', `{"eslintConfig": {"extends": ["./lint/base"]}}`, 'lint/base.js'],
    ['packages/app/package.json', `{"stylelint": {"plugins": ["./lint/a.cjs"]}}`, 'packages/app/lint/a.cjs'],
    ['cspell.json', `{"reporters": ["./src/report.cjs"]}`, 'src/report.cjs'],
    ['.rubocop.yml', 'require:\n  - ./lib/cops/rule\n  - ./lib/cops/rule.rb\n', 'lib/cops/rule.rb'],
    ['mypy.ini', '[mypy]\nstrict = True\nplugins = ./tools/plugin.py\n', 'tools/plugin.py'],
    ['setup.cfg', '[mypy]\nplugins =\n  pydantic.mypy,\n  tools.plugin\n', 'tools/plugin.py'],
    ['pyproject.toml', '[tool.mypy]\nplugins = [\n  "tools.plugin:entry",\n]\n', 'tools/plugin.py'],
    ['pyproject.toml', '[tool.pylint.main]\nload-plugins = ["tools.rules.names"]\n', 'tools/rules/__init__.py'],
    ['.pylintrc', '[MASTER]\nload-plugins=pylint.extensions.mccabe,tools.plugin\n', 'tools/plugin.py'],
    [
      '.flake8',
      '[flake8:local-plugins]\nextension =\n  X1 = rule:Rule\npaths = ./tools/rules\n',
      'tools/rules/rule.py',
    ],
    ['Makefile', '-include main.d $(DEPS) # ours\nlint:\n', 'main.d'],
    ['packages/app/Makefile', 'include build/rules.inc\n', 'packages/app/build/rules.inc'],
    ['Cargo.toml', '[package]\nbuild = "build/main.rs"\n', 'build/main.rs'],
    ['phpstan.neon', 'parameters:\n  bootstrapFiles:\n    - tools/load.php\n', 'tools/load.php'],
    ['.prettierrc', `{"plugins": ["prettier-plugin-x", "tools/sort.mjs"]}`, 'tools/sort.mjs'],
    ['.prettierrc.yml', 'plugins:\n  - tools/sort.mjs\n', 'tools/sort.mjs'],
    ['package.json', `{"prettier": {"plugins": ["tools/sort.mjs"]}}`, 'tools/sort.mjs'],
    ['.markdownlint-cli2.jsonc', `{"customRules": ["tools/rule.mjs"]}`, 'tools/rule.mjs'],
    ['redocly.yaml', 'plugins:\n  - ./tools/rule.js\n', 'tools/rule.js'],
    ['deno.json', `{"lint": {"plugins": ["./tools/rule.ts"]}}`, 'tools/rule.ts'],
    ['bunfig.toml', 'preload = ["./tools/first.ts"]\n', 'tools/first.ts'],
    ['bunfig.toml', '[test]\npreload = "./tools/first.ts"\n', 'tools/first.ts'],
    ['nx.json', `{"plugins": [{"plugin": "./tools/plugin.ts"}]}`, 'tools/plugin.ts'],
    ['.htmlvalidate.json', `{"plugins": ["./tools/rule.js"]}`, 'tools/rule.js'],
    ['psalm.xml', '<plugins><plugin filename="tools/Rule.php"/></plugins>', 'tools/Rule.php'],
    ['phpcs.xml.dist', '<rule ref="./tools/Sniff.php"/>', 'tools/Sniff.php'],
    ['.phpcs.xml', '<autoload>./tools/load.php</autoload>', 'tools/load.php'],
  ])('%s: %s makes that of %s', async (settings, text, path) => {
    const files = { 'packages/app/package.json': '{}', [settings]: text }
    expect(await whyAsk(files, path)).toBe(`is loaded by ${settings}`)
  })

  it('is asked about also where it is only loaded by way of others', async () => {
    const files = {
      'eslint.config.js': `import rules from './tools/rules/index.js'`,
      'tools/rules/index.js': `export { one } from './one.js'`,
      'tools/rules/one.js': `const words = require('../words')`,
    }
    expect(await whyAsk(files, 'tools/words.js')).toBe('is loaded by eslint.config.js')
  })

  it.each([
    ['vite.config.ts', `build: { lib: { entry: './index.ts' } }`, 'index.ts'],
    ['webpack.config.js', `entry: './src/main.js'`, 'src/main.js'],
    ['vite.config.ts', `'@': fileURLToPath(new URL('./src', import.meta.url))`, 'src/index.ts'],
    ['tailwind.config.js', `content: ['./index.html', './ui/**/*.tsx', './ui/a.tsx']`, 'ui/a.tsx'],
    ['tsconfig.json', `{"files": ["./main.ts"]}`, 'main.ts'],
    ['babel.config.js', `alias: { '@': './src', '@ui': './src/ui' }`, 'src/index.ts'],
    ['babel.config.js', `alias: { '@': './src', '@ui': './src/ui' }`, 'src/ui/index.ts'],
    ['.prettierrc', `{"tailwindStylesheet": "./resources/css/app.css"}`, 'resources/css/app.css'],
    ['eslint.config.js', `ignores: ['./dist', "./src/api.ts"], rules: {}`, 'src/api.ts'],
    ['.eslintrc.json', `{"overrides": [{"files": "./server.js", "excludedFiles": ["./a.js"]}]}`, 'server.js'],
    ['babel.config.js', `root: ['./src'], alias: { '@': path.resolve('./src'), ui: './src/ui' }`, 'src/ui/index.ts'],
    ['.prettierrc', `{"tailwindStylesheet": "./src/app.css"}`, 'src/app.css'],
    ['eslint.config.js', `import rule from '../tools/rule.js'`, 'tools/rule.js'],
    ['eslint.config.js', `import rule from 'tools/rule.js'`, 'tools/rule.js'],
    ['src/app.ts', `import './tools/rule.js'`, 'src/tools/rule.js'],
    [
      'package.json',
      `{"main": "./index.js", "bin": {"a": "./cli.js"}, "babel": {"alias": {"@": "./a.js"}}}`,
      'index.js',
    ],
    ['package.json', `{"main": "./index.js", "bin": {"a": "./cli.js"}, "babel": {"alias": {"@": "./a.js"}}}`, 'a.js'],
    ['cspell.json', `{"files": ["./a.js"], "dictionaryDefinitions": [{"path": "./words.txt"}]}`, 'words.txt'],
    ['pyproject.toml', '[project]\nname = "app.main"\n[tool.ruff]\nexclude = ["app/main.py"]\n', 'app/main.py'],
    ['Makefile', 'include $(wildcard *.d) mk/*.inc\n', 'main.d'],
    ['.prettierrc', `{"plugins": [], "overrides": [{"files": "tools/a.js"}]}`, 'tools/a.js'],
    ['psalm.xml', '<projectFiles><file name="src/A.php"/></projectFiles>', 'src/A.php'],
    ['phpcs.xml', '<file>src/A.php</file><rule ref="PSR12"/>', 'src/A.php'],
    ['Cargo.toml', '[dependencies]\nbuild = "1"\n[lib]\npath = "src/lib.rs"\n', 'src/lib.rs'],
  ])('is not what it only names: %s: %s', async (settings, text, path) => {
    expect(await whyAsk({ [settings]: text }, path)).toBeUndefined()
  })

  it('is also asked about in a part that lies among apps', async () => {
    const files = {
      'apps/web/package.json': '{}',
      'apps/web/eslint.config.js': `import rules from './tools/rules.js'; import words from './src/words.js'`,
      'apps/web/tools/rules.js': `import './one.js'`,
      'apps/web/src/words.js': `import './one.js'`,
    }
    expect(await whyAsk(files, 'apps/web/tools/one.js')).toBe('is loaded by apps/web/eslint.config.js')
    expect(await whyAsk(files, 'apps/web/src/one.js')).toBeUndefined()
  })

  it("stops at the app's own code", async () => {
    const files = {
      'vite.config.ts': `import { routes } from './src/routes.ts'; import { pages } from './build/pages.ts'`,
      'src/routes.ts': `import './page.ts'`,
      'build/pages.ts': `import '../src/page.ts'`,
    }
    expect(await whyAsk(files, 'src/page.ts')).toBeUndefined()
    expect(await whyAsk(files, 'src/routes.ts')).toBe('is loaded by vite.config.ts')
  })
})

describe('what a command comes to by way of a file', () => {
  const files = {
    'package.json': '{"scripts":{"lint":"turbo run lint","check":"tsx scripts/check.ts","all":"make all"}}',
    'scripts/check.ts': `import { help } from './help.js'\nimport { api } from '../src/api.ts'\nimport '../index.ts'`,
    'scripts/help.ts': `import('./deep/er.js')`,
    'packages/app/package.json': '{"scripts":{"lint":"node tools/lint.js","start":"node tools/start.js"}}',
    'packages/app/tools/lint.js': `import './rules.js'\nimport '../src/rules.js'`,
    'test/all.js': `import '../models/user.js'`,
    'user.test.js': `import './models/user.js'`,
    'bin/lint': '#!/usr/bin/env bash\nset -e\nnode tools/names.js && eslint src\n',
    'bin/all.sh': [
      'cd "$(dirname "$0")"',
      'python3 words.py',
      './bin/more.sh',
      'node src/api.js',
      'node scripts/src/names.js',
      'node tests/api.js',
      '',
    ].join('\n'),
    'src/api.js': `import './lib/api.js'`,
    'scripts/src/names.js': `import './words.js'`,
    'tests/api.js': `import '../models/user.js'`,
    'bin/more.sh': 'python3 check.py\n',
    'bin/long.sh': `${'echo so it goes on, line by line\n'.repeat(1000)}cd tools\n./words.py\n`,
    'tools/Makefile': 'lint:\n\t@node check.js\n',
    Makefile: [
      'NODE := node',
      '.PHONY: all lint',
      'all: lint \\\n  types',
      '\t$(NODE) make/all.js',
      'lint types:: before',
      '\t@node make/lint.js \\',
      '\t  --strict',
      '\t$(MAKE) -C tools lint',
      'before:',
      '\tpython make/before.py',
      'check:',
      '\tuv run ruff check',
      '\tpoetry start',
      'start run:',
      '\tnode make/start.js',
      'app.o: app.c',
      '\tcc -Wall -c app.c -o app.o',
      '',
    ].join('\n'),
    justfile: 'check arg="x": names\n    node just/check.js\nnames:\n    ./just/names\n',
    'composer.json': '{"scripts":{"lint":["@style","php tools/lint.php"],"style":"php tools/style.php"}}',
    'deno.json': '{"tasks":{"lint":{"command":"deno run tools/deno.ts"},"check":"deno check -c tools/d.json main.ts"}}',
  }

  it.each([
    ['npm run check', 'scripts/help.ts', 'is loaded by scripts/check.ts'],
    ['tsx scripts/check', 'scripts/deep/er.ts', 'is loaded by scripts/check'],
    ['./bin/lint', 'tools/names.js', 'is loaded by bin/lint'],
    ['bin/all.sh', 'bin/words.py', 'is loaded by bin/all.sh'],
    ['bin/all.sh', 'src/api.js', 'is loaded by bin/all.sh'],
    ['bin/all.sh', 'scripts/src/names.js', 'is loaded by bin/all.sh'],
    ['bin/all.sh', 'scripts/src/words.js', 'is loaded by bin/all.sh'],
    ['bin/all.sh', 'tests/api.js', 'is loaded by bin/all.sh'],
    ['bash bin/all.sh', 'check.py', 'is loaded by bin/all.sh'],
    ['bin/long.sh', 'tools/words.py', 'is loaded by bin/long.sh'],
    ['npm run lint', 'packages/app/tools/lint.js', 'is run by `linter`'],
    ['npm run lint -w app', 'packages/app/tools/lint.js', 'is run by `linter`'],
    ['npm --prefix packages/app run lint', 'packages/app/tools/lint.js', 'is run by `linter`'],
    ['cd packages/app && npm run lint', 'packages/app/tools/lint.js', 'is run by `linter`'],
    ['npm run lint -w app', 'packages/app/tools/rules.js', 'is loaded by packages/app/tools/lint.js'],
    ['make', 'make/all.js', 'is run by `linter`'],
    ['make run', 'make/start.js', 'is run by `linter`'],
    ['make -s lint', 'make/lint.js', 'is run by `linter`'],
    ['make lint', 'make/before.py', 'is run by `linter`'],
    ['make types', 'tools/check.js', 'is run by `linter`'],
    ['npm run all', 'make/all.js', 'is run by `linter`'],
    ['just check', 'just/names', 'is run by `linter`'],
    ['composer lint', 'tools/lint.php', 'is run by `linter`'],
    ['composer run-script lint', 'tools/style.php', 'is run by `linter`'],
    ['deno task lint', 'tools/deno.ts', 'is run by `linter`'],
    ['deno task check', 'tools/d.json', 'is read by `linter`'],
  ])('%s comes to %s', async (linter, path, why) => expect(await whyAsk(files, path, { linter })).toBe(why))

  it.each([
    ['npm run check', 'src/api.ts'],
    ['bin/all.sh', 'src/lib/api.js'],
    ['bin/all.sh', 'models/user.js'],
    ['shellcheck bin/all.sh', 'bin/words.py'],
    ['npm run check', 'index.ts'],
    ['npm run lint', 'packages/app/tools/start.js'],
    ['tsc', 'packages/app/tools/lint.js'],
    ['make lint', 'make/start.js'],
    ['make check', 'make/start.js'],
    ['make lint', 'make/all.js'],
    ['just names', 'just/check.js'],
    ['npm run lint', 'make/start.js'],
    ['pnpm -r run lint', 'make/start.js'],
    ['npm run lint', 'packages/app/src/rules.js'],
    ['make app.o', 'app.c'],
    ['deno task check', 'main.ts'],
    ['node test/all.js', 'models/user.js'],
    ['node --test user.test.js', 'models/user.js'],
  ])('%s does not come to %s', async (linter, path) => expect(await whyAsk(files, path, { linter })).toBeUndefined())
})

describe('what a program loads from below its own folder', () => {
  const files = {
    'package.json': '{"scripts":{"lint":"node scripts/check.js"}}',
    'scripts/check.js': `require('./lib/words'); require('./src/a'); require('../lib/api'); require('../app/one.js')`,
    'scripts/lib/words.js': `require('../tests/names'); require('../../lib/other')`,
    'scripts/src/a.js': `require('./b')`,
    'scripts/package.json': '{"type":"commonjs"}',
    'tools/src/check.js': `require('./rule'); require('../lib/rule')`,
    'src/cli.js': `require('./lib/app'); require('./app')`,
    'web/package.json': '{"scripts":{"lint":"node check.js; node tools/check.js; ./lint.sh"}}',
    'web/check.js': `require('./src/a')`,
    'web/lint.sh': 'node check.js\n',
    'web/tools/check.js': `require('./lib/rule'); require('../src/a')`,
    'eslint.config.js': `import rules from './rules/index.js'; import web from './web/index.js'`,
    'rules/index.js': `import './lib/one.js'`,
    'web/index.js': `import './src/a.js'`,
    'lint.sh': 'node scripts/check.js',
    'bin/lint.sh': 'cd "$(dirname "$0")"\nnode lib/words.js\n',
  }

  it.each([
    ['node scripts/check.js', 'scripts/lib/words.js', 'is loaded by scripts/check.js'],
    ['node scripts/check', 'scripts/lib/words.js', 'is loaded by scripts/check'],
    ['npm run lint', 'scripts/src/a.js', 'is loaded by scripts/check.js'],
    ['./lint.sh', 'scripts/src/b.js', 'is loaded by lint.sh'],
    ['sh bin/lint.sh', 'bin/lib/words.js', 'is loaded by bin/lint.sh'],
    ['cd scripts && node check.js', 'scripts/tests/names.js', 'is loaded by scripts/check.js'],
    ['node tools/src/check.js', 'tools/src/rule.js', 'is loaded by tools/src/check.js'],
    ['node tools/src/check.js', 'tools/lib/rule.js', 'is loaded by tools/src/check.js'],
    ['npm run lint -w web', 'web/tools/lib/rule.js', 'is loaded by web/tools/check.js'],
    ['eslint .', 'rules/lib/one.js', 'is loaded by eslint.config.js'],
  ])('%s is asked about: %s', async (linter, path, why) => expect(await whyAsk(files, path, { linter })).toBe(why))

  it.each([
    ['node scripts/check.js', 'lib/api.js'],
    ['node scripts/check.js', 'lib/other.js'],
    ['node scripts/check.js', 'app/one.js'],
    ['node src/cli.js', 'src/lib/app.js'],
    ['node src/cli.js', 'src/app.js'],
    ['npm run lint -w web', 'web/src/a.js'],
    ['eslint .', 'web/src/a.js'],
  ])("%s is not where it is the app's: %s", async (linter, path) => {
    expect(await whyAsk(files, path, { linter })).toBeUndefined()
  })
})

it('takes no long time for texts that are made for it', async () => {
  const million = (text: string) => text.repeat(1_000_000 / text.length)
  const hostile = {
    'eslint.config.js': million(`import './t/a.js';'../`),
    'vite.config.ts': million('from    import\t/* */'),
    'next.config.ts': `import${million(' ')}`,
    Makefile: `lint:\n\t${million('node python -m ')}\n${million('a ')}: ${million('make ')}\n${million('b:\n\tnode x\n')}`,
    'package.json': JSON.stringify({
      scripts: { lint: `make lint; ${million('python python')}`, x: million(' PYTHONPATH=') },
    }),
    'bin/long': `#!/bin/sh\n${`${'node python -m '.repeat(600)}\n`.repeat(10)}`,
    'bin/lint': `#!/bin/sh\n${million(`> "'`).slice(0, 100_000)}`,
    'pyproject.toml': million('plugins = [\n'),
    'setup.cfg': `plugins =\n${million(' a.b.c.d\n')}`,
    'tox.ini': `[flake8:local-plugins]\n${million('a:b c ')}`,
    'mypy.ini': million('plugins\t='),
    'phpstan.neon': million('bootstrapFiles:\n  - '),
    'Cargo.toml': million('build = "'),
    GNUmakefile: million('include a b\n'),
  }
  expect(await whyAsk(hostile, 'src/a.ts', { linter: 'npm run lint && ./bin/lint x; ./bin/long' })).toBeUndefined()
}, 60_000)

it('takes no long time, nor all memory, for a hundred parts that are made for it', async () => {
  const targets = Array.from({ length: 25_000 }, (_, at) => `t${at}`)
  const Makefile = `lint: ${targets.join(' ')}\n${targets.map(name => `${name}:\n\tpython ${name}.py\n`).join('')}`
  const files: Record<string, string> = { Makefile, 'package.json': '{"scripts":{"lint":"make lint"}}' }
  let folder = 'a'
  for (let depth = 0; depth < 100; depth++, folder += '/b') {
    files[`${folder}/package.json`] = '{}'
    files[`${folder}/Makefile`] = Makefile
  }
  expect(await whyAsk(files, `${folder}/x.js`, { linter: 'npm run lint' })).toBe(NOT_LOOKED)
}, 60_000)

it('follows the scripts of a part once, however many the root has', async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `t${at}: t${at + 1}\n\tpython a${at}.py\n`)
  const files = { Makefile: names.join(''), 'part/Makefile': names.join('') }
  expect(await whyAsk(files, 'part/a9999.py', { linter: 'make' })).toBe('is run by `linter`')
}, 10_000)

describe('of a patch that reaches more than is looked through', () => {
  const postCommand = 'npm run lint --workspaces'
  const root = { 'package.json': '{"workspaces":["packages/*"]}' }

  /** So many packages, each with a script of its own; a patch of one source in each; and what that is asked about. */
  async function wide(packages: number, more: readonly string[], own: Readonly<Record<string, string>> = {}) {
    const files: Record<string, string> = { ...root, ...own }
    const paths: string[] = []
    for (let at = 0; at < packages; at++) {
      files[`packages/p${at}/package.json`] = '{"scripts":{"lint":"node scripts/check.js"}}'
      files[`packages/p${at}/eslint.config.js`] = `import rule from './tools/rule.js'`
      paths.push(`packages/p${at}/src/index.ts`)
    }
    return asked(files, [...paths, ...more], { postCommand })
  }

  async function asked(files: Readonly<Record<string, string>>, paths: readonly string[], config: WithCommands) {
    let looks = 0
    const folders = new Map<string, Set<string>>([['', new Set()]])
    for (const name of Object.keys(files)) {
      const parts = name.split('/')
      for (const [at, part] of parts.entries()) {
        const folder = parts.slice(0, at).join('/')
        folders.set(folder, (folders.get(folder) ?? new Set()).add(part))
      }
    }
    const look = <T>(found: T) => {
      looks++
      return Promise.resolve(found)
    }
    const reached = await reachedFiles(config, paths, {
      read: name => look(files[name] === undefined ? [] : [files[name]]),
      has: name => look(files[name] !== undefined),
      list: folder => look([...(folders.get(folder) ?? [])]),
    })
    const whyAsk = ownPrograms(config, reached)
    return { why: new Map(paths.map(path => [path, whyAsk(path)])), looks }
  }

  it.each([
    ['which others stand in front of', 120, 'is run by `postCommand`'],
    ['which too many stand in front of', 1500, NOT_LOOKED],
  ])('the script of a package %s is asked about', async (_, packages, why) => {
    const path = `packages/p${packages - 1}/scripts/check.js`
    expect((await wide(packages, [path])).why.get(path)).toBe(why)
  })

  it('so are all files of a part that was not looked at, and of one that was only its own', async () => {
    const { why } = await wide(1500, [])
    expect(why.get('packages/p0/src/index.ts')).toBeUndefined()
    expect(why.get('packages/p1499/src/index.ts')).toBe(NOT_LOOKED)
  })

  it('so are all below the folders that are one too many', async () => {
    const paths = Array.from({ length: 6000 }, (_, at) => `a/b${at}/c/d.ts`)
    const { why, looks } = await asked(root, paths, { postCommand })
    expect(why.get('a/b0/c/d.ts')).toBeUndefined()
    expect(why.get('a/b5999/c/d.ts')).toBe(NOT_LOOKED)
    expect(looks).toBeLessThan(11_000)
  })

  it('so are all files of a part whose scripts are too long, and of those behind it', async () => {
    const makefile = `lint:\n\tnode x.js\n${'#\n'.repeat(510_000)}`
    const own = { 'packages/p1/Makefile': makefile, 'packages/p2/Makefile': makefile, 'packages/p3/Makefile': makefile }
    const { why } = await wide(5, [], own)
    expect([...why.values()]).toEqual([undefined, undefined, NOT_LOOKED, NOT_LOOKED, NOT_LOOKED])
  })

  it('so is the whole patch where what the root loads is too much', async () => {
    const settings = Array.from({ length: 2001 }, (_, at) => `x-config-${at}.js`)
    const files = Object.fromEntries(settings.map(name => [name, `import './tools/a.js'`]))
    const { why } = await asked(files, ['src/a.ts', 'tools/a.js'], { postCommand })
    expect(why.get('src/a.ts')).toBe(
      'may be what a command runs: its scripts and settings load too many files to look at',
    )
    expect(why.get('tools/a.js')).toBe('is loaded by x-config-0.js')
  })

  it('so is it where a script of a shell names more than anybody would look through', async () => {
    const line = 'PYTHONPATH=a:b:c:d:e:f:g:h python -m a.b.c.d.e.f.g.h.i.j.k\n'
    const files = { check: `#!/bin/sh\n${line.repeat(15_000)}` }
    const { why } = await asked(files, ['src/a.ts'], { postCommand: './check' })
    expect(why.get('src/a.ts')).toMatch('may be what a command runs')
  }, 20_000)

  it('programs that are no files of the project are few enough', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `tool${at} --all\n`)
    const files = { check: `#!/bin/sh\n${lines.join('')}cd tools\npython3 words.py\n` }
    const { why } = await asked(files, ['src/a.ts', 'tools/words.py'], { postCommand: './check' })
    expect([...why.values()]).toEqual([undefined, 'is loaded by check'])
  })

  it('an ordinary wide one is asked about for none of that, and looked at in proportion', async () => {
    const more = Array.from({ length: 300 }, (_, at) => `packages/p${at % 60}/src/f${at}/index.ts`)
    const few = await wide(60, more)
    expect([...few.why.values()].filter(why => why !== undefined)).toEqual([])
    const { looks } = await wide(1000, [])
    expect(looks).toBeLessThan(40 * 1000)
  })
})
