import { describe, expect, it } from 'vitest'
import { keepDeclined, listDeclined, readDeclined } from '../../../src/transact/journal/declined.ts'
import { layoutOf } from '../../../src/transact/layout/layout.ts'
import { fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { journalWorld } from '../../support/journal-world.ts'
import { respond } from '../../support/respond.ts'
import { take } from '../../support/take.ts'

const start = { 'src/a.ts': 'a\n' }
const never = { approval: 'never', linter: 'lint' } as const
const wrong = { exit: 1, output: 'src/a.ts(1,1): error TS1: Wrong.\n' }

function world(lint: readonly { readonly exit?: number; readonly output?: string }[]) {
  return fakeSystem({ files: start, commands: { lint: [...lint] } })
}

describe('where nobody is to be asked', () => {
  it('keeps what passes', async () => {
    const { system, disk } = world([{}, {}])
    const talk = fakeTalk([])
    expect(await take(system, { 'src/a.ts': 'A\n' }, never, talk)).toMatchObject({ kind: 'committed', by: 'auto' })
    expect([talk.questions, disk.readText('src/a.ts')]).toEqual([[], 'A\n'])
  })

  it('declines what does not pass without a question, and says for which reasons', async () => {
    const { system, disk } = world([{}, wrong])
    const talk = fakeTalk(['yes'])
    expect(await take(system, { 'src/a.ts': 'A\n' }, never, talk)).toMatchObject({
      kind: 'rolled-back',
      reason: { kind: 'declined', byRule: [{ kind: 'new-errors', count: 1 }] },
    })
    expect(talk.questions).toEqual([])
    expect(disk.text({ journal: false })).toEqual(start)
    expect(disk.readText('.relaycode/history.jsonl')).toContain('"declined"')
  })

  it('asks about sensitive files all the same', async () => {
    const { system } = world([{}, {}])
    const talk = fakeTalk(['yes'])
    await take(system, { '.github/workflows/ci.yml': 'on: push\n' }, never, talk)
    expect(talk.questions).toHaveLength(1)
  })
})

describe('answers that were not kept', () => {
  it('stay under their numbers, the newest twenty', async () => {
    const { system, disk, layout } = fakeSystem({ files: start })
    for (let number = 1; number <= 22; number++) {
      const text = respond(
        { 'src/a.ts': `${number}\n` },
        { uuid: `0b8f4f62-7d5e-4f5c-9a0e-0000000000${String(number).padStart(2, '0')}` },
      )
      await take(system, text, { approval: 'no' }, fakeTalk(['no']))
    }
    const numbers = (await listDeclined(layout)).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index))
    expect((await readDeclined(5, layout))?.response.text).toContain('5\n')
    expect(await readDeclined(1, layout)).toBeUndefined()
    expect(disk.tree()).toMatchObject({ '.relaycode/declined/5.yml': { mode: '0600' } })
  })

  it('go where together they are too large', async () => {
    const { disk, layout } = fakeSystem({ files: start })
    const files = { ...layoutOf(disk.root, disk.files()) }
    await files.files.makeFolder(files.folder)
    for (const number of [1, 2, 3]) {
      disk.write('.relaycode/last-declined.yml', Buffer.alloc(9_000_000))
      await keepDeclined(number, files)
      disk.remove('.relaycode/last-declined.yml')
    }
    expect((await listDeclined(layout)).map(({ number }) => number)).toEqual([3, 2])
  })

  it('are shown with what spoke against them, and asked about again', async () => {
    const { patch, run, disk } = journalWorld(start, {
      config: { approval: 'never', linter: 'lint' },
      commands: { lint: [{}, { ...wrong }, {}, { ...wrong }] },
    })
    await patch({ 'src/a.ts': 'A\n' }, { config: never })
    const shown = await run(['show', '1'])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(/#1 .*declined\n[\s\S]*error .*TS1[\s\S]*\/\/ START\n\nA/)
    const again = await run(['apply', '--declined', '1', '--yes', '--trust'])
    expect(again).toMatchObject({ code: 0 })
    expect(disk.readText('src/a.ts')).toBe('A\n')
    expect((await run(['apply', '--declined', '2'])).stderr).toMatch(/#2 was kept/)
  })
})
