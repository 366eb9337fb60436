import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

/** What a program prints in a folder. */
function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } }).trim()
}

/** Every file and link below a folder; what a link leads to is not below it. */
function laidIn(folder: string): Record<string, string> {
  const all = treeOf(folder)
  const links = Object.keys(all).filter(path => all[path]?.startsWith('-> '))
  const isBeyond = (path: string) => links.some(link => path.startsWith(`${link}/`))
  return Object.fromEntries(Object.entries(all).filter(([path]) => !isBeyond(path)))
}

/** A package `b` that says whose it is, with a program, and a package `a` that asks it. */
const workspace = {
  'package.json': '{"workspaces": ["packages/*"]}\n',
  '.gitignore': 'node_modules/\n',
  'packages/a/package.json': '{"name": "a"}\n',
  'packages/a/check.js': "console.log(require('@acme/b'), require('left'), require('only'))\n",
  'packages/b/package.json': '{"name": "@acme/b", "bin": {"b": "cli.js"}}\n',
  'packages/b/index.js': "module.exports = 'users'\n",
  'packages/b/cli.js': "#!/usr/bin/env node\nconsole.log('b of the', require('./index.js'))\n",
}

describe('packages in a checkout', () => {
  beforeEach(() => {
    world.commit(workspace)
    // As npm puts it.
    world.write({
      'node_modules/.package-lock.json': '{}\n',
      'node_modules/.cache/x': 'x\n',
      'node_modules/.vite/x': 'x\n',
      'node_modules/.prisma/client/index.js': 'x\n',
      'node_modules/.bin/b': '-> ../@acme/b/cli.js',
      'node_modules/.bin/left': '-> ../left/cli.js',
      'node_modules/@acme/b': '-> ../../packages/b',
      'node_modules/@other/x/index.js': 'x\n',
      'node_modules/a': '-> ../packages/a',
      'node_modules/gone': '-> ../packages/gone',
      'node_modules/left/index.js': "module.exports = 'left'\n",
      'node_modules/left/cli.js': "#!/usr/bin/env node\nconsole.log('left', require('./index.js'))\n",
      'packages/a/node_modules/only/index.js': "module.exports = 'only'\n",
    })
  })

  it('are the user’s, but for those of the project', async () => {
    const checkout = await world.open()
    expect(checkout.dependencies).toEqual({
      linked: ['node_modules', 'packages/a/node_modules'],
      copied: [],
      missing: [],
    })
    expect(laidIn(join(checkout.cwd, 'node_modules'))).toEqual({
      '.bin/b': '-> ../@acme/b/cli.js',
      '.bin/left': '-> ../left/cli.js',
      '.prisma': `-> ${world.top}/node_modules/.prisma`,
      '@acme/b': '-> ../../packages/b',
      '@other/x': `-> ${world.top}/node_modules/@other/x`,
      a: '-> ../packages/a',
      left: `-> ${world.top}/node_modules/left`,
    })
    write(checkout.cwd, { 'packages/b/index.js': "module.exports = 'agents'\n" })
    expect(run(checkout.cwd, 'node', 'packages/a/check.js')).toBe('agents left only')
    expect(run(checkout.cwd, 'node_modules/.bin/b')).toBe('b of the agents')
    expect(run(checkout.cwd, 'node_modules/.bin/left')).toBe('left left')
    expect(run(world.top, 'node', 'packages/a/check.js')).toBe('users left only')
  })

  it('are no part of a change, whatever the agent does to them', async () => {
    const checkout = await world.open()
    expect(world.gitIn(checkout.cwd, 'status', '--porcelain')).toBe('')
    rmSync(join(checkout.cwd, 'node_modules/left'))
    rmSync(join(checkout.cwd, 'packages/a/node_modules'), { recursive: true })
    write(checkout.cwd, {
      'node_modules/left/index.js': 'agents\n',
      'packages/a/node_modules': '-> ..',
      '.gitignore': '!node_modules\n',
      'c.js': 'c\n',
    })
    expect(await madeIn(checkout)).toEqual({
      '.gitignore': '"node_modules/\\n" => "!node_modules\\n"',
      'c.js': 'nothing => "c\\n"',
    })
    await checkout.remove()
    expect(readFileSync(join(world.top, 'node_modules/left/index.js'), 'utf8')).toBe("module.exports = 'left'\n")
  })

  it('follow what the user installs, in a checkout that is used again', async () => {
    const checkout = await world.open()
    rmSync(join(checkout.cwd, 'packages/a'), { recursive: true })
    write(checkout.cwd, { 'node_modules/mine/index.js': 'agents\n' })
    world.write({ 'node_modules/new/index.js': 'new\n', 'node_modules/mine/index.js': 'users\n' })
    const later = await world.reopen(checkout)
    expect(readdirSync(join(later.cwd, 'node_modules')).toSorted()).toEqual([
      '.bin',
      '.prisma',
      '@acme',
      '@other',
      'a',
      'left',
      'mine',
      'new',
    ])
    expect(readFileSync(join(later.cwd, 'node_modules/mine/index.js'), 'utf8')).toBe('agents\n')
    await later.renew()
    expect(run(later.cwd, 'node', 'packages/a/check.js')).toBe('users left only')
    expect(await madeIn(later)).toEqual({})
  })

  it('are left alone where git knows them', async () => {
    world.git('add', '-f', 'node_modules/left')
    const checkout = await world.open()
    expect(laidIn(join(checkout.cwd, 'node_modules'))).toEqual({
      'left/cli.js': expect.any(String),
      'left/index.js': expect.any(String),
    })
    expect(checkout.dependencies.linked).toEqual(['packages/a/node_modules'])
    write(checkout.cwd, { 'node_modules/left/index.js': 'agents\n' })
    expect(await madeIn(checkout)).toEqual({
      'node_modules/left/index.js': '"module.exports = \'left\'\\n" => "agents\\n"',
    })
  })

  it('are found in a project that is a folder of a repository', async () => {
    world.write({ 'packages/a/relaycode.config.json': '{}\n' })
    const checkout = await world.open(join(world.top, 'packages/a'))
    write(checkout.cwd, { '../b/index.js': "module.exports = 'agents'\n" })
    expect(run(checkout.cwd, 'node', 'check.js')).toBe('agents left only')
  })
})

it('links packages as pnpm lays them out', async () => {
  // A shim, shortened.
  const shim = (path: string) => `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")
exec node "$basedir/../${path}" "$@"
`
  world.commit({ ...workspace, 'packages/a/check.js': "console.log(require('@acme/b'), require('left'))\n" })
  const store = '.pnpm/left@1.0.0/node_modules'
  world.write({
    'node_modules/.modules.yaml': '{}\n',
    'node_modules/.pnpm/lock.yaml': 'x\n',
    [`node_modules/${store}/left/index.js`]: "module.exports = 'left ' + require('right')\n",
    [`node_modules/${store}/right`]: '-> ../../right@1.0.0/node_modules/right',
    'node_modules/.pnpm/right@1.0.0/node_modules/right/index.js': "module.exports = 'right'\n",
    'node_modules/.bin/b': shim('@acme/b/cli.js'),
    'node_modules/@acme/b': '-> ../../packages/b',
    'node_modules/left': `-> ${store}/left`,
    'packages/a/node_modules/@acme/b': '-> ../../../b',
    'packages/a/node_modules/left': `-> ../../../node_modules/${store}/left`,
  })
  const { cwd } = await world.open()
  expect(laidIn(join(cwd, 'node_modules'))).toEqual({
    '.bin/b': `-> ${world.top}/node_modules/.bin/b`,
    '@acme/b': '-> ../../packages/b',
    left: `-> ${world.top}/node_modules/${store}/left`,
  })
  write(cwd, { 'packages/b/index.js': "module.exports = 'agents'\n" })
  expect(run(cwd, 'node', 'packages/a/check.js')).toBe('agents left right')
  expect(run(cwd, 'node_modules/.bin/b')).toBe('b of the agents')
})

/** The real one: a shim of a version manager would look for its own home. */
const python = (() => {
  try {
    return execFileSync('python3', ['-c', 'import sys, venv; print(sys.executable)'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
})()

describe.skipIf(python === undefined)('a virtual environment in a checkout', () => {
  const project = {
    '.gitignore': '.venv/\n__pycache__/\n',
    'pyproject.toml': '',
    'src/own.py': "whose = 'users'\n",
    'check.py': 'import own\nprint(own.whose)\n',
  }
  let packages: string

  beforeEach(() => {
    world.commit(project)
    execFileSync(python ?? '', ['-m', 'venv', '--without-pip', join(world.top, '.venv')])
    packages = join('.venv/lib', readdirSync(join(world.top, '.venv/lib'))[0] ?? '', 'site-packages')
    world.write({
      [`${packages}/left.py`]: "name = 'left'\n",
      [`${packages}/hook.pth`]: 'import sys; sys.hooked = 1\n',
    })
  })

  it('is the user’s, where the project is not installed in it', async () => {
    world.write({
      [`${packages}/near.pth`]: './near\n',
      [`${packages}/left-1.dist-info/direct_url.json`]: '{"url": "https://example.com/left.tgz"}',
    })
    const checkout = await world.open()
    expect(checkout.dependencies).toEqual({ linked: ['.venv'], copied: [], missing: [] })
    expect(readlinkSync(join(checkout.cwd, '.venv'))).toBe(join(world.top, '.venv'))
    write(checkout.cwd, {
      'src/own.py': "whose = 'agents'\n",
      'src/left_too.py': 'import left, own; print(left.name, own.whose)\n',
    })
    expect(run(checkout.cwd, '.venv/bin/python', 'src/left_too.py')).toBe('left agents')
    expect(world.gitIn(checkout.cwd, 'status', '--porcelain')).toBe(' M src/own.py\n?? src/left_too.py\n')
    rmSync(join(checkout.cwd, 'src/left_too.py'))
    expect(await madeIn(checkout)).toEqual({ 'src/own.py': '"whose = \'users\'\\n" => "whose = \'agents\'\\n"' })
  })

  it.each([
    ['own.pth', (top: string) => `${top}/src\n`],
    ['relative.pth', () => '../../../../src\n'],
    ['path.pth', (top: string) => `import sys; sys.path.insert(0, '${top}/src')\n`],
    ['__editable___own_finder.py', (top: string) => `MAPPING: dict[str, str] = {'own': '${top}/src/own'}\n`],
    ['own.egg-link', (top: string) => `${top}/src\n.`],
    ['own-1.dist-info/direct_url.json', (top: string) => `{"dir_info": {"editable": true}, "url": "file://${top}"}`],
  ])('is none of the user’s where %s names the project', async (name, text) => {
    world.write({ [`${packages}/${name}`]: text(world.top) })
    const checkout = await world.open()
    expect(existsSync(join(checkout.cwd, '.venv'))).toBe(false)
    expect(checkout.dependencies).toEqual({
      linked: [],
      copied: [],
      missing: [{ path: '.venv', why: 'installed', because: `${packages.replace('.venv/', '')}/${name}` }],
    })
  })

  it('is made by the setup, and judges the agent’s code', async () => {
    world.write({ [`${packages}/own.pth`]: `${world.top}/src\n` })
    const setup = `'${python}' -m venv --without-pip .venv && echo "$PWD/src" > ${packages}/own.pth`
    const checkout = await world.open(world.top, { setup })
    expect(checkout.dependencies).toEqual({ linked: [], copied: [], missing: [] })
    const sh = async (command: string, cwd: string) => {
      const output = run(cwd, '/bin/sh', '-c', command)
      return { end: { kind: 'exit', code: 0 } as const, output, cut: false }
    }
    expect(await checkout.setUp(sh)).toMatchObject({ end: { code: 0 } })
    write(checkout.cwd, { 'src/own.py': "whose = 'agents'\n" })
    expect(run(checkout.cwd, '.venv/bin/python', 'check.py')).toBe('agents')
    expect(run(world.top, '.venv/bin/python', 'check.py')).toBe('users')
  })

  it('is let go when the project is installed in it later', async () => {
    const checkout = await world.open()
    world.write({ [`${packages}/own.pth`]: `${world.top}/src\n` })
    await checkout.renew()
    expect(existsSync(join(checkout.cwd, '.venv'))).toBe(false)
    expect(checkout.dependencies.missing).toMatchObject([{ path: '.venv' }])
    expect(existsSync(join(world.top, '.venv/bin/python'))).toBe(true)
  })

  it('that is active leads into the checkout, or is named where it lies elsewhere', async () => {
    const elsewhere = join(world.home, 'envs/own')
    world.write({ [`../envs/own/${packages.replace('.venv/', '')}/own.pth`]: `${world.top}/src\n` })
    Object.assign(world.system.env, { VIRTUAL_ENV: elsewhere })
    const checkout = await world.open()
    expect(checkout.dependencies.missing).toMatchObject([{ path: elsewhere, why: 'installed' }])
    expect(
      checkout.env({
        PATH: `${world.top}/.venv/bin:/usr/bin:${world.top}-2/bin`,
        VIRTUAL_ENV: `${world.top}/.venv`,
        PYTHONPATH: world.top,
        GIT_DIR: `${world.top}/.git`,
        GIT_INDEX_FILE: `${world.top}/.git/index`,
        GIT_OBJECT_DIRECTORY: `${world.top}/.git/objects`,
        TEXT: world.top,
      }),
    ).toEqual({
      PATH: `${checkout.cwd}/.venv/bin:/usr/bin:${world.top}-2/bin:${checkout.cwd}/node_modules/.bin:${checkout.cwd}/vendor/bin`,
      VIRTUAL_ENV: `${checkout.cwd}/.venv`,
      PYTHONPATH: checkout.cwd,
      TEXT: world.top,
    })
  })
})

describe('what the configuration adds to a checkout', () => {
  it('is linked and copied, where git does not know it', async () => {
    world.commit({
      '.gitignore': '.env\n/app/data/\n/app/secret/\n*.key\n',
      'app/a.txt': 'a\n',
      'app/data/.gitkeep': '',
      'app/known/x': 'x\n',
      to: '-> /tmp',
    })
    world.git('rm', '-q', '--cached', '-r', '-f', '--ignore-unmatch', 'app/data')
    world.write({
      '.env': 'TOP=1\n',
      'app/.env': 'A=1\n',
      'app/sub/.env': '#!B=1\n',
      'app/data/big': 'big\n',
      'app/secret/one/x.json': '{}\n',
      'app/secret/y.txt': 'y\n',
      'app/a.key': 'k\n',
      'app/node_modules/x/.env': 'no\n',
    })
    const settings = { link: ['data/', 'known', 'nowhere'], copy: ['.env', 'secret/**/*.json', 'a.*'] }
    const checkout = await world.open(join(world.top, 'app'), settings)
    expect(checkout.dependencies).toEqual({
      linked: ['app/data', 'app/node_modules'],
      copied: ['app/.env', 'app/a.key', 'app/secret/one/x.json', 'app/sub/.env'],
      missing: [{ path: 'app/known', why: 'tracked' }],
    })
    expect(laidIn(checkout.cwd)).toEqual({
      '.env': 'A=1\n',
      'a.key': 'k\n',
      'a.txt': 'a\n',
      data: `-> ${world.top}/app/data`,
      'known/x': 'x\n',
      'node_modules/x': `-> ${world.top}/app/node_modules/x`,
      'secret/one/x.json': '{}\n',
      'sub/.env': 'x #!B=1\n',
    })
    expect(world.gitIn(checkout.cwd, 'status', '--porcelain')).toBe('')
    write(checkout.cwd, { '.env': 'A=2\n', '../.gitignore': '' })
    rmSync(join(checkout.cwd, 'data'))
    expect(await madeIn(checkout)).toEqual({ 'outside .gitignore': 'changed' })
  })

  it('is as the user has it, once more, after a renewal', async () => {
    world.commit({ '.gitignore': '.env\nsub\n' })
    world.write({ '.env': '1\n', 'sub/.env': '1\n' })
    const checkout = await world.open(world.top, { copy: ['.env'] })
    rmSync(join(checkout.cwd, '.env'))
    rmSync(join(checkout.cwd, 'sub'), { recursive: true })
    mkdirSync(join(world.home, 'victim'))
    write(checkout.cwd, { '.env': `-> ${world.home}/victim/x`, sub: `-> ${world.home}/victim` })
    world.write({ '.env': '2\n' })
    await checkout.renew()
    expect(laidIn(checkout.cwd)).toMatchObject({ '.env': '2\n', sub: `-> ${world.home}/victim` })
    expect(readdirSync(join(world.home, 'victim'))).toEqual([])
  })
})

describe('the setup of a checkout', () => {
  const setup = 'setup it'
  const exit = (code: number) => ({ end: { kind: 'exit', code } as const, output: '', cut: false })

  it('runs in a new one, and again when a lock file or the command has changed', async () => {
    world.commit({ 'package-lock.json': '1\n', 'sub/go.sum': '1\n', 'a.txt': 'a\n' })
    const checkout = await world.open(world.top, { setup })
    const ran: string[] = []
    let code = 1
    const setUp = async (one = checkout) => {
      const result = await one.setUp(async (command, cwd) => {
        expect(cwd).toBe(checkout.cwd)
        ran.push(command)
        return exit(code)
      })
      return result?.end
    }
    expect(await setUp()).toEqual({ kind: 'exit', code: 1 })
    code = 0
    expect(await setUp()).toEqual({ kind: 'exit', code: 0 })
    expect(await setUp()).toBeUndefined()
    write(checkout.cwd, { 'a.txt': 'b\n', 'sub/b.txt': 'b\n' })
    expect(await setUp()).toBeUndefined()
    write(checkout.cwd, { 'sub/go.sum': '2\n' })
    expect(await setUp()).toMatchObject({ code: 0 })
    write(checkout.cwd, { 'new/uv.lock': '1\n' })
    expect(await setUp()).toMatchObject({ code: 0 })
    expect(await setUp(await world.reopen(checkout, { setup }))).toBeUndefined()
    await checkout.renew()
    expect(await setUp()).toMatchObject({ code: 0 })
    const other = await world.reopen(checkout, { setup: 'other' })
    expect(await setUp(other)).toMatchObject({ code: 0 })
    expect(await setUp(await world.reopen(checkout))).toBeUndefined()
    expect(ran).toEqual([setup, setup, setup, setup, setup, 'other'])
  })

  it('is told once an agent may have worked there, also by an earlier relay', async () => {
    world.commit({ 'package-lock.json': '1\n' })
    const used: boolean[] = []
    let code = 1
    const run = async (_command: string, _cwd: string, isUsed: boolean) => {
      used.push(isUsed)
      return exit(code)
    }
    const checkout = await world.open(world.top, { setup })
    await checkout.setUp(run)
    code = 0
    await (await world.reopen(checkout, { setup })).setUp(run)
    write(checkout.cwd, { 'package-lock.json': '2\n' })
    await (await world.reopen(checkout, { setup })).setUp(run)
    expect(used).toEqual([false, false, true])
  })

  it('makes nothing that is part of a change, also where relay was killed meanwhile', async () => {
    world.commit({ 'package-lock.json': '1\n', 'gone.txt': 'gone\n', 'a.txt': 'a\n' })
    const checkout = await world.open(world.top, { setup })
    write(checkout.cwd, { 'a.txt': 'agents\n', 'agents.txt': 'agents\n' })
    const work = () => {
      write(checkout.cwd, {
        'package-lock.json': 'setup\n',
        'a.txt': 'setup\n',
        'own.egg-info/x': 'x\n',
        'uv.lock': '1',
      })
      rmSync(join(checkout.cwd, 'gone.txt'), { force: true })
    }
    const killed = checkout.setUp(async () => {
      work()
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    const later = await world.reopen(checkout, { setup })
    await later.setUp(async () => {
      work()
      return exit(0)
    })
    expect(laidIn(checkout.cwd)).toEqual({
      'a.txt': 'agents\n',
      'agents.txt': 'agents\n',
      'gone.txt': 'gone\n',
      'own.egg-info/x': 'x\n',
      'package-lock.json': '1\n',
      'uv.lock': '1',
    })
    expect(await madeIn(later)).toEqual({ 'a.txt': '"a\\n" => "agents\\n"', 'agents.txt': 'nothing => "agents\\n"' })
    expect(await later.setUp(async () => exit(1))).toBeUndefined()
  })
})
