import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.ts'
import { around } from '../../support/around.ts'
import { diskError, type FakeDisk } from '../../support/fake-disk.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import type { Typed } from '../../support/fake-terminal.ts'
import { respond } from '../../support/respond.ts'

const config = (more: object) => JSON.stringify({ projectId: 'demo', ...more })
const commands = { lint: {}, format: {}, evil: {} }
let serial = 0

/** One start of the program in a project that brought these commands. */
async function start(
  argv: readonly string[],
  options: { readonly disk?: FakeDisk; readonly settings?: object; readonly answers?: readonly Typed[] } = {},
) {
  const { disk, settings, answers } = options
  const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}`
  const world = fakeSystem({
    ...(disk === undefined ? {} : { disk }),
    answers,
    files: {
      ...(settings === undefined ? {} : { 'relaycode.config.json': config(settings) }),
      'answer.md': respond({ 'a.ts': `${serial}\n` }, { uuid }),
    },
    commands,
  })
  const code = await main(argv, around(world.system))
  const ran = world.shell.ran.map(({ command }) => command)
  return { code, ran, disk: world.disk, stderr: world.terminal.stderr, questions: world.terminal.questions }
}

const apply = ['apply', 'answer.md']
const settings = { linter: 'lint', postCommand: 'format' }

describe('the commands that a project brings', () => {
  it('run only after a yes, which is remembered', async () => {
    const first = await start(apply, { settings, answers: ['', '?', 'y'] })
    expect(first).toMatchObject({ code: 0, ran: ['lint', 'format', 'lint'] })
    expect(first.stderr.slice(0, first.stderr.indexOf('── #1'))).toMatchInlineSnapshot(`
      "▲ Commands to run in /project
          linter       lint
          postCommand  format
        They come from relaycode.config.json. You have not allowed them on this
        machine yet. None has run.
        At the end of their PATH: node_modules/.bin, .venv/bin, vendor/bin.
      Allow them to run in this project? (y/n/?)
        y       allow this for the project on this machine; relay asks again when it
                changes
        n       do not run them; you can change them in relaycode.config.json
      Allow them to run in this project? (y/n/?) ?
        y       allow this for the project on this machine; relay asks again when it
                changes
        n       do not run them; you can change them in relaycode.config.json
      Allow them to run in this project? (y/n/?) y
      "
    `)

    const second = await start(apply, { disk: first.disk, answers: [] })
    expect(second).toMatchObject({ code: 0, ran: ['lint', 'format', 'lint'], questions: [] })
  })

  it('are not called new where what was agreed to cannot be read', async () => {
    const { disk } = await start(apply, { settings, answers: ['y'] })
    disk.onCall = (name, path) => {
      if (name === 'read' && path.includes('/trust/')) throw diskError('EMFILE')
    }
    const { code, ran, stderr } = await start(apply, { disk, answers: ['n'] })
    expect({ code, ran }).toEqual({ code: 3, ran: [] })
    expect(stderr).toContain('Commands to run')
    expect(stderr).toContain('relay cannot read what you have\n  allowed on this machine. None has run.\n')
  })

  it('run not at all after a no, and nothing else happens either: exit 3', async () => {
    const { code, ran, stderr, disk } = await start(apply, { settings, answers: ['n'] })
    expect({ code, ran }).toEqual({ code: 3, ran: [] })
    expect(stderr.slice(stderr.indexOf('Run it,'))).toMatchInlineSnapshot(`
      "
      "
    `)
    expect(Object.keys(disk.text())).toEqual(['answer.md', 'relaycode.config.json'])
  })

  it.each([[apply], [['watch']]])('need --trust where nobody can be asked: %o', async argv => {
    const { code, ran, stderr } = await start(argv, { settings })
    expect({ code, ran }).toEqual({ code: 3, ran: [] })
    expect(stderr).toContain('    postCommand  format\n')
    expect(stderr).toMatch(/Error: relay needs your permission for this, and did nothing\nHint: .*--trust/)
  })

  it('are agreed to with --trust, and by no other answer of the command line', async () => {
    const given = await start([...apply, '--yes', '--allow-sensitive'], { settings })
    expect(given).toMatchObject({ code: 3, ran: [] })
    const trusted = await start([...apply, '--trust'], { disk: given.disk })
    expect(trusted).toMatchObject({ code: 0, ran: ['lint', 'format', 'lint'] })
    expect(trusted.stderr).not.toContain('agreed')
    expect(await start(apply, { disk: given.disk })).toMatchObject({ code: 0, ran: ['lint', 'format', 'lint'] })
  })

  it('are asked about again when one of them changes, and not when another key does', async () => {
    const first = await start([...apply, '--trust'], { settings })
    const other = { ...settings, approvalOnErrorCount: 3, commandTimeout: 9, policy: { ask: ['x'] } }
    expect(await start(apply, { disk: first.disk, settings: other })).toMatchObject({ code: 0, questions: [] })
    const changed = { ...settings, linter: 'evil', preCommand: 'evil' }
    const asked = await start(apply, { disk: first.disk, settings: changed, answers: ['n'] })
    expect(asked).toMatchObject({ code: 3, ran: [] })
    expect(asked.stderr).toMatchInlineSnapshot(`
      "▲ New or changed commands in /project
          preCommand   (new) evil
          linter       (changed) evil
          postCommand  format
        They come from relaycode.config.json. You have not allowed them on this
        machine yet. None has run.
        At the end of their PATH: node_modules/.bin, .venv/bin, vendor/bin.
      Allow them to run in this project? (y/n/?) n
      Error: relay needs your permission for this, and did nothing
      Hint: Change what you do not like, or allow it at the next start.
      "
    `)
  })

  it('need no question where there are none', async () => {
    expect(await start(apply, { settings: {} })).toMatchObject({ code: 0, questions: [] })
  })

  it('that scroll away above the question are said to', async () => {
    const away = 'It is longer than the screen: scroll up and read it from the start.'
    const blank = '\u3000'.repeat(1000)
    const long = await start(apply, { settings: { linter: `lint ${blank}; evil; ${blank} true` }, answers: ['n'] })
    expect(long.stderr).toContain(away)
    const short = await start(apply, { settings: { linter: 'lint '.repeat(200) }, answers: ['n'] })
    expect(short.stderr).not.toContain(away)
  })

  it('are shown whole and harmless, however they are written', async () => {
    const long = `lint ${'x '.repeat(3000)}; evil`
    const { stderr } = await start(apply, { settings: { linter: long, preCommand: 'a\u001b[2K\n\u202eb' } })
    expect(stderr).toContain('    preCommand  a\\x1b[2K\\n\\u202eb\n')
    expect(stderr).toContain('; evil\n')
    expect(stderr.split('\n').every(line => line.length < 80)).toBe(true)
  })

  it('are those of init without a question, when it wrote them', async () => {
    const world = fakeSystem({ files: { 'package.json': '{}', 'tsconfig.json': '{}' } })
    world.shell.programs.set('bun', '/usr/bin/bun')
    expect(await main(['--init', '--no-copy'], around(world.system))).toBe(0)
    expect(JSON.parse(world.disk.readText('relaycode.config.json'))).toMatchObject({ linter: 'bun tsc --noEmit' })
    world.disk.write('answer.md', respond({ 'a.ts': 'a\n' }, { projectId: 'project' }))
    const next = fakeSystem({ disk: world.disk, commands: { 'bun tsc --noEmit': {} } })
    expect(await main(apply, around(next.system))).toBe(0)
    expect(next.shell.ran).toHaveLength(2)
  })

  it('are not agreed to by an init that found them', async () => {
    const world = fakeSystem({ files: { 'relaycode.config.json': config(settings) } })
    expect(await main(['--init', '--no-copy'], around(world.system))).toBe(0)
    expect(await start(apply, { disk: world.disk })).toMatchObject({ code: 3, ran: [] })
  })
})

describe('commands that change while relay watches', () => {
  async function watching(answers: readonly Typed[]) {
    const files = { 'relaycode.config.json': config({ linter: 'lint' }) }
    const world = fakeSystem({ files, commands, answers: ['y', ...answers], terminal: { live: true } })
    const end = main(['watch'], around(world.system))
    await world.clock.someoneSleeps()
    const copy = async (path: string, shows: RegExp) => {
      const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}`
      world.clipboard.text = respond({ [path]: 'x\n' }, { uuid })
      await world.clock.advance(2000)
      await world.terminal.until(shows)
    }
    const ran = () => world.shell.ran.splice(0).map(({ command }) => command)
    return { ...world, end, copy, ran }
  }

  it('are used from the next patch on after a yes', async () => {
    const { copy, end, interrupt, disk, ran, terminal } = await watching(['y'])
    await copy('a.ts', /kept #1 .*\n○ watching/)
    expect(ran()).toEqual(['lint', 'lint'])
    disk.write('relaycode.config.json', config({ linter: 'evil', approval: 'yes' }))
    await copy('b.ts', /kept #2 .*\n○ watching/)
    expect(ran()).toEqual(['evil', 'evil'])
    await copy('c.ts', /kept #3 .*\n○ watching/)
    // Nothing changed since the last check, so the baseline is known.
    expect(ran()).toEqual(['evil'])
    expect(terminal.questions).toHaveLength(2)
    interrupt()
    expect(await end).toBe(0)
  })

  it('are left alone after a no, which is said and not asked again', async () => {
    const { copy, end, interrupt, disk, ran, terminal } = await watching(['n'])
    disk.write('relaycode.config.json', config({ linter: 'evil' }))
    await copy('a.ts', /kept #1 .*\n○ watching/)
    await copy('b.ts', /kept #2 .*\n○ watching/)
    expect(ran()).toEqual(['lint', 'lint', 'lint'])
    expect(terminal.questions).toHaveLength(2)
    expect(terminal.stderr.match(/you have not allowed the changed commands/g)).toHaveLength(2)
    disk.write('relaycode.config.json', config({ linter: 'lint' }))
    await copy('c.ts', /kept #3 .*\n○ watching/)
    expect(terminal.stderr.match(/you have not allowed the changed commands/g)).toHaveLength(2)
    interrupt()
    expect(await end).toBe(0)
  })
})

describe('a project in which others have a say', () => {
  it('is asked about once, and needs --trust where nobody can be', async () => {
    const first = await start(apply, { settings: {} })
    expect(first.code).toBe(0)
    first.disk.chmod('/project', 0o777)
    const asUser = (answers?: readonly Typed[]) => {
      const world = fakeSystem({ disk: first.disk, answers })
      return { ...world, run: (...argv: string[]) => main(argv, around({ ...world.system, uid: 1000 })) }
    }
    const unasked = asUser()
    expect(await unasked.run('apply', '--again', 'answer.md')).toBe(3)
    expect(unasked.terminal.stderr).toMatchInlineSnapshot(`
      "▲ Others can change files in /project
          every user of this machine can change it (mode o+w; \`chmod o-w\` ends it)
        A user who can write there decides what relay restores, and what your
        commands run.
      Error: relay needs your permission for this, and did nothing
      Hint: Nobody could be asked. Add \`--trust\` to allow it.
      "
    `)
    const why = 'TERM=dumb: this terminal cannot show a question'
    const dumb = fakeSystem({ disk: first.disk, terminal: { whyUnasked: why } })
    expect(await main(['apply', '--again', 'answer.md'], around({ ...dumb.system, uid: 1000 }))).toBe(3)
    expect(dumb.terminal.stderr).toContain(`Hint: Nobody could be asked (${why}). Add \`--trust\` to allow it.`)
    expect(await asUser().run('recover')).toBe(3)
    expect(await asUser().run('recover', '--trust')).toBe(0)
    const no = asUser(['n'])
    expect(await no.run('apply', '--again', 'answer.md')).toBe(3)
    const yes = asUser(['y'])
    expect(await yes.run('apply', '--again', 'answer.md')).toBe(0)
    expect(yes.terminal.questions).toEqual(['Work in this folder anyway? (y/n/?)'])
    expect(await asUser().run('recover')).toBe(0)
  })

  it('is asked about together with its commands', async () => {
    const world = fakeSystem({
      files: { 'relaycode.config.json': config(settings), '.relaycode/history.jsonl': '' },
      answers: ['n'],
    })
    expect(await main(apply, around({ ...world.system, uid: 1001 }))).toBe(3)
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "▲ Commands to run in /project
          linter       lint
          postCommand  format
        They come from relaycode.config.json. You have not allowed them on this
        machine yet. None has run.
        At the end of their PATH: node_modules/.bin, .venv/bin, vendor/bin.
        Others can change files there, too:
          its .relaycode/ belongs to another user (number 1000)
        A user who can write there decides what relay restores, and what your
        commands run.
      Allow them to run in this project? (y/n/?) n
      Error: relay needs your permission for this, and did nothing
      Hint: Change what you do not like, or allow it at the next start.
      "
    `)
  })
})
