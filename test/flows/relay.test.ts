import { describe, expect, it } from 'vitest'
import { relay } from '../../src/flows/relay.ts'
import { main } from '../../src/main.ts'
import type { Response } from '../../src/model/response.ts'
import { trustText } from '../../src/project/trust.ts'
import { trustPath } from '../../src/project/trust-file.ts'
import { readEntry } from '../../src/transact/entry/read-entry.ts'
import { ownerName } from '../../src/transact/lock/owner-name.ts'
import { around } from '../support/around.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'
import { uuidOf } from '../support/journal-world.ts'
import { respond, uuid } from '../support/respond.ts'
import { githubToken } from '../support/secrets.ts'
import { until } from '../support/until.ts'

const other = '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a12'
const start = { 'src/a.ts': 'a\n', 'src/old.ts': 'old\n' }
const patch: Response = {
  text: respond({ 'src/a.ts': 'a2\n', 'src/new/b.ts': 'b\n', 'src/old.ts': null }),
  source: 'clipboard',
}
const after = { 'src/a.ts': 'a2\n', 'src/new/b.ts': 'b\n' }

/** What tsc says of so many errors. */
function errors(...files: readonly string[]) {
  return { exit: files.length === 0 ? 0 : 2, output: files.map(file => `${file}(1,1): error TS1: Wrong.\n`).join('') }
}

describe('the story of one response', () => {
  it('ends with the change in the project when it brings no new error', async () => {
    const { system, disk } = fakeSystem({ files: start, commands: { lint: [errors('src/a.ts'), errors()] } })
    expect(await relay(patch, fakeProject({ linter: 'lint' }), system, fakeTalk())).toEqual({
      kind: 'committed',
      number: 1,
      uuid,
      by: 'auto',
      files: 3,
      checked: true,
      newErrors: 0,
      ms: 0,
    })
    expect(disk.text({ journal: false })).toEqual(after)
    expect(disk.exists('.relaycode/lock')).toBe(true)
    expect(Object.keys(disk.text()).filter(path => path.startsWith('.relaycode/lock/'))).toEqual([])
  })

  it.each([
    ['along with a file that was moved', 'old\nbad\nmore\n', { kind: 'committed', by: 'auto', newErrors: 0 }],
    ['for new in a file that is another one', 'something\nelse\n', { kind: 'rolled-back' }],
  ])('takes old errors %s', async (_what, content, outcome) => {
    const lint = [errors('src/old.ts'), errors('src/new/b.ts')]
    const { system } = fakeSystem({ files: { 'src/old.ts': 'old\nbad\n' }, commands: { lint } })
    const text = respond({ 'src/old.ts': null, 'src/new/b.ts': content })
    const project = fakeProject({ linter: 'lint' })
    expect(await relay({ text, source: 'clipboard' }, project, system, fakeTalk())).toMatchObject(outcome)
  })

  it('takes an error that was mended and an equal one on another line for the same', async () => {
    const at = (line: number) => ({ exit: 2, output: `src/a.ts(${line},1): error TS1: Wrong.\n` })
    const { system } = fakeSystem({ files: { 'src/a.ts': 'bad\nsame\ngood\n' }, commands: { lint: [at(1), at(3)] } })
    const text = respond({ 'src/a.ts': 'mended\nsame\nbroken\n' })
    const outcome = await relay({ text, source: 'clipboard' }, fakeProject({ linter: 'lint' }), system, fakeTalk())
    expect(outcome).toMatchObject({ kind: 'committed', by: 'auto', newErrors: 0 })
  })

  it('asks about a path that is meant from above the project', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const text = respond({ 'project/src/a.ts': 'a2\n' })
    const outcome = await relay({ text, source: 'clipboard' }, fakeProject(), system, fakeTalk(['no']))
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'declined' } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('ends with it as well when it mends what the linter could not get past', async () => {
    const crash = { exit: 255, output: 'PHP Parse error: syntax error\n' }
    const { system, disk } = fakeSystem({ files: start, commands: { lint: [crash, errors()] } })
    expect(await relay(patch, fakeProject({ linter: 'lint' }), system, fakeTalk())).toEqual({
      ...{ kind: 'committed', number: 1, uuid, by: 'auto', files: 3, checked: true, ms: 0 },
      errors: 0,
    })
    const why = 'exit 255, and no error that relay knows: PHP Parse error: syntax error'
    const { checks } = readEntry(disk.readText(`.relaycode/${uuid}.yml`)) ?? {}
    expect(checks).toEqual({ before: { errors: null, uncounted: why }, after: { errors: 0 } })
  })

  it('refuses what is larger than a response may be, and ignores it where it speaks of no project', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const limits = { responseBytes: 200, files: 10, fileBytes: 1000, pathLength: 100 }
    const project = fakeProject({ limits })
    expect(await relay(patch, project, system, fakeTalk())).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'too-large', message: expect.stringContaining('200 bytes (limits.responseBytes)') }],
    })
    const prose: Response = { text: 'x'.repeat(201), source: 'clipboard' }
    expect(await relay(prose, project, system, fakeTalk())).toEqual({ kind: 'ignored', why: { kind: 'no-patch' } })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it.each([
    [{ fileBytes: 3 }, 'The present file has 4 bytes'],
    [{ pathLength: 3 }, 'The path has 8 bytes'],
    [{ files: 1 }, 'The answer changes 3 files'],
  ])('refuses what is beyond the limits of the project: %o', async (limit, said) => {
    const { system, disk } = fakeSystem({ files: start })
    const limits = { ...fakeProject().config.limits, ...limit }
    const outcome = await relay(patch, fakeProject({ limits }), system, fakeTalk())
    const messages = outcome.kind === 'refused' ? outcome.problems.map(({ message }) => message).join() : ''
    expect(messages).toContain(said)
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('takes the steps in their order, and reports each', async () => {
    const { system, shell } = fakeSystem({ files: start, commands: { lint: [{}], pre: {}, post: {} } })
    const talk = fakeTalk()
    const project = fakeProject({ linter: 'lint', preCommand: 'pre', postCommand: 'post' })
    await relay(patch, project, system, talk)
    expect(shell.ran.map(({ command }) => command)).toEqual(['pre', 'lint', 'post', 'lint'])
    expect(talk.told.map(said => ('step' in said ? `${said.kind} ${said.step}` : said.kind))).toEqual([
      'begun',
      'step-started pre',
      'command-ended pre',
      'step-started base',
      'checked base',
      'step-started write',
      'written',
      'step-started post',
      'command-ended post',
      'step-started lint',
      'checked lint',
    ])
  })

  it('has every file on the disk, and the plan, when the question is asked', async () => {
    const { system, disk } = fakeSystem({ files: start, commands: { lint: [errors(), errors('src/a.ts')] } })
    const talk = fakeTalk([
      question => {
        expect(question).toMatchObject({ kind: 'gate', reasons: [{ kind: 'new-errors', count: 1, limit: 0 }] })
        expect(disk.text({ journal: false })).toEqual(after)
        expect(disk.exists(`.relaycode/${uuid}.pending.yml`)).toBe(true)
        return 'yes'
      },
    ])
    const outcome = await relay(patch, fakeProject({ linter: 'lint' }), system, talk)
    expect(outcome).toMatchObject({ kind: 'committed', by: 'user', newErrors: 1 })
    expect(disk.exists(`.relaycode/${uuid}.pending.yml`)).toBe(false)
    expect(disk.exists(`.relaycode/${uuid}.yml`)).toBe(true)
  })

  it.each([
    ['no', 'declined', 'declined'],
    ['unasked', 'unasked', 'rolled-back'],
    ['closed', 'unasked', 'rolled-back'],
  ] as const)('leaves the project as it was for %s', async (answer, reason, remembered) => {
    const { system, disk } = fakeSystem({ files: start })
    const before = disk.tree({ journal: false })
    const outcome = await relay(patch, fakeProject({ approval: 'no' }), system, fakeTalk([answer]))
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      reason: { kind: reason },
      restoration: { rescued: [], kept: [] },
    })
    expect(disk.tree({ journal: false })).toEqual(before)
    expect(JSON.parse(disk.readText('.relaycode/history.jsonl'))).toMatchObject({ uuid, outcome: remembered })
  })

  it('asks before it takes back what the user changed since the last patch', async () => {
    const { system, disk } = fakeSystem()
    const project = fakeProject({ approval: 'yes' })
    const apply = (number: number, text: string) => {
      const answer = respond({ 'src/a.ts': text }, { uuid: `0b8f4f62-7d5e-4f5c-9a0e-00000000000${number}` })
      return relay({ source: 'stdin', text: answer }, project, system, talk)
    }
    const talk = fakeTalk()
    expect(await apply(1, 'one()\ntwo()\n')).toMatchObject({ kind: 'committed', by: 'auto' })
    expect(await apply(2, 'one()\ntwo(2)\n')).toMatchObject({ kind: 'committed', by: 'auto' })
    disk.write('src/a.ts', 'one()\nmine()\ntwo(2)\n')
    expect(await apply(3, 'one()\ntwo(3)\n')).toMatchObject({ kind: 'overlap', overlaps: [{ path: 'src/a.ts' }] })
    expect(disk.readText('src/a.ts')).toBe('one()\nmine()\ntwo(2)\n')
    expect(await apply(4, 'one()\nmine()\ntwo(3)\n')).toMatchObject({ kind: 'committed', by: 'auto' })
  })

  it('applies again to a file that the user has taken back by other means since the last patch', async () => {
    const { system, disk } = fakeSystem()
    disk.write('src/a.ts', 'old()\nthree()\n')
    const apply = (number: number) => {
      const uuid = `0b8f4f62-7d5e-4f5c-9a0e-00000000000${number}`
      const answer = respond({ 'src/a.ts': 'one()\ntwo()\nthree()\n' }, { uuid })
      return relay({ source: 'stdin', text: answer }, fakeProject({ approval: 'yes' }), system, fakeTalk())
    }
    expect(await apply(1)).toMatchObject({ kind: 'committed', by: 'auto' })
    disk.write('src/a.ts', 'old()\nthree()\n')
    expect(await apply(2)).toMatchObject({ kind: 'committed', by: 'auto' })
  })

  it.each([['edited'], ['again'], ['yes']] as const)(
    'asks before it takes back what the user put in at an earlier question: %s',
    async said => {
      const { system, disk } = fakeSystem()
      const type = () => {
        disk.write('src/a.ts', 'one()\nmine()\ntwo()\n')
        return said
      }
      const apply = (number: number, text: string, approval: 'yes' | 'no', answers: Parameters<typeof fakeTalk>[0]) => {
        const answer = respond({ 'src/a.ts': text }, { uuid: `0b8f4f62-7d5e-4f5c-9a0e-00000000000${number}` })
        return relay({ source: 'stdin', text: answer }, fakeProject({ approval }), system, fakeTalk(answers))
      }
      expect(await apply(1, 'one()\ntwo()\n', 'no', [type, 'yes'])).toMatchObject({ kind: 'committed', by: 'user' })
      expect(await apply(2, 'one()\ntwo(2)\n', 'yes', [])).toMatchObject({ kind: 'overlap' })
      expect(disk.readText('src/a.ts')).toBe('one()\nmine()\ntwo()\n')
      expect(await apply(3, 'one()\nmine()\ntwo(3)\n', 'yes', [])).toMatchObject({ by: 'auto' })
    },
  )

  it('puts a file aside that the user changed during the question, and then restores', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const talk = fakeTalk([
      () => {
        disk.write('src/a.ts', 'mine\n')
        return 'no'
      },
    ])
    expect(await relay(patch, fakeProject({ approval: 'no' }), system, talk)).toMatchObject({
      restoration: { rescued: [{ path: 'src/a.ts', rescue: `.relaycode/rescue/${uuid}/src/a.ts.rescued` }] },
    })
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.readText(`.relaycode/rescue/${uuid}/src/a.ts.rescued`)).toBe('mine\n')
  })

  it('asks about a sensitive file before any command runs, once, and about nothing else then', async () => {
    const { system, disk, shell } = fakeSystem({ files: start, commands: { pre: {}, lint: [{}] } })
    const talk = fakeTalk([
      question => {
        expect(question).toMatchObject({ kind: 'sensitive', flags: [{ flag: 'sensitive-path', path: 'package.json' }] })
        expect(shell.ran).toEqual([])
        expect(disk.text({ journal: false })).toEqual(start)
        return 'yes'
      },
    ])
    const response: Response = {
      text: respond({ 'package.json': '{ "a": 1 }\n', 'src/a.ts': 'a2\n' }),
      source: 'stdin',
    }
    const outcome = await relay(response, fakeProject({ preCommand: 'pre', linter: 'lint' }), system, talk)
    expect(outcome).toMatchObject({ kind: 'committed', by: 'auto' })
    expect(talk.questions).toHaveLength(1)
    expect(disk.readText('package.json')).toBe('{ "a": 1 }\n')
  })

  it.each([
    ['changes', 'src/a.ts', 'mine\n'],
    ['changes by a sign alone', 'src/a.ts', '!a1\n'],
    ['makes', 'src/new.ts', 'mine\n'],
    ['changes what goes', 'src/old.ts', 'mine\n'],
  ])('writes nothing over what somebody %s while the baseline is checked', async (_, path, text) => {
    const files = { 'src/a.ts': 'a1\n', 'src/old.ts': 'old\n' }
    const effect = (on: FakeDisk) => on.write(path, text)
    const { system, disk } = fakeSystem({ files, commands: { lint: { effect } } })
    const response = respond({ 'src/a.ts': 'a2\n', 'src/new.ts': 'n\n', 'src/old.ts': null })
    const project = fakeProject({ approval: 'yes', linter: 'lint' })
    const outcome = await relay({ source: 'clipboard', text: response }, project, system, fakeTalk())
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'conflict', paths: [path] } })
    expect(disk.text({ journal: false })).toEqual({ ...files, [path]: text })
  })

  it('writes nothing over a line that somebody puts into another block while the baseline is checked', async () => {
    const text = 'for i in items:\n    add(i)\ncommit()\n'
    const mine = text.replace('commit', '    commit')
    const lint = { effect: (on: FakeDisk) => on.write('a.py', mine) }
    const { system, disk } = fakeSystem({ files: { 'a.py': text }, commands: { lint } })
    const response = respond({ 'a.py': text.replace('add', 'put') })
    const outcome = await relay(
      { source: 'clipboard', text: response },
      fakeProject({ linter: 'lint' }),
      system,
      fakeTalk(),
    )
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'conflict', paths: ['a.py'] } })
    expect(disk.readText('a.py')).toBe(mine)
  })

  it('takes what a linter only formats for no conflict, and for no edit', async () => {
    const lint = { effect: (on: FakeDisk) => on.write('src/a.ts', `${on.readText('src/a.ts').trim()};\n`) }
    const { system, disk } = fakeSystem({ files: start, commands: { lint } })
    const talk = fakeTalk()
    expect(await relay(patch, fakeProject({ linter: 'lint' }), system, talk)).toMatchObject({ kind: 'committed' })
    expect(disk.readText('src/a.ts')).toBe('a2;\n')
    expect(talk.told.filter(({ kind }) => kind === 'edited')).toEqual([])
  })

  it('asks before it takes back what the user typed while the linter ran, and not at that patch', async () => {
    const lint = [{}, { effect: (on: FakeDisk) => on.write('src/a.ts', 'a2\nmine()\n') }, {}]
    const { system, disk } = fakeSystem({ files: start, commands: { lint } })
    const [project, talk] = [fakeProject({ linter: 'lint' }), fakeTalk(['no'])]
    expect(await relay(patch, project, system, talk)).toMatchObject({ kind: 'committed', by: 'auto' })
    expect(talk.told).toContainEqual({ kind: 'edited', paths: ['src/a.ts'], whileChecked: 'by-user' })
    const text = respond({ 'src/a.ts': 'a3\n' }, { uuid: other })
    const outcome = await relay({ source: 'clipboard', text }, project, system, talk)
    expect(outcome).toMatchObject({ kind: 'overlap', overlaps: [{ path: 'src/a.ts' }] })
    expect(disk.readText('src/a.ts')).toBe('a2\nmine()\n')
  })

  it('takes a sign that the user changed while the linter ran for theirs', async () => {
    const lint = [{}, { effect: (on: FakeDisk) => on.write('src/a.ts', '!a2\n') }]
    const { system } = fakeSystem({ files: start, commands: { lint } })
    const talk = fakeTalk()
    expect(await relay(patch, fakeProject({ linter: 'lint' }), system, talk)).toMatchObject({ kind: 'committed' })
    expect(talk.told).toContainEqual({ kind: 'edited', paths: ['src/a.ts'], whileChecked: 'by-user' })
  })

  it.each([
    ['itself', 'eslint --fix', {}],
    ['in a script', 'npm run lint', { 'package.json': '{ "scripts": { "lint": "eslint . --fix" } }' }],
    [
      'behind a word that goes on and on',
      'npm run lint',
      { 'package.json': `{ "scripts": { "lint": "echo ${'a'.repeat(200_000)} && eslint --fix" } }` },
    ],
  ])(
    'takes what changed while the linter ran for its work where it says that it mends files: %s',
    async (_, linter, more) => {
      const typed = { effect: (on: FakeDisk) => on.write('src/a.ts', 'a2\nmended()\n') }
      const { system } = fakeSystem({ files: { ...start, ...more }, commands: { [linter]: [{}, typed, {}] } })
      const [project, talk] = [fakeProject({ linter }), fakeTalk([])]
      expect(await relay(patch, project, system, talk)).toMatchObject({ kind: 'committed', by: 'auto' })
      expect(talk.told).toContainEqual({ kind: 'edited', paths: ['src/a.ts'], whileChecked: 'by-whomever' })
      const text = respond({ 'src/a.ts': 'a3\n' }, { uuid: other })
      const outcome = await relay({ source: 'clipboard', text }, project, system, talk)
      expect(outcome).toMatchObject({ kind: 'committed', by: 'auto' })
    },
  )

  it('writes nothing of a sensitive file that is another one by the time of the yes', async () => {
    const { system, disk } = fakeSystem({ files: { 'package.json': '{}\n' } })
    const talk = fakeTalk([
      () => {
        disk.write('package.json', '{ "mine": true }\n')
        return 'yes'
      },
    ])
    const text = respond({ 'package.json': '{ "a": 1 }\n' })
    expect(await relay({ source: 'clipboard', text }, fakeProject(), system, talk)).toMatchObject({
      reason: { kind: 'conflict', paths: ['package.json'] },
    })
    expect(disk.readText('package.json')).toBe('{ "mine": true }\n')
  })

  it('asks about what is sensitive only since the pre command, before the next command runs', async () => {
    const { system, disk, shell } = fakeSystem({
      files: { 'package.json': '{ "a": 1 }\n' },
      commands: { pre: { effect: on => on.write('package.json', '{ "a": 2 }\n') }, lint: {} },
    })
    const talk = fakeTalk([
      question => {
        expect(question).toMatchObject({ kind: 'sensitive', flags: [{ path: 'package.json' }] })
        expect(shell.ran.map(({ command }) => command)).toEqual(['pre'])
        return 'no'
      },
    ])
    const text = respond({ 'package.json': '{ "a": 1 }\n', 'src/a.ts': 'a\n' })
    const project = fakeProject({ preCommand: 'pre', linter: 'lint', approval: 'yes' })
    expect(await relay({ source: 'clipboard', text }, project, system, talk)).toMatchObject({
      reason: { kind: 'declined' },
    })
    expect(disk.text({ journal: false })).toEqual({ 'package.json': '{ "a": 2 }\n' })
  })

  it('takes what the pre command makes for the state before', async () => {
    const { system, disk } = fakeSystem({
      files: start,
      commands: { pre: { effect: on => on.write('src/a.ts', 'made by pre\n') } },
    })
    await relay(patch, fakeProject({ preCommand: 'pre', approval: 'no' }), system, fakeTalk(['no']))
    expect(disk.text({ journal: false })).toEqual({ ...start, 'src/a.ts': 'made by pre\n' })
  })

  it.each([
    ['a text without a patch', 'Nothing here.', { kind: 'ignored', why: { kind: 'no-patch' } }],
    [
      'another project',
      respond({ 'a.ts': 'x\n' }, { projectId: 'billing', uuid }),
      { kind: 'ignored', why: { kind: 'other-project', projectId: 'billing', uuid } },
    ],
  ])('makes nothing at all of %s', async (_, text, outcome) => {
    const { system, disk } = fakeSystem({ files: start })
    expect(await relay({ text, source: 'clipboard' }, fakeProject(), system, fakeTalk())).toEqual(outcome)
    expect(disk.text()).toEqual(start)
  })

  it('makes nothing of a patch that leaves the project', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const response: Response = { text: respond({ 'src/a.ts': 'x\n', '../b.ts': 'y\n' }), source: 'clipboard' }
    expect(await relay(response, fakeProject(), system, fakeTalk())).toMatchObject({ kind: 'refused' })
    expect(disk.text({ journal: false })).toEqual(start)
  })

  it('skips a response that has had its turn, whichever way it ended, and takes it again when told to', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const project = fakeProject({ approval: 'no' })
    const seen = async (answer: 'yes' | 'no', again: boolean) =>
      relay(patch, project, system, fakeTalk([answer]), { again, onOverlap: 'model' })
    expect(await seen('no', false)).toMatchObject({ kind: 'rolled-back', number: 1 })
    expect(await seen('yes', false)).toMatchObject({ kind: 'skipped', number: 1, state: 'declined' })
    expect(await seen('yes', true)).toMatchObject({ kind: 'committed', number: 2, uuid })
    disk.write('src/a.ts', 'mine\n')
    expect(await seen('yes', false)).toMatchObject({ kind: 'skipped', number: 2, state: 'committed' })
    expect(disk.readText('src/a.ts')).toBe('mine\n')
    expect(await seen('yes', true)).toMatchObject({
      kind: 'committed',
      number: 3,
      uuid: expect.not.stringMatching(uuid),
    })
  })

  it('never puts an entry in the place of another one, also where the same response was declined in between', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const project = fakeProject({ approval: 'no' })
    const take = (answer: 'yes' | 'no') =>
      relay(patch, project, system, fakeTalk([answer]), { again: true, onOverlap: 'model' })
    expect(await take('yes')).toMatchObject({ kind: 'committed', number: 1, uuid })
    const entry = disk.readText(`.relaycode/${uuid}.yml`)
    disk.write('src/a.ts', 'mine\n')
    expect(await take('no')).toMatchObject({ kind: 'rolled-back', number: 2 })
    expect(await take('yes')).toMatchObject({ kind: 'committed', number: 3, uuid: expect.not.stringMatching(uuid) })
    expect(disk.readText(`.relaycode/${uuid}.yml`)).toBe(entry)
  })

  it('never puts an entry in the place of one that nobody can read any more', async () => {
    const { system, disk } = fakeSystem({ files: { ...start, [`.relaycode/${uuid}.yml`]: 'version: 1\nnum' } })
    const outcome = await relay(patch, fakeProject(), system, fakeTalk())
    expect(outcome).toMatchObject({ kind: 'committed', uuid: expect.not.stringMatching(uuid) })
    expect(disk.readText(`.relaycode/${uuid}.yml`)).toBe('version: 1\nnum')
  })

  it('gives the entry a uuid of its own where the one of the response is the name of another file of relay’s', async () => {
    const { system, disk } = fakeSystem({ files: start })
    const text = respond({ 'src/a.ts': 'a2\n' }, { uuid: 'Last-Declined' })
    const outcome = await relay({ ...patch, text }, fakeProject(), system, fakeTalk())
    if (outcome.kind !== 'committed') throw new Error(outcome.kind)
    expect(outcome.uuid).toMatch(/^[\da-f-]{36}$/)
    expect(readEntry(disk.readText(`.relaycode/${outcome.uuid}.yml`))).toMatchObject({ modelUuid: 'Last-Declined' })
    expect(Object.keys(disk.text()).filter(path => /last-declined/i.test(path))).toEqual([])
  })

  it('rolls back when relay is interrupted during a command', async () => {
    const world = fakeSystem({ files: start, commands: { post: { effect: () => world.interrupt('SIGTERM') } } })
    const outcome = await relay(patch, fakeProject({ postCommand: 'post' }), world.system, fakeTalk())
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'interrupted', signal: 'SIGTERM' } })
    expect(world.disk.text({ journal: false })).toEqual(start)
  })

  it('takes back what a crash left, and then takes the next response', async () => {
    const crashed = fakeSystem({ files: start, commands: { post: { effect: on => on.crash() } } })
    await expect(relay(patch, fakeProject({ postCommand: 'post' }), crashed.system, fakeTalk())).rejects.toThrow(
      'killed',
    )
    expect(crashed.disk.text({ journal: false })).toEqual(after)

    const { system, disk } = fakeSystem({ disk: crashed.disk })
    const talk = fakeTalk()
    const next: Response = { text: respond({ 'c.ts': 'c\n' }, { uuid: other }), source: 'stdin' }
    expect(await relay(next, fakeProject(), system, talk)).toMatchObject({ kind: 'committed', number: 2 })
    expect(talk.told[0]).toMatchObject({ kind: 'recovered', recovery: { uuid, action: 'rolled-back' } })
    expect(disk.text({ journal: false })).toEqual({ ...start, 'c.ts': 'c\n' })
  })
})

const config = (more: object = {}) => JSON.stringify({ projectId: 'demo', ...more })

/** Runs one command line in a world of its own, whose commands are agreed to, and gives what was seen. */
async function run(argv: readonly string[], options: FakeSystemOptions = {}, settings: object = {}) {
  const files = { 'relaycode.config.json': config(settings), ...start, ...options.files }
  const world = fakeSystem({ ...options, files })
  world.disk.write(trustPath(world.system.stateFolder ?? '', '/project'), trustText('/project', settings))
  const code = await main(argv, around(world.system))
  return { ...world, code, stdout: world.terminal.stdout, stderr: world.terminal.stderr }
}

describe('the program in a world in memory', () => {
  it('applies a file, and says what it did', async () => {
    const { code, stdout, stderr, disk } = await run(
      ['apply', 'answer.md'],
      { files: { 'answer.md': patch.text }, commands: { lint: [errors('src/a.ts'), errors()] } },
      { linter: 'lint' },
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatchInlineSnapshot(`
      "── #1 ────────────────────────────────────────────────────────────────────────
      ● I changed what you asked for                        3 files  +2 -2  0b8f4f62
        ~ src/a.ts                +1  -1
        + src/new/b.ts            +1
        - src/old.ts                  -1
      ✔ base    1 error                                                         0 ms
      ✔ write   3 files                                                         0 ms
      ✔ lint    0 errors      new 0   fixed 1   same 0                          0 ms
      ✔ kept #1  auto: no new errors                                            0 ms
      "
    `)
    expect(disk.text({ journal: false })).toMatchObject(after)
  })

  it('applies none of several files when one of them is not there', async () => {
    const { code, stderr, disk } = await run(['apply', '1.md', '2.md'], { files: { '1.md': patch.text } })
    expect(code).toBe(2)
    expect(stderr).toBe('Error: No such file: 2.md\nHint: Name a file that holds the answer, or `-` for stdin.\n')
    expect(disk.text({ journal: false })).toMatchObject(start)
  })

  it('says which files had no turn when one of them did not stay', async () => {
    const files = { '1.md': 'nothing', '2.md': patch.text, '3.md': patch.text }
    const { code, stderr } = await run(['apply', '1.md', '2.md', '3.md'], { files })
    expect(code).toBe(6)
    expect(stderr).toContain('▲ not tried: 2.md, 3.md (1.md was not kept)\n')
  })

  it('tells the outcome alone where nobody can be asked', async () => {
    const files = { 'answer.md': patch.text }
    const { code, stderr } = await run(
      ['apply', 'answer.md'],
      { files, terminal: { canAsk: false } },
      { approval: 'no' },
    )
    expect(code).toBe(3)
    expect(stderr.slice(stderr.indexOf('↩'))).toMatchInlineSnapshot(`
      "↩ rolled back #1  nobody could be asked   3 files restored                0 ms
          you review every change
          To apply it: \`relay apply --last --yes\`
      "
    `)
  })

  it('says why a person at the terminal cannot be asked', async () => {
    const { code, stderr } = await run(
      ['apply', '-'],
      { terminal: { stdin: patch.text, whyUnasked: 'TERM=dumb' }, answers: undefined },
      { approval: 'no' },
    )
    expect(code).toBe(3)
    expect(stderr).toContain('rolled back #1  nobody could be asked (TERM=dumb)')
  })

  it('asks, shows help and diff, and keeps for a yes', async () => {
    const { code, stderr, terminal } = await run(
      ['apply', '-'],
      {
        terminal: { stdin: patch.text },
        answers: ['', 'd', 'Y'],
        commands: { lint: [errors(), errors('src/new/b.ts')] },
      },
      { linter: 'lint' },
    )
    expect(code).toBe(0)
    expect(stderr.slice(stderr.indexOf('▲ lint'))).toMatchInlineSnapshot(`
      "▲ lint    1 error       new 1   fixed 0   same 0                          0 ms
          src/new/b.ts:1:1  TS1  Wrong.

        ~ src/a.ts                                                             +1 -1
         1      - a
             1  + a2

        + src/new/b.ts                                                            +1
             1  + b

        - src/old.ts                                                              -1
         1      - old

      ▲ #1 needs you: 1 new error (0 allowed). The files are already changed.
      Keep this change? (y/n/d/f/e/r/c/w/q/?)
        y       keep it
        n       decline: restore every file
        d       show the full diff
        f       choose which files to keep, and check again
        e       open the files in your editor, and check again
        r       run the commands again, as they are configured by now
        c       decline, and copy a prompt that asks for a better answer; a reason
                may follow: c too slow
        w       show why: all flags, and the model's reasoning
        q       leave it open and quit; the next start asks again
        ?       show this help; Enter alone does the same
        Ctrl+D  like n
        Ctrl+C  decline and quit
      Keep this change? (y/n/d/f/e/r/c/w/q/?) d
      Keep this change? (y/n/d/f/e/r/c/w/q/?) Y
      ✔ kept #1  you said yes                                                   0 ms
      "
    `)
    expect(terminal.paged).toEqual([expect.stringMatching(/src\/a\.ts[\s\S]*\+ a2[\s\S]*src\/old\.ts/)])
  })

  it('says what to do about a linter that did not run, and runs the one that was set meanwhile', async () => {
    const disk = new FakeDisk()
    const set = (linter: string) => () => {
      disk.write('relaycode.config.json', linter === '' ? '{' : config({ linter }))
      return 'r'
    }
    const { code, stderr, shell } = await run(
      ['apply', '-'],
      {
        disk,
        terminal: { stdin: patch.text },
        answers: [set(''), set('lint'), 'y', 'y'],
        commands: { lint: errors() },
      },
      { linter: 'lnt' },
    )
    expect(stderr).toContain('the linter did not run: "lnt" was not found')
    expect(stderr).toContain('then press r.')
    expect(stderr).toContain('Error: Cannot use /project/relaycode.config.json')
    expect(stderr).toContain('Allow it to run in this project? (y/n/?) y')
    expect(shell.ran.map(({ command }) => command)).toEqual(['lnt', 'lnt', 'lint'])
    expect(code).toBe(0)
  })

  it.each([
    [[''], 1],
    [['n'], 0],
  ])('says how to leave vi before it opens where no variable names an editor, and goes by %j', async (said, opened) => {
    const editor = () => undefined
    const { stderr, terminal } = await run(
      ['apply', '-'],
      { terminal: { stdin: patch.text, editor, fallbackEditor: 'vi' }, answers: ['e', ...said, 'n'] },
      { approval: 'no' },
    )
    expect(terminal.edited).toHaveLength(opened)
    expect(stderr.replaceAll(/\n +/g, ' ')).toContain(
      '▲ No editor is set (`relay config --user editor …`, or EDITOR), so relay opens vi. To leave it press Escape, then type :wqa and Enter to save, or :qa! and Enter to change nothing.\n' +
        'Open vi? (Enter/n)',
    )
  })

  it('opens the editor that the user has set', async () => {
    const { terminal, stderr } = await run(
      ['apply', '-'],
      {
        files: { '/home/me/.config/relaycode/config.json': '{"editor": "code --wait"}' },
        terminal: { stdin: patch.text, editor: () => undefined, fallbackEditor: 'vi' },
        answers: ['e', 'n'],
      },
      { approval: 'no' },
    )
    expect(terminal.editorSettings).toEqual(['code --wait'])
    expect(stderr).not.toContain('vi.')
  })

  it.each([undefined, 'nano'])(
    'opens an editor that is named, or tells it itself, at once: %s',
    async fallbackEditor => {
      const { stderr, terminal } = await run(
        ['apply', '-'],
        {
          terminal: { stdin: patch.text, editor: () => undefined, ...(fallbackEditor && { fallbackEditor }) },
          answers: ['e', 'n'],
        },
        { approval: 'no' },
      )
      expect(terminal.edited).toHaveLength(1)
      expect(stderr).not.toMatch(/\bvi\b/)
    },
  )

  it('takes back for a no, and says where things are', async () => {
    const { code, stderr, disk } = await run(
      ['apply', '-'],
      { terminal: { stdin: patch.text }, answers: ['n'] },
      { approval: 'no' },
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(/ n\n↩ declined #1 {2}3 files restored +0 ms\n$/)
    expect(disk.text({ journal: false })).toMatchObject(start)
  })

  it('takes back where the input ends at the question, and says that', async () => {
    const { code, stderr, disk } = await run(
      ['apply', '-'],
      { terminal: { stdin: patch.text }, answers: [undefined] },
      { approval: 'no' },
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(/rolled back #1 {2}the input ended at the question {3}3 files restored/)
    expect(disk.text({ journal: false })).toMatchObject(start)
  })

  it('asks about a sensitive file with its whole diff', async () => {
    const { code, stderr, terminal } = await run(['apply', '-'], {
      terminal: { stdin: respond({ 'package.json': '{\n  "workspaces": ["x"]\n}\n', 'src/a.ts': 'a2\n' }) },
      answers: ['?', 'd', 'n'],
    })
    expect(code).toBe(3)
    expect(terminal.paged).toEqual([expect.stringMatching(/package\.json[\s\S]*src\/a\.ts/)])
    expect(stderr).toContain('   2  +   "workspaces": ["x"]\n')
    expect(stderr.slice(stderr.indexOf('▲'))).toMatchInlineSnapshot(`
      "▲ #1 needs you. Nothing has been written or run yet.
          package.json: adds workspaces
      Let this answer change this file? (y/n/d/w/?) ?
        y       allow it: relay writes the files, checks them, and asks again if
                needed
        n       decline the answer; nothing has been written or run
        d       show the full diff of the whole answer
        w       show why: all flags, and the model's reasoning
        ?       show this help; Enter alone does the same
        Ctrl+D  like n
        Ctrl+C  decline the answer and quit
      Let this answer change this file? (y/n/d/w/?) d
      Let this answer change this file? (y/n/d/w/?) n
      ○ declined #1  nothing was written                                        0 ms
      "
    `)
  })

  const withToken = respond({ 'src/t.ts': `one\nconst token = '${githubToken}'\n`, 'src/a.ts': 'a2\n' })

  it('asks about a secret in place of keeping it, by line and kind, and shows it only on demand', async () => {
    const { code, stderr, terminal } = await run(['apply', '-'], {
      terminal: { stdin: withToken },
      answers: ['d', 'n'],
    })
    expect(code).toBe(3)
    expect(stderr).not.toContain(githubToken)
    expect(terminal.paged).toEqual([expect.stringContaining(githubToken)])
    expect(stderr.slice(stderr.indexOf('src/t.ts'))).toMatchInlineSnapshot(`
      "src/t.ts                +2
        ~ src/a.ts                +1  -1
      ✔ write   2 files                                                         0 ms
      ○ lint    unchecked: no linter is configured

        + src/t.ts                +2
        ~ src/a.ts                +1  -1

        + src/t.ts                                                                +2
        ⋯ 2 more lines: d shows all

        ~ src/a.ts                                                             +1 -1
         1      - a
             1  + a2

      ▲ #1 needs you. The files are already changed.
          src/t.ts: line 2 seems to hold a secret: GITHUB_TOKEN
      Keep this change? (y/n/d/f/e/r/c/w/q/?) d
      Keep this change? (y/n/d/f/e/r/c/w/q/?) n
      ↩ declined #1  2 files restored                                           0 ms
      "
    `)
  })

  it('takes --yes for a secret in an answer, and shows none then either', async () => {
    const { code, stderr, disk } = await run(['apply', '-', '--yes'], { terminal: { stdin: withToken } })
    expect(code).toBe(0)
    expect(stderr).not.toContain(githubToken)
    expect(disk.readText('src/t.ts')).toContain(githubToken)
  })

  it('names all that it would ask about by then where nobody can be asked about a sensitive file', async () => {
    const files = { 'package.json': '{ "a": 1 }\n', 'src/a.ts': '// ... rest of the code\n' }
    const { code, stderr } = await run(['apply', '-'], { terminal: { stdin: respond(files) } }, { approval: 'no' })
    expect(code).toBe(3)
    expect(stderr.slice(stderr.indexOf('↩'))).toMatchInlineSnapshot(`
      "↩ not applied #1  nobody could be asked   nothing was written             0 ms
          you review every change
          src/a.ts: a comment stands in for code that was left out "// ... rest of
            the code" (line 14 of the answer)
          package.json: adds a
          To apply it: \`relay apply --last --yes --allow-sensitive\`
      "
    `)
  })

  it('takes the sound files of an answer without a control block, which first were to be taken as it is', async () => {
    const text = respond({ 'src/a.ts': 'x\n', '../b.ts': 'y\n' }).replace(/```yaml[\s\S]*/, '')
    const { code, disk } = await run(['apply', 'answer.md'], { files: { 'answer.md': text }, answers: ['a', 's', 'y'] })
    expect(code).toBe(0)
    expect(disk.readText('src/a.ts')).toBe('x\n')
  })

  it('says that there is no text: a clipboard with a picture, an empty file', async () => {
    expect(await run(['apply'], { clipboard: null })).toMatchObject({
      code: 6,
      stderr:
        '○ not applied  there is no text on the clipboard\n' +
        '    Nothing was written. Copy the answer as text, not as a picture.\n',
    })
    expect(await run(['apply', 'empty.md'], { files: { 'empty.md': ' \n' } })).toMatchObject({
      code: 6,
      stderr: '○ not applied  there is no text in empty.md\n    Nothing was written.\n',
    })
  })

  it('says an unforeseen failure, and asks for a report', async () => {
    const world = fakeSystem({ files: { 'relaycode.config.json': config(), 'answer.md': patch.text } })
    const broken = { ...world.system, randomUuid: () => JSON.parse('{') as string }
    expect(await main(['apply', 'answer.md'], around(broken))).toBe(1)
    expect(world.terminal.stderr).toMatch(/^Error: Unexpected: .*\nHint: This is a bug in relay\./)
  })

  it('says who works in the project when it has waited long enough: exit 8', async () => {
    const first = fakeSystem({ files: { 'relaycode.config.json': config(), 'answer.md': patch.text } })
    const { mark } = first.shell
    first.disk.write(`.relaycode/lock/${ownerName(mark, 'one')}`, '')
    const second = fakeSystem({ disk: first.disk, autoAdvance: true })
    expect(await main(['apply', 'answer.md'], around(second.system))).toBe(8)
    expect(second.terminal.stderr).toBe(
      `○ waiting: another relay works in this project (process ${mark.pid})\n` +
        `Error: Another relay (process ${mark.pid}) is working in this project\n` +
        'Hint: Wait until it is done, answer its question, or, if Ctrl+Z stopped it, continue it with `fg`; then try again.\n',
    )
  })
})

describe('another relay that waits for its user', () => {
  it('is named at once with number and title of what it asks about', async () => {
    const files = { 'relaycode.config.json': config({ approval: 'no' }), 'answer.md': patch.text }
    let said = ''
    const ask = async () => {
      const second = fakeSystem({ disk: first.disk, autoAdvance: true })
      expect(await main(['undo'], around(second.system))).toBe(8)
      said = second.terminal.stderr
      return 'y'
    }
    const first = fakeSystem({ files: { ...files, ...start }, answers: [ask] })
    expect(await main(['apply', 'answer.md'], around(first.system))).toBe(0)
    const waits = `#1 I changed what you asked for waits for your answer in another window (process ${first.shell.mark.pid})`
    expect(said.replaceAll(/\n {2}/g, ' ')).toBe(
      `○ ${waits}\nError: ${waits}\nHint: Answer it there; then try again.\n`,
    )
  })
})

const cutOff = 'So:\n\n```typescript // src/a.ts\n// START\n\nexport function a(x: number) {\n  return'
const oneBlock = '// START\n\nexport const a = 1\n\n// END\n'

describe('relay watch in a world in memory', () => {
  async function watching(options: FakeSystemOptions = {}, settings: object = {}) {
    const files = { 'relaycode.config.json': config(settings), ...start, ...options.files }
    const world = fakeSystem({ answers: [], ...options, files, terminal: { live: true, ...options.terminal } })
    const end = main(['watch'], around(world.system))
    await world.clock.someoneSleeps()
    /** Copies a text, lets relay look, and waits until the screen shows what comes of it. */
    const copy = async (text: string, shows?: RegExp) => {
      world.clipboard.text = text
      await world.clock.advance(2000)
      if (shows !== undefined) await world.terminal.until(shows)
    }
    return { ...world, end, copy }
  }

  it('takes one patch after the other, and leaves everything else in peace', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching()
    await copy('Just a text.')
    await copy(patch.text, /kept #1 .*\n○ watching/)
    const elsewhere = respond({ 'x.ts': 'x\n' }, { projectId: 'billing', uuid: other })
    await copy(elsewhere, /billing/)
    await copy(respond({ 'c.ts': 'c\n' }, { uuid: other }), /kept #2 .*\n○ watching/)
    // Once is enough.
    await copy(elsewhere)
    interrupt()
    expect(await end).toBe(0)
    expect(terminal.stderr.replaceAll(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')).toMatchInlineSnapshot(`
      "relay 0.0.0-test   demo   /project
        approve    auto, unchecked              linter  none: unchecked
        clipboard  fake every 2 s               last    nothing kept yet
        keys       u undo  d diff  l log  k files  p pause  q quit  ? help
        begin      give your LLM the rules (\`relay prompt\`), then copy an answer

      ○ watching
      ── #1 ─────────────────────────────────────────────────────────────── HH:MM:SS
      ● I changed what you asked for                        3 files  +2 -2  0b8f4f62
        ~ src/a.ts                +1  -1
        + src/new/b.ts            +1
        - src/old.ts                  -1
      ✔ write   3 files                                                         0 ms
      ○ lint    unchecked: no linter is configured
      ✔ kept #1  auto: unchecked, no linter is configured     u undo   d diff   0 ms
      ○ watching
      ○ ignored  an answer for "billing" (this project is "demo")
      ── #2 ─────────────────────────────────────────────────────────────── HH:MM:SS
      ● I changed what you asked for                         1 file  +1 -0  0b8f4f62
        + c.ts                    +1
      ✔ write   1 file                                                          0 ms
      ○ lint    unchecked: no linter is configured
      ✔ kept #2  auto: unchecked, no linter is configured     u undo   d diff   0 ms
      ○ watching
      "
    `)
    expect(disk.text({ journal: false })).toMatchObject({ ...after, 'c.ts': 'c\n' })
  })

  it('names another project once a day, however many answers to it are copied', async () => {
    const { copy, end, interrupt, terminal, clock } = await watching()
    const elsewhere = (n: number, projectId: string) => respond({ 'x.ts': 'x\n' }, { projectId, uuid: uuidOf(n) })
    await copy(elsewhere(1, 'billing'), /billing/)
    await copy(elsewhere(2, 'billing'))
    await copy(elsewhere(3, 'shop'), /shop/)
    await copy(elsewhere(4, 'billing'))
    await clock.advance(24 * 60 * 60 * 1000)
    await copy(elsewhere(5, 'billing'), /shop[\s\S]*billing/)
    interrupt()
    expect(await end).toBe(0)
    expect(terminal.stderr.split('○ watching\n')[1]).toMatchInlineSnapshot(`
      "○ ignored  an answer for "billing" (this project is "demo")
      ○ ignored  an answer for "shop" (this project is "demo")
      ○ ignored  an answer for "billing" (this project is "demo")
      "
    `)
  })

  it('names another project once a day, however often it is started', async () => {
    const elsewhere = respond({ 'x.ts': 'x\n' }, { projectId: 'billing' })
    const first = await watching()
    await first.copy(elsewhere, /billing/)
    first.interrupt()
    await first.end
    const { copy, end, interrupt, terminal, clock } = await watching({ disk: first.disk, clipboard: elsewhere })
    await copy(respond({ 'x.ts': 'x\n' }, { projectId: 'shop', uuid: other }), /shop/)
    expect(terminal.stderr).not.toContain('billing')
    await clock.advance(24 * 60 * 60 * 1000)
    await copy(respond({ 'x.ts': 'x\n' }, { projectId: 'billing', uuid: other }), /billing/)
    interrupt()
    expect(await end).toBe(0)
    expect(Object.keys(first.disk.text()).filter(path => path.startsWith('.relaycode/named/'))).toHaveLength(1)
  })

  it.each([
    ['is cut off', cutOff, 'the answer seems cut off: it has no END and no YAML block'],
    ['is what one block holds', oneBlock, 'only one block of an answer, without its path and YAML block'],
  ])('says in one line, once, that an answer %s, and offers nothing', async (_, text, words) => {
    const { copy, end, interrupt, terminal } = await watching()
    await copy(text, /not applied/)
    await copy('Just a text.')
    await copy(`${text}\n`)
    interrupt()
    expect(await end).toBe(0)
    expect(terminal.stderr.split('○ watching\n')[1]).toBe(`○ not applied  ${words}\n`)
  })

  it('begins without a word about what had its turn and is on the clipboard still, until that is copied again', async () => {
    const first = await watching()
    await first.copy(patch.text, /kept #1 .*\n○ watching/)
    first.interrupt()
    await first.end
    const { copy, end, interrupt, terminal } = await watching({ disk: first.disk, clipboard: patch.text })
    await copy('Just a text.')
    expect(terminal.stderr).toMatch(/\n\n○ watching\n$/)
    await copy(patch.text, /skipped {2}already applied as #1[\s\S]*○ watching\n$/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('ends with the signal that ended it', async () => {
    const { end, interrupt } = await watching()
    interrupt('SIGTERM')
    expect(await end).toBe(143)
  })

  it('says at its end what was copied and had no turn', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching({}, { approval: 'no' })
    terminal.answers.push(async () => {
      await copy(respond({ 'c.ts': 'c\n' }, { uuid: other }), /1 more waiting/)
      interrupt()
      return 'y'
    })
    await copy(patch.text)
    expect(await end).toBe(130)
    expect(terminal.stderr).toContain('1 answer was not applied; copy it again\n')
    expect(disk.text()).toMatchObject(start)
    expect(disk.exists('c.ts')).toBe(false)
  })

  it('says at each question how many answers wait behind it', async () => {
    const { copy, end, interrupt, terminal } = await watching({}, { approval: 'no' })
    const third = '3c8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11'
    let above = ''
    terminal.answers.push(
      async () => {
        await copy(respond({ 'c.ts': 'c\n' }, { uuid: other }), /1 more waiting/)
        await copy(respond({ 'd.ts': 'd\n' }, { uuid: third }), /2 more waiting/)
        return 'n'
      },
      () => {
        above = terminal.stderr.slice(terminal.stderr.indexOf('declined #1'))
        return 'n'
      },
      'n',
    )
    await copy(patch.text, /declined #3 [\s\S]*○ watching/)
    expect(above).toContain('  1 more waiting\n')
    interrupt()
    expect(await end).toBe(0)
  })

  it('gives a text that is copied again while it is asked about, or waits, no second turn', async () => {
    const { copy, end, interrupt, terminal } = await watching({}, { approval: 'no' })
    const later = respond({ 'c.ts': 'c\n' }, { uuid: other })
    terminal.answers.push(async () => {
      await copy(later, /1 more waiting/)
      await copy(patch.text, /\n {2}already under way: I changed what you asked for\n/)
      await copy(later, /\n {2}already waiting: I changed what you asked for\n/)
      terminal.paste(`${patch.text}\n\n`)
      await terminal.until(/(already under way[\s\S]*){2}/)
      return 'n'
    }, 'n')
    await copy(patch.text, /declined #1 [\s\S]*declined #2 [\s\S]*○ watching/)
    expect(terminal.stderr).not.toMatch(/2 more waiting|skipped/)
    await copy(patch.text, /skipped {2}already declined as #1/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('says again that it watches where somebody has removed that', async () => {
    const { copy, end, interrupt, disk } = await watching()
    const marks = () => Object.keys(disk.text()).filter(path => path.startsWith('.relaycode/watch/'))
    const [mark = ''] = marks()
    disk.remove(mark)
    await copy(patch.text, /kept #1 .*\n○ watching/)
    expect(marks()).toEqual([mark])
    interrupt()
    await end
    expect(marks()).toEqual([])
  })

  it('names where else somebody watches for the same projectId, in a clone say, as long as that one lives', async () => {
    const first = await watching()
    const { pid } = first.shell.mark
    const start = async (cwd: string, projectId: string) => {
      first.disk.write(`${cwd}/relaycode.config.json`, config({ projectId }))
      const world = fakeSystem({ disk: first.disk, cwd, answers: [] })
      const end = main(['watch'], around(world.system))
      await world.clock.someoneSleeps()
      world.interrupt()
      await end
      return world.terminal.stderr.replaceAll(/\s+/g, ' ')
    }
    const later = fakeSystem({ disk: first.disk }).system
    const marks = () => later.files.list(`${later.stateFolder}/watch`)
    expect(await marks()).toHaveLength(1)
    const words = `▲ process ${pid} watches /project, which has the same projectId: it applies each answer there, too ○ watching`
    expect(await start('/clone', 'demo')).toContain(words)
    expect(await start('/other', 'another')).not.toContain('▲')
    first.kill()
    expect(await start('/clone', 'demo')).not.toContain('▲')
    expect(await marks()).toEqual([])
  })

  it('does not claim to watch a desktop that is not there', async () => {
    const world = fakeSystem({ files: { 'relaycode.config.json': config({}) }, answers: [] })
    Object.assign(world.clipboard, { isThere: async () => false })
    const end = main(['watch'], around(world.system))
    await world.clock.someoneSleeps()
    world.interrupt()
    await end
    expect(world.terminal.stderr).toContain('  clipboard  no fake yet  ')
  })

  it('names the process that watches already, and works all the same', async () => {
    const first = await watching()
    const second = fakeSystem({ disk: first.disk, answers: [] })
    const end = main(['watch'], around(second.system))
    await second.clock.someoneSleeps()
    const { pid } = first.shell.mark
    expect(second.terminal.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `▲ another relay watches this project (pid ${pid}). Only one applies each answer: close the others ○ watching`,
    )
    expect(first.terminal.stderr).not.toContain('already')
    second.clipboard.text = patch.text
    await second.clock.advance(2000)
    await until(() => second.terminal.stderr.includes('kept #1'), 'the patch')
    first.interrupt()
    second.interrupt()
    expect([await first.end, await end]).toEqual([0, 0])
  })

  it('takes up a changed configuration with the next patch', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching()
    disk.write('relaycode.config.json', config({ preCommand: 'pre' }))
    terminal.answers.push('y')
    await copy(patch.text, /not applied #1 [\s\S]*○ watching/)
    expect(terminal.stderr).toMatch(/✖ pre {5}pre {3}.*127/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('takes no patch while the configuration cannot be read, and the next copy once it can', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching()
    disk.write('relaycode.config.json', '{bad')
    await copy(patch.text, /copy the answer again[\s\S]*○ watching/)
    disk.remove('relaycode.config.json')
    await copy(respond({ 'c.ts': 'c\n' }, { uuid: other }), /is gone from[\s\S]*○ watching/)
    expect(terminal.stderr.slice(terminal.stderr.indexOf('Error'))).toMatchInlineSnapshot(`
      "Error: The answer was not applied: Cannot use /project/relaycode.config.json:
               line 1, column 2: invalid symbol
      Hint: Correct it in your editor: /project/relaycode.config.json
             Then copy the answer again, or run \`relay apply\`.
      ○ watching
      Error: The answer was not applied: relaycode.config.json is gone from /project
      Hint: Put it back, or run \`relay --init\` there.
             Then copy the answer again, or run \`relay apply\`.
      ○ watching
      "
    `)
    expect(disk.text({ journal: false })).toEqual(start)
    disk.write('relaycode.config.json', config({ approval: 'no' }))
    terminal.answers.push('n')
    await copy(patch.text, /declined #1 [\s\S]*○ watching/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('says that it watches once the clipboard can be read again', async () => {
    const { copy, clipboard, clock, end, interrupt, terminal } = await watching()
    clipboard.failure = new Error('gone')
    await copy('a', /cannot read the clipboard/)
    clipboard.failure = undefined
    await clock.advance(60_000)
    await terminal.until(/can be read again/)
    expect(terminal.stderr).toMatch(/✔ the clipboard can be read again\n○ watching\n$/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('takes up a changed projectId when an answer for it is copied, and looks for no other text', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching()
    const other = (uuid: string, text: string, projectId = 'other') => respond({ 'c.ts': text }, { projectId, uuid })
    await copy(other('00000000-0000-4000-8000-00000000000a', 'a\n'), /an answer for "other" \(this project is "demo"\)/)
    disk.write('relaycode.config.json', '{')
    await copy(other('00000000-0000-4000-8000-00000000000b', 'b\n', 'a third'), /an answer for "a third"/)
    disk.write('relaycode.config.json', config({ projectId: 'other' }))
    const { calls } = disk
    await copy('Just a text with a projectId.')
    expect(disk.calls).toBe(calls)
    await copy(other('00000000-0000-4000-8000-00000000000a', 'a\n'), /kept #1 .*\n○ watching/)
    await copy(patch.text, /an answer for "demo" \(this project is "other"\)/)
    terminal.paste(other('00000000-0000-4000-8000-00000000000c', 'c\n'))
    await until(() => terminal.stderr.includes('kept #2'), 'what was pasted')
    expect(disk.text({ journal: false })).toMatchObject({ ...start, 'c.ts': 'c\n' })
    interrupt()
    expect(await end).toBe(0)
  })

  it.each([
    [
      'changes nothing',
      {},
      { 'src/b.ts': 'b\n' },
      /○ unchanged {2}1 file .*; nothing to do\n {4}src\/b\.ts\n○ watching/,
    ],
    ['is refused', { policy: { deny: ['src/**'] } }, {}, /✖ refused\n {4}src\/b\.ts[\s\S]*○ watching\n$/],
  ])('asks nothing about a patch on the clipboard at the start that %s', async (_name, settings, files, said) => {
    const text = respond({ 'src/b.ts': 'b\n' })
    const { end, interrupt, terminal } = await watching({ clipboard: text, files }, settings)
    await until(() => said.test(terminal.stderr), 'what comes of it')
    expect(terminal.stderr).not.toContain('was on the clipboard before')
    interrupt()
    expect(await end).toBe(0)
  })

  it('offers what was on the clipboard at the start no more after a no, and takes it when it is copied again', async () => {
    const first = await watching({ clipboard: patch.text, answers: ['d', 'n'] })
    await first.terminal.until(/Apply it\? .* n\n○ watching\n$/)
    expect(first.terminal.paged.join()).toContain('src/new/b.ts')
    first.interrupt()
    await first.end
    expect(first.disk.text()).not.toHaveProperty('.relaycode/history.jsonl')
    const { copy, end, interrupt, terminal } = await watching({ disk: first.disk, clipboard: `${patch.text}\n` })
    await copy('Just a text.')
    expect(terminal.stderr).toMatch(/\n\n○ watching\n$/)
    await copy(patch.text, /kept #1/)
    interrupt()
    expect(await end).toBe(0)
  })

  it('takes what was offered at the start by the configuration as it is after the yes', async () => {
    const { end, interrupt, terminal, disk, clock } = await watching({
      clipboard: patch.text,
      answers: [
        () => {
          disk.write('relaycode.config.json', config({ approval: 'no' }))
          return 'y'
        },
        'n',
      ],
    })
    await clock.advance(2000)
    await until(() => /declined #1 /.test(terminal.stderr), 'the second question')
    expect(disk.text({ journal: false })).toMatchObject(start)
    interrupt()
    expect(await end).toBe(0)
  })

  it('goes to no other project where its own configuration is gone', async () => {
    const { copy, end, interrupt, disk } = await watching()
    disk.remove('relaycode.config.json')
    disk.write('/relaycode.config.json', config())
    await copy(patch.text, /relaycode\.config\.json is gone from \/project/)
    expect(disk.exists('/src')).toBe(false)
    interrupt()
    expect(await end).toBe(0)
  })

  it('takes the sound files by the configuration as it is when they are wished for', async () => {
    const { copy, end, interrupt, terminal, disk } = await watching()
    const damaged = respond({ 'c.ts': 'c\n', 'd.ts': '<<<<<<< HEAD\nd\n=======\nd2\n>>>>>>> x\n' }, { uuid: other })
    await copy(damaged, /refused[\s\S]*○ watching/)
    disk.write('relaycode.config.json', '{')
    terminal.press('s')
    await until(() => /The answer was not applied[\s\S]*○ watching/.test(terminal.stderr), 'the refusal of the key')
    expect(disk.exists('c.ts')).toBe(false)
    interrupt()
    expect(await end).toBe(0)
  })

  it('goes on after a patch that could not be handled', async () => {
    const { copy, end, interrupt, disk } = await watching()
    disk.onCall = name => {
      if (name === 'create') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    await copy(patch.text, /the disk is full[\s\S]*○ watching/)
    disk.onCall = undefined
    await copy(respond({ 'c.ts': 'c\n' }, { uuid: other }), /kept #/)
    expect(disk.readText('c.ts')).toBe('c\n')
    expect(disk.text({ journal: false })).toMatchObject(start)
    interrupt()
    expect(await end).toBe(0)
  })
})
