import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BranchCheckout, openBranchCheckout } from '../../../src/agents/checkout/branch-checkout.ts'
import { type BranchLanded, landBranch } from '../../../src/agents/work/land-branch.ts'
import { missingPackages } from '../../../src/agents/work/missing-packages.ts'
import { endJudgement } from '../../../src/flows/judge.ts'
import type { CommandResult } from '../../../src/model/check.ts'
import type { Config } from '../../../src/model/project.ts'
import type { Files, System, Talk } from '../../../src/ports.ts'
import { realSystem } from '../../../src/system/system.ts'
import { points, tryEach } from '../../faults/sample.ts'
import { fakeConfig, fakeTalk } from '../../support/fake-project.ts'
import { treeOf, World, write } from '../checkout/world.ts'

/** A project, a branch in it, and relay at work there. */
class BranchWorld {
  readonly #world = new World()
  readonly home = this.#world.home
  readonly top = this.#world.top
  /** Where the agent works. */
  readonly at = join(this.home, 'state/work')
  readonly system: System = {
    ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }),
    ...this.#world.system,
    env: { PATH: process.env['PATH'] ?? '', HOME: this.home },
    stateFolder: join(this.home, 'relay'),
  }

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(join(this.home, 'state'))
    this.#world.commit({ '.gitignore': 'ignored\n', ...files })
  }

  open(config: Partial<Config> = {}, system: System = this.system): Promise<BranchCheckout> {
    const place = { root: this.top, branch: 'task', folder: join(this.home, 'state') }
    return openBranchCheckout(place, system, {
      settings: fakeConfig(config).checkout,
      endJudgement: (root: string) => endJudgement({ root, config: fakeConfig(config) }, system, fakeTalk()),
    })
  }

  async land(
    checkout: BranchCheckout,
    { config = {}, talk = fakeTalk(), system = this.system, uuid = crypto.randomUUID() }: Partial<Landing> = {},
  ): Promise<BranchLanded> {
    const { changes } = await checkout.changes()
    const made = { changes, uuid, source: 'agent:codex', reasoning: 'I did it.' } as const
    const attempt = { isLast: () => true, isSecondOverlap: false }
    const landing = { made, message: 'Do it\n', config: fakeConfig(config), attempt }
    return landBranch(landing, checkout, { system, talk, settle: take => take({}) })
  }

  git(...args: readonly string[]): string {
    return this.#world.git(...args)
  }

  gitThere(...args: readonly string[]): string {
    return this.#world.gitIn(this.at, ...args)
  }

  sh(command: string, cwd: string): CommandResult {
    const { status, stdout } = spawnSync('/bin/sh', ['-c', command], { cwd, encoding: 'utf8' })
    return { end: { kind: 'exit', code: status ?? 1 }, output: stdout, cut: false }
  }

  get log(): string {
    return this.git('log', '--format=%s', '--name-status', 'main..task')
  }

  remove(): void {
    this.#world.remove()
  }
}

interface Landing {
  readonly config: Partial<Config>
  readonly talk: Talk
  readonly system: System
  readonly uuid: string
}

let world: BranchWorld
const begin = (files: Readonly<Record<string, string>>) => {
  world = new BranchWorld(files)
  return world
}
beforeEach(() => {
  begin({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
})
afterEach(() => world.remove())

describe('landing on a branch', () => {
  it('commits what the checks agree to, as the commands have left it, and nothing that they made beside', async () => {
    const config = { postCommand: 'sed -i s/x/y/ a.txt; echo report > report.xml; echo z >> b.txt; echo i > ignored' }
    const checkout = await world.open()
    write(world.at, { 'a.txt': 'x\n', 'new/c.sh': '#!/bin/sh\n' })
    const before = treeOf(world.top, '')
    const landed = await world.land(checkout, { config, talk: fakeTalk(['yes', 'yes']) })
    expect(landed).toMatchObject({ kind: 'landed', commit: checkout.start, outcome: { kind: 'committed' } })
    expect(world.log).toBe('Do it\n\nM\ta.txt\nA\tnew/c.sh\n')
    expect(treeOf(world.at)).toEqual({
      '.gitignore': 'ignored\n',
      'a.txt': 'y\n',
      'b.txt': 'b\n',
      'new/c.sh': 'x #!/bin/sh\n',
      ignored: 'i\n',
    })
    const users = (tree: Record<string, string>) =>
      Object.keys(tree).filter(path => !/^\.git\/(?:objects|checkouts|(?:logs\/)?refs\/heads\/task)/.test(path))
    expect(users(treeOf(world.top, ''))).toEqual(users(before))
    await checkout.renew()
    write(world.at, { 'a.txt': 'z\n' })
    expect(await world.land(checkout)).toMatchObject({ kind: 'landed' })
    expect(world.git('log', '--format=%s', 'task')).toBe('Do it\nDo it\nfirst\n')
  })

  it('gives the work back after a no, so that the agent can go on with it', async () => {
    const checkout = await world.open()
    write(world.at, { 'a.txt': 'bad\n', 'new.txt': 'new\n', '.gitignore': 'ignored\nbuild/\n', 'build/x': 'x\n' })
    rmSync(join(world.at, 'b.txt'))
    const work = treeOf(world.at)
    const config = { linter: 'echo report > report.xml; exit $(grep -c bad a.txt)' }
    const no = await world.land(checkout, { config })
    expect(no).toMatchObject({ kind: 'no', outcome: { kind: 'rolled-back', reason: { kind: 'unasked' } } })
    expect(treeOf(world.at)).toEqual(work)
    expect(world.gitThere('log', '--format=%s')).toBe('The start\n')
    expect(world.log).toBe('')
    write(world.at, { 'a.txt': 'good\n' })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'landed' })
    expect(world.log).toBe('Do it\n\nM\t.gitignore\nM\ta.txt\nD\tb.txt\nA\tnew.txt\n')
    expect(treeOf(world.at)).toMatchObject({ 'build/x': 'x\n' })
  })

  it('takes no check that ran no test, unless there was none before', async () => {
    const config = { linter: 'n=$(cat *.test | wc -l); echo "test result: ok. $n passed; 0 failed; 0 ignored"' }
    const noTest = { kind: 'no', outcome: { reason: { kind: 'unasked', reasons: [{ kind: 'no-test' }] } } }
    begin({ 'a.txt': 'a\n', 'a.test': 'adds\n' })
    const checkout = await world.open()
    rmSync(join(world.at, 'a.test'))
    expect(await world.land(checkout, { config })).toMatchObject(noTest)
    write(world.at, { 'a.test': '' })
    expect(await world.land(checkout, { config, talk: fakeTalk(['yes']) })).toMatchObject({ kind: 'landed' })
    await checkout.renew()
    write(world.at, { 'a.txt': 'more\n' })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'landed', outcome: { ranNoTest: true } })
  })

  it("counts the errors from before as the linter does, and believes no journal of the agent's", async () => {
    begin({ 'a.txt': 'bad\n', 'b.txt': 'b\n' })
    const config = {
      linter: String.raw`grep -n bad *.txt | sed 's/^\([^:]*:[0-9]*\):.*/\1:1: error: bad/'; ! grep -q bad *.txt`,
    }
    const checkout = await world.open()
    write(world.at, { 'b.txt': 'more\n' })
    const landed = await world.land(checkout, { config })
    expect(landed).toMatchObject({ kind: 'landed', outcome: { kind: 'committed', checked: true } })
    await checkout.renew()
    const forged = '{"checks":[]}'
    write(world.at, {
      'b.txt': 'bad bad\nbad\n',
      '.relaycode/last-checks.json': forged,
      '.relaycode/00000000-0000-4000-8000-000000000001.yml': 'x',
    })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'no' })
    expect(existsSync(join(world.at, '.relaycode'))).toBe(false)
  })

  it('does not follow a journal that the agent made a link', async () => {
    const checkout = await world.open()
    write(world.at, { 'a.txt': 'x\n', '.relaycode': `-> ${world.top}` })
    const before = treeOf(world.top)
    const refused = await world.land(checkout)
    expect(refused).toMatchObject({
      kind: 'no',
      outcome: { problems: [{ code: 'path-protected', path: '.relaycode' }] },
    })
    expect(treeOf(world.top)).toEqual(before)
  })

  it('asks about what runs by itself before anything is run, and only names what instructs agents', async () => {
    const checkout = await world.open()
    write(world.at, { 'AGENTS.md': 'x\n', 'docs/CLAUDE.md': 'x\n', '.cursor/rules/a.mdc': 'x\n' })
    expect(await world.land(checkout)).toMatchObject({
      kind: 'landed',
      instructions: ['.cursor/rules/a.mdc', 'AGENTS.md', 'docs/CLAUDE.md'],
    })
    await checkout.renew()
    const ran = join(world.home, 'ran')
    const config = { preCommand: `touch ${ran}`, linter: `touch ${ran}`, postCommand: `touch ${ran}` }
    for (const path of [
      '.claude/settings.json',
      '.cursor/mcp.json',
      '.gitattributes',
      'package.json',
      '.git-hooks/x',
    ]) {
      write(world.at, { [path]: '{ "dependencies": { "a": "1" } }\n' })
      const talk = fakeTalk(['no'])
      const no = await world.land(checkout, { config, talk })
      expect(no).toMatchObject({ kind: 'no', outcome: { reason: { kind: 'declined' } } })
      expect(talk.questions).toMatchObject([{ kind: 'sensitive', flags: [{ path }] }])
      rmSync(join(world.at, path))
    }
    expect(existsSync(ran)).toBe(false)
    write(world.at, { 'AGENTS.md': 'y\n' })
    const policy = { ask: ['AGENTS.md'], deny: ['b.txt'], allowDeletes: true }
    const talk = fakeTalk(['no'])
    expect(await world.land(checkout, { config: { policy }, talk })).toMatchObject({ kind: 'no' })
    expect(talk.questions).toMatchObject([{ kind: 'sensitive' }])
    write(world.at, { 'b.txt': 'x\n' })
    const refused = await world.land(checkout, { config: { policy } })
    expect(refused).toMatchObject({ kind: 'no', outcome: { kind: 'refused', problems: [{ code: 'denied' }] } })
  })

  it('has the checks meet the work tree, with its own git and not that of the agent', async () => {
    const checkout = await world.open()
    write(world.at, { 'a.txt': 'x\n', '.git/hooks/fsmonitor': '#!/bin/sh\ntouch ran\n' })
    world.gitThere('config', 'core.fsmonitor', join(world.home, 'evil'))
    write(world.home, { evil: `#!/bin/sh\ntouch ${world.home}/ran\n` })
    const seen = join(world.home, 'seen')
    const config = { postCommand: `{ pwd; git status --porcelain --branch; } > ${seen}` }
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'landed' })
    expect(treeOf(world.home, 'project')).toMatchObject({ seen: `${world.at}\n## task\n M a.txt\n` })
    expect(existsSync(join(world.home, 'ran'))).toBe(false)
  })

  it('tells again what has landed, and commits nothing twice', async () => {
    const checkout = await world.open()
    write(world.at, { 'a.txt': 'x\n' })
    const uuid = crypto.randomUUID()
    const landed = await world.land(checkout, { uuid })
    expect(await world.land(checkout, { uuid })).toEqual(landed)
    expect(await world.land(await world.open(), { uuid })).toEqual(landed)
    expect(world.log).toBe('Do it\n\nM\ta.txt\n')
  })

  it('goes on after relay was stopped at any moment, and loses and doubles nothing', async () => {
    const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'gone\n' }
    const config = { postCommand: 'sed -i s/x/y/ a.txt; echo report > report.xml', linter: 'true' }
    const uuid = '00000000-0000-4000-8000-000000000001'
    const all = async (each: BranchWorld, system: System, work: () => void): Promise<BranchLanded> => {
      const checkout = await each.open(config, system)
      work()
      return each.land(checkout, { config, system, uuid })
    }
    const once = ({ at }: BranchWorld) => {
      let isDone = false
      return () => {
        if (isDone) return
        isDone = true
        write(at, { 'a.txt': 'x\n', 'new/c.txt': 'c\n' })
        rmSync(join(at, 'gone.txt'))
      }
    }
    const whole = new BranchWorld(files)
    const counted = stopping(whole.system, Number.POSITIVE_INFINITY)
    await all(whole, counted.system, once(whole))
    whole.remove()
    const wrong = await tryEach('landing on a branch, stopped', points(counted.steps(), 12), async point => {
      const each = new BranchWorld(files)
      try {
        const before = treeOf(each.top)
        const agent = once(each)
        await all(each, stopping(each.system, point).system, agent).catch(() => {})
        const landed = await all(each, each.system, agent)
        expect(landed.kind).toBe('landed')
        expect(each.log).toBe('Do it\n\nM\ta.txt\nD\tgone.txt\nA\tnew/c.txt\n')
        expect(each.git('show', 'task:a.txt')).toBe('y\n')
        expect(each.git('fsck', '--strict', '--no-dangling')).toBe('')
        expect(treeOf(each.top)).toEqual(before)
        return []
      } finally {
        each.remove()
      }
    })
    expect(wrong).toEqual([])
  }, 600_000)
})

/** A relay that is no more after so many steps: each call that could change something counts, and none works afterwards. */
function stopping(system: System, after: number): { readonly system: System; steps(): number } {
  let steps = 0
  const step = () => {
    steps += 1
    if (steps > after) throw new Error('relay was stopped')
  }
  const counts = new Set([
    'create',
    'replace',
    'append',
    'link',
    'symlink',
    'rename',
    'remove',
    'makeFolder',
    'removeFolder',
  ])
  const files = new Proxy(system.files, {
    get(target, name: keyof Files) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if (counts.has(name)) step()
        else if (steps > after) throw new Error('relay was stopped')
        return method.apply(target, args)
      }
    },
  })
  const programs: System['programs'] = {
    run(...args) {
      step()
      return system.programs.run(...args)
    },
    start(...args) {
      step()
      return system.programs.start(...args)
    },
    endLeftIn: system.programs.endLeftIn,
    endLeft: (...args) => system.programs.endLeft(...args),
    startApart: (...args) => system.programs.startApart(...args),
  }
  return { system: { ...system, files, programs }, steps: () => steps }
}

describe('the tools of the checks', () => {
  const rules = {
    '.gitignore': 'node_modules/\nvendor/*\n!vendor/known.txt\nbuild/\ntools/\n',
    'vendor/known.txt': 'known\n',
  }
  const lint = '#!/bin/sh\nif grep -n bad a.txt; then exit 1; fi\n'
  const blind = '#!/bin/sh\nexit 0\n'
  const none = { setup: '', link: [], copy: [], env: [], fresh: false }

  it.each([false, true])("are the user's, whatever the agent put in their place (fresh: %s)", async fresh => {
    begin({ 'a.txt': 'a\n', 'package.json': '{}', ...rules })
    write(world.top, { 'node_modules/.bin/lint': lint, 'node_modules/one/index.js': '1' })
    const config = { linter: 'node_modules/.bin/lint', checkout: { ...none, fresh } }
    const checkout = await world.open(config)
    rmSync(join(world.at, 'node_modules'), { recursive: true })
    write(world.at, {
      'a.txt': 'bad\n',
      'node_modules/.bin/lint': blind,
      'node_modules/extra/index.js': '1',
      'src/node_modules/evil/index.js': '1',
      'src/b.txt': 'b\n',
      'vendor/evil.sh': blind,
      'build/out': 'out\n',
    })
    const landed = await world.land(checkout, { config })
    expect(landed).toMatchObject({ kind: 'no', outcome: { kind: 'rolled-back' } })
    expect(Object.keys(treeOf(world.at)).toSorted()).toEqual([
      ...['.gitignore', 'a.txt', ...(fresh ? [] : ['build/out'])],
      ...['node_modules/.bin/lint', 'node_modules/one', 'node_modules/one/index.js', 'package.json'],
      ...['src/b.txt', 'vendor/known.txt'],
    ])
    write(world.at, { 'a.txt': 'good\n' })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'landed' })
  })

  it('are made again by the setup where the agent changed them, and only there', async () => {
    begin({ 'a.txt': 'a\n', 'package-lock.json': '1\n', ...rules })
    const ran = join(world.home, 'ran')
    const setup = `cat package-lock.json >> '${ran}'; mkdir -p tools node_modules; printf '${lint.replaceAll('\n', '\\n')}' > tools/lint; chmod +x tools/lint; echo 1 > node_modules/x`
    const config = { linter: 'tools/lint', checkout: { ...none, setup } }
    const checkout = await world.open(config)
    await checkout.setUp(async (command, cwd) => world.sh(command, cwd))
    write(world.at, { 'a.txt': 'b\n', 'node_modules/.vite/cache': '1', 'build/out': '1' })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'landed' })
    expect(readFileSync(ran, 'utf8')).toBe('1\n')
    expect(existsSync(join(world.at, 'node_modules/.vite'))).toBe(false)
    await checkout.renew()
    write(world.at, { 'a.txt': 'bad\n', 'tools/lint': blind })
    expect(await world.land(checkout, { config })).toMatchObject({ kind: 'no' })
    expect(readFileSync(ran, 'utf8')).toBe('1\n1\n')
    write(world.at, { 'a.txt': 'c\n', 'package-lock.json': '2\n' })
    expect(await world.land(checkout, { config, talk: fakeTalk(['yes', 'yes']) })).toMatchObject({ kind: 'landed' })
    expect(readFileSync(ran, 'utf8')).toBe('1\n1\n2\n')
    expect(world.git('show', 'task:package-lock.json')).toBe('2\n')
  })

  it('say nothing where their setup fails: that is a no with its words', async () => {
    begin({ 'a.txt': 'a\n', 'package-lock.json': '1\n', ...rules })
    const setup = 'grep -q 1 package-lock.json || { echo no such package; exit 1; }'
    const config = { linter: 'true', checkout: { ...none, setup } }
    const checkout = await world.open(config)
    await checkout.setUp(async (command, cwd) => world.sh(command, cwd))
    write(world.at, { 'a.txt': 'b\n', 'package-lock.json': '2\n' })
    const work = treeOf(world.at)
    const system = { ...world.system, env: { ...world.system.env, NPM_TOKEN: 'x' } }
    const no = await world.land(checkout, { config, system })
    const message = '`checkout.setup` failed in the checkout: no such package (without NPM_TOKEN: `checkout.env`)'
    expect(no).toMatchObject({ kind: 'no', outcome: { reason: { kind: 'failed', error: { message } } } })
    expect(treeOf(world.at)).toEqual(work)
  })
})

it('names the packages that the work adds and the folder does not have', async () => {
  const text = (dependencies: object) =>
    ({ kind: 'file', bytes: Buffer.from(JSON.stringify({ dependencies })), mode: 0o644 }) as const
  begin({ 'a.txt': 'a\n' })
  write(world.top, { 'node_modules/there/package.json': '{}' })
  const base = text({ old: '1' })
  const made = text({ old: '2', zod: '^3', there: '1', '@a/b': '1', own: 'workspace:*' })
  const changes = [{ path: 'sub/package.json', base, made }]
  expect(await missingPackages(changes, world.top, world.system)).toEqual(['@a/b', 'zod'])
})
