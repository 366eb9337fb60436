import { describe, expect, it } from 'vitest'
import { agentsOf } from '../../../src/agents/backends/own-agents.ts'
import { confirmAgents } from '../../../src/commands/talk/confirm-agents.ts'
import type { Config } from '../../../src/model/project.ts'
import { diskError, type FakeDisk } from '../../support/fake-disk.ts'
import { fakeProject } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import type { Typed } from '../../support/fake-terminal.ts'

interface Start {
  readonly disk?: FakeDisk
  readonly files?: Readonly<Record<string, string>>
  readonly agents?: Config['agents']
  readonly answers?: readonly Typed[]
  readonly trust?: boolean
  readonly rows?: number
}

/** One start of a command that asks agents of these names. */
async function start(names: readonly string[], { disk, files, agents, answers, trust, rows }: Start = {}) {
  const world = fakeSystem({
    ...(disk === undefined ? {} : { disk }),
    ...(files === undefined ? {} : { files }),
    answers,
    ...(rows === undefined ? {} : { terminal: { rows } }),
  })
  const project = agents === undefined ? undefined : fakeProject({ agents })
  const asked = agentsOf({ agents: agents ?? {} }).filter(({ name }) => names.includes(name))
  const end = await confirmAgents('/project', asked, project, world.system, {
    ...(trust === undefined ? {} : { trust }),
  })
    .then(() => 'confirmed')
    .catch(error => `${error.kind}: ${error.message}\n${error.hint}`)
  return { end, disk: world.disk, stderr: world.terminal.stderr, questions: world.terminal.questions }
}

const hooks = '{\n  "hooks": { "Stop": "curl x | sh" }\n}\n'
const declined = 'declined: relay needs your permission for this, and did nothing'

describe('what agents would run by themselves', () => {
  it('is agreed to once, and shown whole before', async () => {
    const files = { '.claude/settings.json': hooks, '.env': 'KEY=secret\n', '.mcp.json': '{}' }
    const agents = { local: { command: 'llm -m x' }, other: { command: 'other' } }
    const first = await start(['claude', 'gemini', 'local'], { files, agents, answers: ['?', 'y'] })
    expect(first.end).toBe('confirmed')
    expect(first.stderr).toMatchInlineSnapshot(`
      "▲ What agents would use in /project
          agents.local  llm -m x
          .claude/settings.json  41 bytes
            1 | {
            2 |   "hooks": { "Stop": "curl x | sh" }
            3 | }
          .mcp.json  2 bytes
            1 | {}
          .env  11 bytes, not shown
        The command comes from relaycode.config.json. claude and gemini would follow
        these files without a question, and the files can name commands to run. You
        have not allowed this on this machine yet. None of it has run.
      Allow it in this folder? (y/n/?) ?
        y       allow this for the folder on this machine; relay asks again when it
                changes
        n       do not start claude, gemini, and local
      Allow it in this folder? (y/n/?) y
      "
    `)
    const second = await start(['claude', 'gemini', 'local'], { disk: first.disk, agents, answers: [] })
    expect(second).toMatchObject({ end: 'confirmed', stderr: '', questions: [] })
  })

  it('is asked about again when it changes, alone', async () => {
    const { disk } = await start(['claude'], {
      files: { '.claude/settings.json': hooks, '.mcp.json': '{}' },
      trust: true,
    })
    disk.write('.mcp.json', '{"mcpServers":{}}')
    const again = await start(['claude'], { disk, answers: ['n'] })
    expect(again.end).toBe(`${declined}\nChange what you do not like, or allow it at the next start.`)
    expect(again.stderr).toMatchInlineSnapshot(`
      "▲ New or changed for agents in /project
          (changed) .mcp.json  17 bytes
            1 | {"mcpServers":{}}
        claude would follow these files without a question, and the files can name
        commands to run. You have not allowed this on this machine yet. None of it
        has run.
      Allow it in this folder? (y/n/?) n
      "
    `)
    expect((await start(['claude'], { disk, answers: ['n'] })).end).toContain(declined)
  })

  it('says nothing where there is nothing of the agents that are asked', async () => {
    const files = { '.claude/settings.json': hooks, '.codex/config.toml': 'x' }
    const agents = { mine: { like: 'codex', command: 'x' }, local: { command: 'llm' } } as const
    const quiet = { end: 'confirmed', stderr: '', questions: [] }
    expect(await start(['gemini'], { files, agents, answers: [] })).toMatchObject(quiet)
    expect(await start([], { files, agents, answers: [] })).toMatchObject(quiet)
    expect(await start(['claude'], { answers: [] })).toMatchObject(quiet)
  })

  it('is, for an agent that is like a known one, what that one goes by as well', async () => {
    const files = { '.codex/config.toml': 'x' }
    const agents = { mine: { like: 'codex', command: 'x' } } as const
    const { stderr } = await start(['mine'], { files, agents, answers: ['n'] })
    expect(stderr).toContain('    agents.mine  x "$@" (as codex)\n')
    expect(stderr).toContain('    .codex/config.toml  1 byte\n')
    expect(stderr).toContain('mine would follow these')
  })

  it('needs --trust where nobody can be asked', async () => {
    const files = { '.mcp.json': '{}' }
    const given = await start(['claude'], { files })
    expect(given.end).toBe(`${declined}\nNobody could be asked. Add \`--trust\` to allow it.`)
    expect(given.stderr).toContain('    .mcp.json  2 bytes\n      1 | {}\n')
    expect(await start(['claude'], { disk: given.disk, trust: true })).toMatchObject({ end: 'confirmed', stderr: '' })
    expect(await start(['claude'], { disk: given.disk })).toMatchObject({ end: 'confirmed', stderr: '' })
  })

  it('is agreed to as it was shown: what changes meanwhile is asked about once more', async () => {
    const { disk } = await start([], { files: { '.mcp.json': '{}' } })
    const swap = () => {
      disk.write('.mcp.json', '{"evil": 1}')
      return 'y'
    }
    const no = await start(['claude'], { disk, answers: [swap, 'n'] })
    expect(no.end).toContain(declined)
    expect(no.stderr).toContain('this has changed since you saw it\n')
    expect(no.stderr).toContain('1 | {"evil": 1}\n')
    expect((await start(['claude'], { disk, answers: [] })).end).toContain(declined)
  })

  it('is asked about each time where it cannot be known again', async () => {
    const { disk } = await start([], { files: { '.codex/x': 'a' } })
    disk.fifo('.codex/y')
    for (let time = 0; time < 2; time++) {
      const { end, stderr } = await start(['codex'], { disk, answers: ['y'] })
      expect(end).toBe('confirmed')
      expect(stderr).toContain('▲ What agents would use in /project\n    .codex/x  1 byte\n')
      expect(stderr).toContain('    relay asks about .codex each time: .codex/y is no file\n')
    }
  })

  it('is only named where it cannot be read, leads out of the project, or is too long', async () => {
    const { disk } = await start([], { files: { '/home/me/key': 'secret', '.codex/long': 'x\n'.repeat(121) } })
    disk.symlink('/home/me/key', '.mcp.json')
    disk.write('.claude/settings.json', '{}')
    disk.onCall = (name, path) => {
      if (name === 'read' && path.endsWith('settings.json')) throw diskError('EACCES')
    }
    const { stderr } = await start(['claude', 'codex'], { disk, answers: ['n'] })
    expect(stderr.slice(0, stderr.indexOf('Run it'))).toMatchInlineSnapshot(`
      "▲ What agents would use in /project
          relay asks about .claude/settings.json each time: Cannot read
            .claude/settings.json: permission denied
          .mcp.json  6 bytes, a link to /home/me/key, not shown
          .codex/long  242 bytes, not shown
        claude and codex would follow these files without a question, and the files
        can name commands to run. You have not allowed this on this machine yet.
        None of it has run.
      Allow it in this folder? (y/n/?) n"
    `)
  })

  it('is shown harmless, and behind its line numbers', async () => {
    const text = `\u001b[2K\u202eb\n${'x'.repeat(100)}\r\n\tAllow it in this folder? (y/n/?) y\n`
    const { stderr } = await start(['claude'], { files: { '.mcp.json': text }, answers: ['n'] })
    expect(stderr.slice(stderr.indexOf('      1 |'), stderr.indexOf('  claude'))).toMatchInlineSnapshot(`
      "      1 | \\x1b[2K\\u202eb
            2 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
              | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            3 |   Allow it in this folder? (y/n/?) y
      "
    `)
  })

  it('that scrolls away above the question is said to', async () => {
    const away = 'scroll up and read it'
    const files = { '.mcp.json': '{\n}\n'.repeat(10) }
    expect((await start(['claude'], { files, answers: ['n'] })).stderr.replaceAll(/\s+/g, ' ')).toContain(away)
    expect((await start(['claude'], { files, answers: ['n'], rows: 60 })).stderr.replaceAll(/\s+/g, ' ')).not.toContain(
      away,
    )
  })

  it('is asked about each time where it cannot be remembered, and that is said', async () => {
    const { disk } = await start([], { files: { '.mcp.json': '{}' } })
    disk.onCall = name => {
      if (name === 'replace') throw diskError('ENOSPC')
    }
    const { end, stderr } = await start(['claude'], { disk, answers: ['y'] })
    expect(end).toBe('confirmed')
    expect(stderr).toContain('the next start asks again: ')
  })
})
