import { describe, expect, it } from 'vitest'
import { type DoctorOptions, doctor } from '../../src/commands/doctor.ts'
import { RelayError } from '../../src/errors.ts'
import { relay } from '../../src/flows/relay.ts'
import type { Files, System } from '../../src/ports.ts'
import { instructions } from '../../src/project/instructions.ts'
import { loadProject } from '../../src/project/load-project.ts'
import { trustProject } from '../../src/project/trust.ts'
import type { FakeClipboard } from '../support/fake-clipboard.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeTalk } from '../support/fake-project.ts'
import { type FakeSystem, type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'

const config = (more: object = {}) => JSON.stringify({ projectId: 'demo', ...more })
const lint = { output: 'src/a.ts(1,1): error TS1: bad\n', exit: 2, takes: 1200 }

/** A project in which all is well, at a terminal, but for what a test changes. */
async function healthy(options: FakeSystemOptions & { config?: object; agreed?: boolean } = {}): Promise<FakeSystem> {
  const world = fakeSystem({
    autoAdvance: true,
    commands: { lint },
    clipboard: 'former',
    answers: ['y'],
    ...options,
    files: {
      'relaycode.config.json': config(options.config ?? { linter: 'lint' }),
      '.gitignore': '.relaycode/\n',
      ...options.files,
    },
  })
  world.disk.folder('.relaycode', 0o700)
  world.clipboard.tells = true
  if (options.agreed !== false) await trustProject((await loadProject(world.system)).project, [], world.system)
  return world
}

async function examine(world: FakeSystem, options: DoctorOptions = {}, changes: Partial<System> = {}) {
  const code = await doctor({ ...world.system, ...changes }, options)
  return { code, lines: world.terminal.stdout.trimEnd().split('\n') }
}

/** The lines about one subject. */
async function about(subject: string, world: FakeSystem, changes: Partial<System> = {}) {
  const { code, lines } = await examine(world, {}, changes)
  const found: string[] = []
  let isIn = false
  for (const line of lines) {
    if (/^\S/.test(line)) isIn = line.slice(2, 14).trim() === subject
    if (isIn) found.push(line)
  }
  return { code, said: found.join('\n') }
}

describe('relay doctor', () => {
  it('says that all is well, line by line, and leaves everything as it was', async () => {
    const world = await healthy()
    const before = world.disk.tree()
    expect(await examine(world)).toMatchObject({ code: 0 })
    expect(world.terminal.stdout).toMatchInlineSnapshot(`
      "✔ relay       0.0.0-test, Node 20.20.2, linux x64
      ✔ config      demo in /project
      ✔ commands    linter: allowed
      ✔ linter      1 error, 1.2 s
      ✔ state       /project/.relaycode: private, can be written
      ✔ gitignore   .gitignore names .relaycode/
      ✔ clipboard   fake: a test
      ✔ round trip  a text with emoji and CRLF came back unchanged; the clipboard is
                    restored
      ✔ terminal    80 columns, no colours, Unicode, no links, pager less -R, editor
                    vi
      ✔ notices     bell, title and, if the terminal supports it, a notification
      ✔ agents      none; only agent commands need one (\`relay agents\` tells more)
      All is well.
      "
    `)
    expect(world.terminal.stderr).toBe('Overwrite the clipboard for a moment? (y/n/?) y\n')
    expect(world.clipboard.written).toHaveLength(2)
    expect(world.clipboard.written[0]).toMatch(/^relay doctor \S+\r\nwörld ✅ 👩‍👩‍👧\r\n$/)
    expect(world.clipboard.text).toBe('former')
    expect(world.disk.tree()).toEqual(before)
    expect(world.shell.ran.map(({ command }) => command)).toEqual(['lint'])
  })

  it('tells outside a project what is missing, and looks at the rest', async () => {
    const world = fakeSystem({ answers: ['y'] })
    const { code, lines } = await examine(world)
    expect(code).toBe(8)
    expect(lines.slice(1, 3).join('\n')).toMatchInlineSnapshot(`
      "✖ config      no relaycode.config.json in /project or above
                    Run \`relay --init\` in your project."
    `)
    expect(lines.filter(line => /^\S/.test(line)).map(line => line.slice(0, 14).trim())).toEqual([
      '✔ relay',
      '✖ config',
      '✔ clipboard',
      '✔ round trip',
      '✔ terminal',
      '✔ notices',
      '✔ agents',
      '1 problem: see',
    ])
  })

  it('takes a broken configuration for a problem, and looks at the rest', async () => {
    const world = await healthy({ agreed: false, config: { approval: 'maybe' } })
    const { code, lines } = await examine(world)
    expect(code).toBe(8)
    expect(lines.slice(1, 5).join('\n')).toMatchInlineSnapshot(`
      "✖ config      Cannot use /project/relaycode.config.json:
                    approval: found "maybe", allowed: "yes", "no" or "never"
                    Correct it in your editor: /project/relaycode.config.json
      ✔ state       /project/.relaycode: private, can be written"
    `)
    expect(lines.at(-1)).toBe('1 problem: see above for what to do.')
    expect(lines.join('\n')).toContain('✔ round trip')
  })

  it('names the file of the user, and what is wrong in it', async () => {
    const own = '/home/me/.config/relaycode/config.json'
    const world = await healthy()
    world.disk.write(own, '{"editor": "code --wait", "approval": "no"}')
    const { code, lines } = await examine(world)
    expect(code).toBe(0)
    expect(lines.slice(1, 5).join('\n')).toMatchInlineSnapshot(`
      "✔ config      yours, for all projects: editor in
                    /home/me/.config/relaycode/config.json
      ▲ config      /home/me/.config/relaycode/config.json: unknown key "approval":
                    it is a project's, not yours: it counts in relaycode.config.json"
    `)
    expect(lines.join('\n').replaceAll(/\n +/g, ' ')).toContain('editor code --wait')

    const broken = await healthy()
    broken.disk.write(own, '{"editor": 1}')
    const { code: failed, lines: said } = await examine(broken)
    expect(failed).toBe(8)
    expect(said.slice(1, 5).join('\n')).toMatchInlineSnapshot(`
      "✖ config      Cannot use /home/me/.config/relaycode/config.json:
                    editor: found 1, allowed: a shell command on one line
                    Correct it in your editor:
                    /home/me/.config/relaycode/config.json"
    `)
  })

  it('repeats no more than the beginning of a linter’s endless line', async () => {
    const world = await healthy({ commands: { lint: { exit: 3, output: 'x'.repeat(5_000_000) } } })
    await examine(world, { json: true })
    const { findings } = JSON.parse(world.terminal.stdout)
    const { says } = findings.find(({ subject }: { subject: string }) => subject === 'linter')
    expect(says).toMatch(/^not counted: exit 3.*\nit printed: x{499}…$/)
  })

  it.each<[string, string, Parameters<typeof healthy>[0], number, string]>([
    ['an unknown key', 'config', { config: { linterr: 1 } }, 0, '▲ config      unknown key "linterr"; did you mean'],
    ['no linter', 'linter', { config: {} }, 0, '▲ linter      none configured: changes are kept without a check\n'],
    [
      'commands that are not agreed to',
      'commands',
      { agreed: false, config: { linter: 'lint', postCommand: 'fmt' } },
      0,
      '▲ commands    linter is new, postCommand is new: not allowed on this machine\n              yet\n              The next `relay watch` asks',
    ],
    [
      'a linter that is not agreed to',
      'linter',
      { agreed: false },
      0,
      '▲ linter      not run: you have not allowed its command',
    ],
    [
      'a linter that is not there',
      'linter',
      { commands: {} },
      8,
      '✖ linter      not counted: exit 127: "lint" was not found, 0 ms\n              it printed: sh: 1: lint: not found\n              Run the linter yourself',
    ],
    [
      'a linter whose words nobody understands',
      'linter',
      { commands: { lint: { exit: 3 } } },
      8,
      '✖ linter      not counted: exit 3',
    ],
    ['no commands', 'commands', { config: {} }, 0, '✔ commands    none configured'],
    ['a notification of the user’s', 'notices', { config: { notify: 'say hi' } }, 0, '✔ notices     your own command'],
    ['no notification', 'notices', { config: { notify: 'off' } }, 0, '✔ notices     off'],
    ['no terminal', 'terminal', { answers: undefined }, 0, '▲ terminal    relay cannot ask here'],
    ['a narrow one', 'terminal', { terminal: { columns: 30 } }, 0, '▲ terminal    relay needs at least'],
  ])('knows %s', async (_name, subject, options, expected, said) => {
    const world = await healthy(options)
    const found = await about(subject, world)
    expect(found.said).toContain(said)
    expect(found.code).toBe(expected)
  })

  it('tells what cannot be read from what is not agreed to', async () => {
    const world = await healthy()
    world.disk.onCall = (name, path) => {
      if (name === 'read' && path.includes('/trust/')) throw diskError('EACCES')
    }
    const { said } = await about('commands', world)
    expect(said).toContain('▲ commands    linter: relay cannot read what you have allowed on this machine\n')
  })

  it('runs nothing that is not agreed to', async () => {
    const world = await healthy({ agreed: false })
    await examine(world)
    expect(world.shell.ran).toEqual([])
  })

  it('says when others have a say in the project, and then runs nothing', async () => {
    const world = await healthy()
    world.disk.chmod('/project', 0o777)
    const words = '▲ commands    others can change files in this folder: every user of this'
    expect((await about('commands', world, { uid: 0 })).said).toContain(words)
    expect(world.shell.ran).toEqual([])
  })

  it.each<[string, (world: FakeSystem) => void, number, string]>([
    ['not there', ({ disk }) => disk.remove('.relaycode'), 0, '▲ state       /project/.relaycode is not there yet\n'],
    [
      'a link',
      ({ disk }) => {
        disk.remove('.relaycode')
        disk.symlink('/tmp', '.relaycode')
      },
      8,
      '✖ state       /project/.relaycode is not a folder\n',
    ],
    ['open to others', ({ disk }) => disk.chmod('.relaycode', 0o755), 0, 'can be read by others (mode 755)\n'],
    [
      'not writable',
      ({ disk }) => {
        disk.onCall = (name, path) => {
          if (name === 'create' && path.includes('doctor')) throw new RelayError('environment', 'Read-only')
        }
      },
      8,
      '✖ state       nothing can be written into /project/.relaycode: Read-only\n',
    ],
    [
      'not there and cannot be made',
      ({ disk }) => {
        disk.remove('.relaycode')
        disk.onCall = (name, path) => {
          if (name === 'create' && path.startsWith('/project/.relaycode-doctor-')) throw diskError('EROFS')
        }
      },
      8,
      '✖ state       /project/.relaycode cannot be made: Cannot write .relaycode: the\n              file system is read-only\n              Mount it writable',
    ],
    [
      'unfinished',
      ({ disk }) => disk.write('.relaycode/cccccccc-7d5e-4f5c-9a0e-2b9a5a6f3a11.pending.yml', 'no entry'),
      0,
      'is unfinished, and relay',
    ],
  ])('knows a state folder that is %s', async (_name, change, code, said) => {
    const world = await healthy()
    change(world)
    expect(await about('state', world)).toEqual({ code, said: expect.stringContaining(said) })
  })

  it('finds nothing in the modes of Windows, which say of every folder that all may read it', async () => {
    const world = await healthy()
    world.disk.chmod('.relaycode', 0o666)
    const runtime = { ...world.system.runtime, platform: 'win32 x64' }
    expect((await about('state', world, { runtime })).said).toBe('✔ state       /project/.relaycode: can be written')
  })

  it('says that the project itself cannot be written, with the state folder open', async () => {
    const world = await healthy()
    world.disk.onCall = (name, path) => {
      if (name === 'create' && path.startsWith('/project/.relaycode-doctor-')) throw diskError('EACCES')
    }
    const { code, said } = await about('project', world)
    expect(code).toBe(8)
    expect(said).toContain('✖ project     nothing can be written into /project: Cannot write')
    expect(world.terminal.stdout).toContain('✔ state       /project/.relaycode: private, can be written')
  })

  it('says once what closes the project and its state folder', async () => {
    const world = await healthy()
    world.disk.onCall = (name, path) => {
      if (name === 'create' && path.includes('doctor')) throw diskError('ENOSPC')
    }
    const { code, lines } = await examine(world)
    expect(code).toBe(8)
    expect(lines.slice(4, 8).join('\n')).toMatchInlineSnapshot(`
      "✖ project     nothing can be written into /project: Cannot write a file: the
                    disk is full
                    Free some space, then try again.
      ✔ gitignore   .gitignore names .relaycode/"
    `)
    expect(lines.at(-1)).toBe('1 problem: see above for what to do.')
  })

  it.each([true, false])('removes what a doctor that was killed had left in the project: %s', async isInitialized => {
    const world = await healthy()
    const { disk, system } = world
    if (!isInitialized) disk.remove('.relaycode')
    const called = (first: string) => `.relaycode-doctor-${first}1234567-89ab-4cde-8f01-23456789abcd.tmp`
    const kept = [`${called('a')}x`, '.relaycode-doctor-1.tmp', called('b'), called('c'), called('d'), called('e')]
    const [, , , another, atWork, linked] = kept
    let now = Date.UTC(2026, 0, 1)
    disk.time = () => now
    for (const path of [called('0'), called('1'), ...kept.slice(0, 4)]) disk.write(path, 'x')
    disk.write(called('1'), '')
    disk.write(called('b'), 'y')
    disk.symlink('src', linked ?? '')
    now += 3_600_000
    disk.write(atWork ?? '', 'x')
    const files: Files = {
      ...system.files,
      stat: async path => {
        const stat = await system.files.stat(path)
        return stat !== null && path.endsWith(another ?? '') ? { ...stat, uid: 1001 } : stat
      },
    }
    const before = disk.tree()
    expect(await examine(world, {}, { files })).toMatchObject({ code: 0 })
    const removed = Object.keys(before).filter(path => !disk.exists(path))
    expect(removed).toEqual([called('0'), called('1')])
    expect(Object.keys(disk.tree())).toEqual(Object.keys(before).filter(path => !removed.includes(path)))
  })

  it.each<[string, (world: FakeSystem) => void, number, string]>([
    ['tracks it', ({ disk }) => disk.write('.git/index', index('.relaycode/x.yml')), 8, '✖ gitignore   git tracks'],
    ['may take it', ({ disk }) => disk.write('.gitignore', 'x\n'), 0, '▲ gitignore   nothing keeps git'],
    [
      'is kept away by the folder itself',
      ({ disk }) => {
        disk.remove('.gitignore')
        disk.write('.relaycode/.gitignore', '*\n')
      },
      0,
      '✔ gitignore   not in .gitignore, but',
    ],
  ])('knows that git %s', async (_name, change, code, said) => {
    const world = await healthy()
    change(world)
    expect(await about('gitignore', world)).toEqual({ code, said: expect.stringContaining(said) })
  })

  it.each<[string, (clipboard: FakeClipboard) => void, number, string]>([
    ['loses a text', each => reading(each, () => null), 8, '✖ round trip  a text did not come back'],
    [
      'changes a text',
      each => reading(each, text => text.replace('✅', '?')),
      8,
      '✖ round trip  a text came back changed',
    ],
    ['changes line ends', each => reading(each, text => text.replaceAll('\r', '')), 0, '▲ round trip  CRLF came back'],
    ['cannot be written', each => writing(each, 1), 8, '✖ round trip  Full'],
    ['cannot be put back', each => writing(each, 2), 8, '✖ round trip  relay could not put your text back: Full'],
    ['holds an answer', each => each.copy(respond({ 'a.ts': 'a\n' })), 0, '▲ round trip  skipped: the clipboard holds'],
    [
      'holds another project’s answer',
      each => each.copy(respond({ 'a.ts': 'a\n' }, { projectId: 'else' })),
      0,
      '▲ round trip  skipped: the clipboard holds',
    ],
    ['holds relay’s instructions', each => each.copy(instructions('demo')), 0, '✔ round trip  a text with emoji'],
  ])('knows a clipboard that %s', async (_name, change, code, said) => {
    const world = await healthy()
    change(world.clipboard)
    expect(await about('round trip', world)).toEqual({ code, said: expect.stringContaining(said) })
  })

  it('puts an answer back that had its turn: whoever watches skips it', async () => {
    const world = await healthy()
    const text = respond({ 'a.ts': 'a\n' })
    world.clipboard.copy(text)
    const { project } = await loadProject(world.system)
    expect(await relay({ source: 'clipboard', text }, project, world.system, fakeTalk())).toMatchObject({
      kind: 'committed',
    })
    expect(await about('round trip', world)).toEqual({ code: 0, said: expect.stringContaining('✔ round trip') })
    expect(world.clipboard.text).toBe(text)
  })

  it('waits a moment for a text that is not there at once', async () => {
    const world = await healthy()
    let reads = 0
    reading(world.clipboard, text => (++reads < 5 ? 'former' : text))
    expect(await about('round trip', world)).toEqual({ code: 0, said: expect.stringContaining('✔ round trip') })
  })

  it('says why the clipboard cannot be read', async () => {
    const world = await healthy()
    world.clipboard.lose(new RelayError('environment', 'No display', { hint: 'Log in.' }))
    expect(await about('clipboard', world)).toEqual({
      code: 8,
      said: '✖ clipboard   fake: No display\n              Log in.',
    })
    expect(world.terminal.questions).toEqual([])
    expect(world.terminal.stdout).not.toContain('round trip')
  })

  it('knows a clipboard that should tell of copies, and does not', async () => {
    const deaf = await healthy()
    deaf.clipboard.listen = async function* () {}
    const { code, said } = await about('clipboard', deaf)
    expect({ code, said: said.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 0,
      said: '▲ clipboard fake: it does not announce copies here, so `relay watch` checks it at intervals',
    })
    const old = await healthy()
    old.clipboard.listen = async function* () {
      yield* []
      throw new RelayError('environment', 'Too old', { hint: 'Install a newer one.' })
    }
    expect(await about('clipboard', old)).toEqual({
      code: 8,
      said: '✖ clipboard   fake: Too old\n              Install a newer one.',
    })
    expect(old.clipboard.written).toEqual([])
  })

  it('does not touch the clipboard where nobody agrees to it', async () => {
    for (const [answers, said] of [
      [['n'], 'skipped, because you said no'],
      [undefined, 'relay\n              could not ask'],
    ] as const) {
      const world = await healthy({ answers })
      expect(await about('round trip', world)).toEqual({ code: 0, said: expect.stringContaining(said) })
      expect(world.clipboard.written).toEqual([])
    }
  })

  it('asks nobody with --yes, and warns of what is no text when it asks', async () => {
    const yes = await healthy({ answers: [] })
    expect((await examine(yes, { yes: true })).code).toBe(0)
    expect(yes.terminal.questions).toEqual([])
    expect(yes.clipboard.text).toBe('former')
    const picture = await healthy({ clipboard: null })
    await examine(picture)
    expect(picture.terminal.questions).toEqual([
      'Overwrite the clipboard for a moment? A picture on it would be lost. (y/n/?)',
    ])
    expect(picture.clipboard.text).toBe('')
  })

  it('writes nothing where it could not be kept, and says what to install', async () => {
    const world = await healthy()
    Object.assign(world.clipboard, { fleeting: { why: 'xclip is missing', hint: 'Install xclip.' } })
    const { code, said } = await about('clipboard', world)
    expect(code).toBe(0)
    expect(said).toMatchInlineSnapshot(`
      "✔ clipboard   fake: a test
      ▲ clipboard   cannot be written: xclip is missing
                    Install xclip."
    `)
    expect(world.clipboard.written).toEqual([])
    expect(world.terminal.stdout).not.toContain('round trip')
  })

  it('knows that there is no clipboard: with a terminal there is still a way, without one none', async () => {
    const gone = { kind: 'none', name: 'none', why: 'no DISPLAY' } as const
    const world = await healthy()
    Object.assign(world.clipboard, gone)
    expect(await about('clipboard', world)).toEqual({
      code: 0,
      said: '▲ clipboard   none: no DISPLAY\n              Paste each answer into the window of `relay watch`.',
    })
    const alone = await healthy({ answers: undefined })
    Object.assign(alone.clipboard, gone)
    expect(await about('clipboard', alone)).toEqual({
      code: 8,
      said: '✖ clipboard   none: no DISPLAY\n              Save the answer and use `relay apply <file>`.',
    })
  })

  it('knows that the terminal may take copies where no clipboard can', async () => {
    const gone = { kind: 'none', name: 'none', why: 'no DISPLAY' } as const
    const fleeting = { fleeting: { why: 'xclip is missing', hint: 'Install xclip.' } }
    for (const [clipboard, takesCopies, said] of [
      [gone, true, "✔ copies      go to your terminal's clipboard (OSC 52), if it accepts them"],
      [fleeting, true, "✔ copies      go to your terminal's clipboard (OSC 52), if it accepts them"],
      [gone, false, ''],
      [{}, true, ''],
    ] as const) {
      const world = await healthy({ terminal: { takesCopies } })
      Object.assign(world.clipboard, clipboard)
      expect((await about('copies', world)).said).toBe(said)
    }
  })

  it('says that the editor is not there, where one can be asked for', async () => {
    const without = (world: FakeSystem) => {
      const { terminal } = world
      const tools = {
        ...{ isTerminal: true, pager: undefined, notices: 'none' },
        editor: 'no-such -w',
        hasEditor: false,
      }
      return { terminal: Object.assign(terminal, { tools: async () => tools }) }
    }
    const world = await healthy()
    expect(await about('terminal', world, without(world))).toEqual({
      code: 0,
      said: [
        '✔ terminal    80 columns, no colours, Unicode, no links, no pager, no editor',
        '▲ terminal    the editor "no-such -w" was not found',
        '              `relay config --user editor …` sets another one.',
      ].join('\n'),
    })
    const alone = await healthy({ answers: undefined })
    expect((await about('terminal', alone, without(alone))).said).not.toContain('no-such')
  })

  it('says what a back end cannot see, and that Node is too old', async () => {
    const world = await healthy()
    Object.assign(world.clipboard, { caution: 'copies may go unseen: install wl-clipboard' })
    const runtime = { name: 'Node', version: '18.20.4', platform: 'linux x64' } as const
    const { code, lines } = await examine(world, {}, { runtime })
    expect(code).toBe(8)
    expect(lines).toContain('▲ clipboard   copies may go unseen: install wl-clipboard')
    expect(lines.slice(0, 2)).toEqual([
      '✖ relay       0.0.0-test, Node 18.20.4, linux x64',
      '              relay needs Node 20.19 or newer.',
    ])
  })

  it('names a state folder that it cannot look into once, and looks at the rest', async () => {
    const world = await healthy({ files: { '.gitignore': '' } })
    world.disk.onCall = (name, path) => {
      if (name === 'list' && path.includes('.relaycode')) throw diskError('EACCES')
    }
    const { code, lines } = await examine(world)
    expect(code).toBe(8)
    expect(lines.slice(3).join('\n')).toMatchInlineSnapshot(`
      "✔ linter      1 error, 1.2 s
      ✖ state       /project/.relaycode cannot be looked into: Cannot list
                    .relaycode: permission denied
                    Look at its owner and mode: \`ls -ld -- .relaycode\`
      ✔ clipboard   fake: a test
      ✔ round trip  a text with emoji and CRLF came back unchanged; the clipboard is
                    restored
      ✔ terminal    80 columns, no colours, Unicode, no links, pager less -R, editor
                    vi
      ✔ notices     bell, title and, if the terminal supports it, a notification
      ✔ agents      none; only agent commands need one (\`relay agents\` tells more)
      1 problem: see above for what to do."
    `)
  })

  it.each<[string, (world: FakeSystem) => Partial<System>, string]>([
    [
      'the project’s folder',
      ({ system }) => ({ files: { ...system.files, realPath: fail } }),
      '✖ config      Unexpected: Out of order\n              This is a bug in relay. Please report it.',
    ],
    [
      'the commands',
      ({ system }) => ({ uid: 0, files: failingAt('.relaycode', system.files) }),
      '✖ commands    Unexpected: Out',
    ],
    ['the linter', ({ system }) => ({ shell: { ...system.shell, run: fail } }), '✖ linter      Unexpected: Out'],
    ['the state', ({ system }) => ({ files: failingAt('.relaycode', system.files) }), '✖ state       Unexpected: Out'],
    ['git', ({ system }) => ({ files: failingAt('.gitignore', system.files) }), '✖ gitignore   Unexpected: Out'],
    ['the clipboard', () => ({ clipboard: { backEnd: fail, write: fail } as never }), '✖ clipboard   Unexpected: Out'],
    ['the agents', ({ system }) => ({ shell: { ...system.shell, find: fail } }), '✖ agents      Unexpected: Out'],
    [
      'the terminal',
      ({ terminal }) => ({ terminal: Object.assign(terminal, { tools: fail }) }),
      '✖ terminal    Unexpected: Out',
    ],
  ])('takes what nobody foresaw about %s for a problem, and goes on', async (_name, change, said) => {
    const world = await healthy()
    const { code, lines } = await examine(world, {}, change(world))
    expect(code).toBe(8)
    expect(lines.join('\n')).toContain(said)
    expect(lines.at(-1)).toMatch(/^\d problems?: see above for what to do\.$/)
  })

  it('names the agents that are there, and finds no fault where there is none', async () => {
    const world = await healthy()
    for (const name of ['codex', 'claude']) world.shell.programs.set(name, `/usr/bin/${name}`)
    expect(await about('agents', world)).toEqual({
      code: 0,
      said: '✔ agents      claude, codex (`relay agents` tells more)',
    })
    expect(world.programs.ran).toEqual([])
    expect(await about('agents', await healthy())).toEqual({
      code: 0,
      said: expect.stringContaining('✔ agents      none; only agent commands need one'),
    })
  })

  it('stops at Ctrl+C', async () => {
    const world = await healthy({ answers: [() => world.interrupt() as undefined] })
    expect((await examine(world)).code).toBe(130)
    expect(world.clipboard.written).toEqual([])
  })

  it('fits 40 columns, and has signs of ASCII', async () => {
    const world = await healthy({ terminal: { columns: 40, unicode: false }, config: { linter: 'lint', theme: 1 } })
    const { lines } = await examine(world)
    expect(lines.filter(line => line.length > 40)).toEqual([])
    expect(lines.slice(0, 4)).toEqual([
      'ok relay       0.0.0-test, Node',
      '               20.20.2, linux x64',
      'ok config      demo in /project',
      '!  config      unknown key "theme"',
    ])
  })
})

async function fail(): Promise<never> {
  throw new Error('Out of order')
}

/** Knows nothing of one name any more. */
function failingAt(name: string, files: Files): Files {
  return { ...files, stat: path => (path.endsWith(`/${name}`) ? fail() : files.stat(path)) }
}

/** Reads differently what doctor writes. */
function reading(clipboard: FakeClipboard, change: (text: string) => string | null): void {
  const { read } = clipboard
  clipboard.read = async () => {
    const text = await read.call(clipboard)
    return text?.startsWith('relay doctor') ? change(text) : text
  }
}

/** Fails at one of the writes. */
function writing(clipboard: FakeClipboard, failing: number): void {
  const { write } = clipboard
  let writes = 0
  clipboard.write = async text => {
    if (++writes === failing) throw new RelayError('environment', 'Full')
    await write.call(clipboard, text)
  }
}

/** An index of git's that holds one path. */
function index(path: string): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\x01')
  const entry = Buffer.alloc(62)
  entry.writeUInt16BE(path.length, 60)
  return Buffer.concat([head, entry, Buffer.from(`${path}\0`)])
}
