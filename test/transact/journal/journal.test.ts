import { constants } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../../../src/model/entry.ts'
import { writeEnding } from '../../../src/transact/entry/write-entry.ts'
import { Journal } from '../../../src/transact/journal/journal.ts'
import { layoutOf } from '../../../src/transact/layout/layout.ts'
import { entryText } from '../../support/entry-text.ts'
import { entryWith } from '../../support/entry-with.ts'
import { FakeDisk } from '../../support/fake-disk.ts'

function layoutOn(disk: FakeDisk) {
  return layoutOf(disk.root, disk.files())
}

function line(number: number, changes: Partial<HistoryLine> = {}): HistoryLine {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return {
    number,
    uuid,
    at: '2026-11-20T14:00:00.000Z',
    outcome: 'committed',
    operations: 'hash',
    paths: {},
    ...changes,
  }
}

async function journalWith(lines: readonly HistoryLine[], tail = ''): Promise<{ journal: Journal; disk: FakeDisk }> {
  const disk = new FakeDisk()
  const text = lines.map(each => `${JSON.stringify(each)}\n`).join('') + tail
  disk.write('.relaycode/history.jsonl', text)
  return { disk, journal: await Journal.open(layoutOn(disk)) }
}

function keptText(number: number): string {
  const operations = [{ op: 'delete', path: 'a.ts' }] as const
  const entry = entryText(entryWith({ number, uuid: line(number).uuid, operations }))
  const ending = writeEnding({
    checks: { before: { errors: null }, after: { errors: null } },
    written: new Map(),
    outcome: { kind: 'committed', by: 'auto', at: `2026-11-20T14:00:0${number}.000Z` },
  })
  return entry + ending
}

describe('the journal', () => {
  it('begins with number 1', async () => {
    const { journal } = await journalWith([])
    expect(journal.nextNumber()).toBe(1)
    expect(journal.lastCommitted()).toBeUndefined()
  })

  it('counts on after what it was told, and tells it the next time', async () => {
    const { journal, disk } = await journalWith([line(1)])
    await journal.remember(line(2, { outcome: 'declined' }))
    expect(journal.nextNumber()).toBe(3)
    const again = await Journal.open(layoutOn(disk))
    expect(again.nextNumber()).toBe(3)
    expect(again.lastCommitted()).toEqual(line(1))
  })

  it('survives a last line that a crash cut off', async () => {
    const { journal, disk } = await journalWith([line(1), line(2)], '{"number":3,"uu')
    expect(journal.nextNumber()).toBe(3)
    await journal.remember(line(3))
    const again = await Journal.open(layoutOn(disk))
    expect(again.nextNumber()).toBe(4)
    expect(await again.lookUp(line(2).uuid)).toEqual(line(2))
  })

  it.each([
    [
      'the newest turn of a uuid',
      [line(1), line(2), line(3, { uuid: line(1).uuid, outcome: 'undone' })],
      line(1).uuid,
      3,
    ],
    ['by the model’s uuid as well', [line(1, { modelUuid: 'model-uuid-1' })], 'model-uuid-1', 1],
    [
      'but no mere failure',
      [line(1, { outcome: 'declined' }), line(2, { uuid: line(1).uuid, outcome: 'rolled-back' })],
      line(1).uuid,
      1,
    ],
    ['and nothing that only mentions it', [line(1, { operations: 'model-uuid-1' })], 'model-uuid-1', undefined],
    ['nor one that it begins with', [line(1, { uuid: 'abcdefgh-1' })], 'abcdefgh', undefined],
  ])('finds %s', async (_name, lines, uuid, number) => {
    const { journal } = await journalWith(lines)
    expect((await journal.lookUp(uuid))?.number).toBe(number)
  })

  it.each(['abcdef12', 'ABCDEF12', 'Abcdef12'])('finds a uuid whatever its case: %s', async uuid => {
    const { journal, disk } = await journalWith([])
    await journal.remember(line(1, { uuid: 'ABCdef12', modelUuid: 'MODEL-uuid-1' }))
    await journal.remember(line(2, { uuid: line(2).uuid, source: 'undo', undoes: 'ABCdef12' }))
    const again = await Journal.open(layoutOn(disk))
    for (const each of [journal, again]) {
      expect(await each.lookUp(uuid)).toMatchObject({ number: 1, outcome: 'undone' })
      expect(await each.lookUp('model-UUID-1')).toMatchObject({ number: 1 })
      expect(each.holds('ABCdef12', 1)).toBe(true)
    }
  })

  it('does not go round in a history that leads in a circle', async () => {
    const [one, other] = [line(1).uuid, line(2).uuid]
    const { journal } = await journalWith([line(1, { undoes: other }), line(2, { undoes: one })])
    expect(await journal.lookUp(one)).toMatchObject({ number: 1, outcome: 'undone' })
  })

  it('tells the newest first, whatever lies between pieces of a long history', async () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index + 1)
    const { journal } = await journalWith(numbers.map(number => line(number, { at: '2026-11-20T14:00:00.000Z' })))
    expect([...journal.newestFirst()].map(({ number }) => number)).toEqual(numbers.toReversed())
    expect(journal.countKept()).toBe(1000)
  })

  it('prefers the turn with the same operations to a newer one with others', async () => {
    const { journal } = await journalWith([line(1), line(2, { modelUuid: line(1).uuid, operations: 'others' })])
    expect((await journal.lookUp(line(1).uuid, () => 'hash'))?.number).toBe(1)
    expect((await journal.lookUp(line(1).uuid, () => 'third'))?.number).toBe(2)
  })

  it('is rebuilt from the entries when it is missing', async () => {
    const disk = new FakeDisk()
    for (const number of [7, 2]) disk.write(`.relaycode/${line(number).uuid}.yml`, keptText(number))
    disk.write('.relaycode/last-declined.yml', 'x: 1\n')
    disk.write(`.relaycode/${line(9).uuid}.pending.yml`, keptText(9))
    const journal = await Journal.open(layoutOn(disk))
    expect(journal.nextNumber()).toBe(8)
    expect((await journal.lookUp(line(2).uuid))?.outcome).toBe('committed')
    expect(disk.readText('.relaycode/history.jsonl').split('\n')).toHaveLength(3)
  })

  it.each([
    ['empty', ''],
    ['garbage', 'garbage\n'],
    ['NULs', '\0'.repeat(500)],
    ['cut off', '{"number":9,"uu'],
    ['a line in parts', '{"number":9,\n"uuid":"x"}\n'],
    ['another text before it', ` ${JSON.stringify(line(9))}x\n`],
  ])('is made again from its lines and the entries when it is damaged: %s', async (_name, damage) => {
    const disk = new FakeDisk()
    const declined = line(3, { outcome: 'declined' })
    const text = damage === '' ? '' : `${JSON.stringify(declined)}\n${damage}`
    disk.write('.relaycode/history.jsonl', text)
    for (const number of [7, 2]) disk.write(`.relaycode/${line(number).uuid}.yml`, keptText(number))
    const looked = await Journal.read(layoutOn(disk))
    expect(disk.readText('.relaycode/history.jsonl')).toBe(text)
    const opened = await Journal.open(layoutOn(disk))
    const again = await Journal.open(layoutOn(disk))
    for (const journal of [looked, opened, again]) {
      expect([...journal.newestFirst()].map(({ number }) => number)).toEqual(damage === '' ? [7, 2] : [7, 3, 2])
      expect(journal.nextNumber()).toBe(8)
    }
  })

  it('lists no folder and reads no entry as long as it is sound', async () => {
    const { disk } = await journalWith([line(1), line(2)])
    disk.write(`.relaycode/${line(3).uuid}.yml`, keptText(3))
    disk.write('.relaycode/all-ended', '')
    const calls: string[] = []
    disk.onCall = (name, path) => calls.push(`${name} ${path}`)
    await Journal.open(layoutOn(disk))
    expect(calls.filter(call => /^(list|replace)|\.yml$/.test(call))).toEqual([])
  })

  it.each([
    ['in another order', [line(3), line(1), line(2)], 4],
    ['with one left out', [line(3), line(1)], 2],
    ['with the largest number', [line(1), line(2, { number: 1e12 })], 2],
    ['with nothing but that', [line(2, { number: 1e12 })], 1],
    ['with the largest number but one', [line(1), line(2, { number: 1e12 - 1 })], 1e12],
  ])('gives a number that no line has and that the next line can be read with: %s', async (_name, lines, next) => {
    const { journal, disk } = await journalWith(lines)
    expect(journal.nextNumber()).toBe(next)
    await journal.remember(line(50, { number: next }))
    const again = await Journal.open(layoutOn(disk))
    expect(again.holds(line(50).uuid, next)).toBe(true)
    for (const each of [journal, again])
      expect([...each.newestFirst()].map(({ number }) => number)).not.toContain(each.nextNumber())
  })

  it('takes no entry under another name, or with a number that leaves none, into a history', async () => {
    const disk = new FakeDisk()
    disk.write(`.relaycode/${line(1).uuid}.yml`, keptText(2))
    disk.write(`.relaycode/${line(3).uuid}.yml`, keptText(3).replace('number: 3', 'number: 9000000000000'))
    expect([...(await Journal.open(layoutOn(disk))).newestFirst()]).toEqual([])
  })

  it('knows an entry that has no line', async () => {
    const { journal, disk } = await journalWith([line(1)])
    disk.write(`.relaycode/${line(5).uuid}.yml`, keptText(5))
    expect(await journal.lookUp(line(5).uuid)).toMatchObject({ number: 5, outcome: 'committed' })
  })

  it('reads no entry for a new transaction', async () => {
    const { journal, disk } = await journalWith([line(1), line(2)])
    disk.write(`.relaycode/${line(1).uuid}.yml`, keptText(1))
    const read: string[] = []
    disk.onCall = (name, path) => {
      if (name === 'read' || name === 'inspect') read.push(path)
    }
    await journal.lookUp('something-else')
    journal.nextNumber()
    expect(read).toEqual(['/project/.relaycode/something-else.yml'])
  })

  it.each([
    ['names an entry elsewhere', { uuid: '../../home/secret' }],
    ['takes back what is elsewhere', { undoes: '../../../x' }],
    ['leaves no number for what comes', { number: Number.MAX_SAFE_INTEGER }],
    ['counts backwards', { number: -5 }],
    ['tells no time', { at: 'never' }],
    ['ended in no way that there is', { outcome: 'constructor' as never }],
  ])('takes no line for one that came with a clone and %s', async (_, changes) => {
    const { journal } = await journalWith([line(1), line(2, changes)])
    expect([...journal.newestFirst()]).toEqual([line(1)])
    expect(journal.nextNumber()).toBe(2)
  })

  it('takes a file that is longer than any text for none: it came with a clone, or is damaged', async () => {
    const disk = new FakeDisk()
    disk.write('.relaycode/history.jsonl', 'x')
    disk.write(`.relaycode/${line(1).uuid}.yml`, 'x')
    disk.write(`.relaycode/${line(2).uuid}.yml`, keptText(2))
    // Zeros that nobody has looked at take no memory.
    const huge = { kind: 'file', bytes: Buffer.alloc(constants.MAX_STRING_LENGTH + 1) } as const
    const files = disk.files()
    const inspect = async (path: string) => {
      const found = await files.inspect(path)
      return found?.kind === 'file' && found.bytes.length === 1 ? huge : found
    }
    const journal = await Journal.open(layoutOf(disk.root, { ...files, inspect }))
    expect([...journal.newestFirst()].map(({ number }) => number)).toEqual([2])
  })

  it('looks behind nothing that stands in the place of its files', async () => {
    const disk = new FakeDisk()
    disk.write('/home/history', `${JSON.stringify(line(9))}\n`)
    disk.write('/home/entry', keptText(8))
    disk.folder('.relaycode')
    disk.symlink('../../home/history', '.relaycode/history.jsonl')
    disk.symlink('../../home/entry', `.relaycode/${line(8).uuid}.yml`)
    const journal = await Journal.read(layoutOn(disk))
    expect([...journal.newestFirst()]).toEqual([])
    expect(await journal.lookUp(line(8).uuid)).toBeUndefined()
  })
})
