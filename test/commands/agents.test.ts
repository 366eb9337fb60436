import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import type { ProgramReply } from '../support/fake-programs.ts'
import { type FakeSystem, type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'

/** A machine with these agents: what each prints for its version. */
function machine(agents: Readonly<Record<string, ProgramReply>>, options: FakeSystemOptions = {}): FakeSystem {
  const world = fakeSystem({ autoAdvance: true, ...options })
  for (const [name, reply] of Object.entries(agents)) {
    world.shell.programs.set(name, `/usr/bin/${name}`)
    world.programs.replies.set(`/usr/bin/${name} --version`, reply)
  }
  return world
}

async function look({ system, terminal }: FakeSystem, ...args: readonly string[]) {
  const code = await main(['agents', ...args], around(system))
  return { code, stdout: terminal.stdout, stderr: terminal.stderr }
}

const three = {
  claude: { out: ['2.1.197 (Claude Code)'] },
  codex: { out: ['codex-cli 0.169.0'] },
  amp: { err: ['Error: 1.0 is too old'], out: ['', '0.0.1790142911-g7618fb (released 2026-11-20)'] },
}

describe('relay agents', () => {
  it('shows what is there, what each may do, and how to get the others', async () => {
    const world = machine(three, { files: { '/home/me/.codex/auth.json': '{}' } })
    expect((await look(world)).stdout).toMatchInlineSnapshot(`
      "  agent     version           read-only  write     full   logged in
      ✔ claude    2.1.197           rules      rules     rules  no sign
      ✔ codex     0.169.0           enforced   enforced  rules  seems so
      ○ gemini    not found         npm install -g @google/gemini-cli
      ○ opencode  not found         npm install -g opencode-ai
      ○ copilot   not found         npm install -g @github/copilot
      ✔ amp       0.0.1790142911-…  rules      none      rules  no sign    not tried

      \`relay ask\` asks codex, unless \`--to\` names another.
      enforced: the operating system enforces it. rules: the agent follows it by
      itself. none: nothing enforces it, so relay refuses.
      With rules, an agent that may run commands such as your tests can run any code
      as you: it writes the code that they run.
      "
    `)
    expect((await look(machine(three, { terminal: { columns: 40 } }))).stdout).toMatchInlineSnapshot(`
      "✔ claude 2.1.197
          read-only rules, write rules,
            full rules, logged in: no sign
      ✔ codex 0.169.0
          read-only enforced, write
            enforced, full rules, logged in:
            no sign
      ○ gemini not found
          npm install -g
            @google/gemini-cli
      ○ opencode not found
          npm install -g opencode-ai
      ○ copilot not found
          npm install -g @github/copilot
      ✔ amp 0.0.1790142911-…
          read-only rules, write none,
            full rules, logged in: no sign,
            not tried

      \`relay ask\` asks codex, unless \`--to\`
      names another.
      enforced: the operating system
      enforces it. rules: the agent follows
      it by itself. none: nothing enforces
      it, so relay refuses.
      With rules, an agent that may run
      commands such as your tests can run
      any code as you: it writes the code
      that they run.
      "
    `)
  })

  it.each([80, 40])('fits %i columns, with signs of ASCII and without colours', async columns => {
    const all = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'amp']
    const slow = Object.fromEntries(all.map(name => [name, { out: [`${name} 1.${'0'.repeat(60)}`] }]))
    for (const agents of [slow, three, { amp: {} }, {}]) {
      const { code, stdout } = await look(machine(agents, { terminal: { columns, unicode: false } }))
      expect(code).toBe(0)
      // A command that is to be copied stays whole.
      const lines = stdout.split('\n').filter(line => !line.includes('npm install'))
      expect(lines.filter(line => line.length > columns || /[^\x20-\x7e]/.test(line))).toEqual([])
    }
  })

  it('says with one sentence what to do where there is none', async () => {
    expect(await look(machine({}))).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'No agent is installed here (claude, codex, gemini, opencode, copilot, amp).\n' +
        'Install one: `npm install -g @openai/codex`, for example.\n',
    })
  })

  it('tells programs the same', async () => {
    const { stdout } = await look(machine({ codex: three.codex }, { env: { CODEX_API_KEY: 'k' } }), '--json')
    const { ask, agents } = JSON.parse(stdout) as { ask: unknown; agents: readonly unknown[] }
    expect(ask).toBe('codex')
    expect(agents).toHaveLength(6)
    expect(agents.slice(1, 3)).toEqual([
      {
        name: 'codex',
        program: 'codex',
        path: '/usr/bin/codex',
        version: '0.169.0',
        sandboxes: { 'read-only': 'enforced', 'workspace-write': 'enforced', 'danger-full-access': 'rules' },
        looksLoggedIn: true,
        tried: true,
        install: 'npm install -g @openai/codex',
      },
      {
        name: 'gemini',
        program: 'gemini',
        path: null,
        version: null,
        sandboxes: { 'read-only': 'rules', 'workspace-write': 'rules', 'danger-full-access': 'rules' },
        looksLoggedIn: null,
        tried: true,
        install: 'npm install -g @google/gemini-cli',
      },
    ])
    const none = JSON.parse((await look(machine({}), '--json')).stdout) as { ask: unknown }
    expect(none.ask).toBe(null)
  })

  it('names the first that is there for relay ask where codex is not', async () => {
    const { stdout } = await look(machine({ amp: three.amp, gemini: { out: ['0.61.0'] } }))
    expect(stdout).toContain('`relay ask` asks gemini, unless')
  })

  it('says that the configuration names an agent that there is not', async () => {
    const files = { 'relaycode.config.json': '{"projectId":"demo","agent":"nope"}' }
    const { code, stdout, stderr } = await look(machine(three, { files }))
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '▲ "agent" in the configuration is "nope", and there is no such agent\n',
    })
    expect(stdout).toContain('\n\nHere `relay ask` needs `--to`.\n')
    const json = await look(machine(three, { files }), '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ ask: null })
  })

  it('shows all the others in time where one hangs, and waits for its end then', async () => {
    const world = machine({ ...three, gemini: { takes: 60_000 } }, { autoAdvance: false })
    const end = look(world)
    await world.clock.someoneSleeps()
    await world.clock.advance(1200)
    expect(world.terminal.stdout).toBe('')
    await world.clock.advance(200)
    expect(world.terminal.stdout).toMatch(/codex +0\.169\.0 .*\n.*gemini +does not say /)
    expect((await end).code).toBe(0)
  })

  it('takes the version of a slow program from its package, where npm installed it', async () => {
    const folder = '/usr/lib/node_modules/@google/gemini-cli'
    const files = { [`${folder}/dist/cli.js`]: '', [`${folder}/package.json`]: '{"version": "0.61.0"}' }
    const world = machine({ gemini: { takes: 60_000 } }, { files })
    world.disk.symlink(`${folder}/dist/cli.js`, '/usr/bin/gemini')
    expect((await look(world)).stdout).toMatch(/gemini +0\.61\.0 /)
  })

  it('ends at Ctrl+C, and shows nothing', async () => {
    const world = machine({ codex: { takes: 60_000 } }, { autoAdvance: false })
    const end = look(world)
    await world.clock.someoneSleeps()
    world.interrupt()
    expect(await end).toEqual({ code: 130, stdout: '', stderr: '' })
  })

  it('starts each program in no project, and hands it no credentials', async () => {
    const env = { PATH: '/usr/bin', HOME: '/home/me', GITHUB_TOKEN: 'secret' }
    const world = machine({ codex: three.codex }, { env })
    await look(world)
    expect(world.programs.ran.map(({ argv, options: { cwd, env } }) => ({ argv, cwd, env }))).toEqual([
      {
        argv: ['/usr/bin/codex', '--version'],
        cwd: '/home/me',
        env: { PATH: '/usr/bin', HOME: '/home/me', RELAY_AGENT: '1', PHONE_A_FRIEND_DEPTH: '1' },
      },
    ])
  })
})
