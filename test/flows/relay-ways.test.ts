import { describe, expect, it } from 'vitest'
import { relay } from '../../src/flows/relay.ts'
import type { RelayOptions } from '../../src/flows/understood-answer.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'

const good = respond({ 'src/a.ts': 'A\n', 'src/b.ts': 'B\n' })
const outside = respond({ 'src/a.ts': 'A\n', '../outside.ts': 'x\n' })
const twice = respond({ 'src/x/../c.ts': 'C\n', 'src/c.ts': null, 'src/a.ts': 'A\n' })
const halfOpen = good.replace('// END\n```\n\n```yaml', '```yaml').replace(/B\n\n/, 'B\n')
const cutOff = good.slice(0, good.indexOf('B\n'))
const withoutControl = good.slice(0, good.indexOf('```yaml'))

async function take(text: string, options: RelayOptions, answers?: readonly ('yes' | 'no')[]) {
  const world = fakeSystem({ files: { 'src/a.ts': 'a\n' } })
  world.disk.symlink('/etc/passwd', 'src/link.ts')
  const talk = fakeTalk(answers)
  const outcome = await relay({ source: 'clipboard', text }, fakeProject(), world.system, talk, options)
  return { outcome, talk, files: world.disk.text({ journal: false }) }
}

describe('a damaged response', () => {
  it.each([
    ['an unsafe path', outside, ['src/a.ts']],
    ['a link that leads outside', respond({ 'src/a.ts': 'A\n', 'src/link.ts': 'x\n' }), ['src/a.ts']],
    ['a file that is written and deleted under two spellings', twice, ['src/a.ts']],
    ['nothing sound', respond({ '../outside.ts': 'x\n' }), []],
    ['nothing sound but a path too long to be named', respond({ [`../${'x'.repeat(250)}`]: 'x\n' }), []],
  ])('is refused as a whole for %s, and names what is sound', async (_name, text, sound) => {
    const { outcome, files } = await take(text, {})
    expect(outcome).toMatchObject({ kind: 'refused', sound })
    expect(files).toEqual({ 'src/a.ts': 'a\n' })
  })

  it('gives its sound files when the user wants them, always asked', async () => {
    const { outcome, talk, files } = await take(outside, { soundOnly: true }, ['yes'])
    expect(outcome).toMatchObject({ kind: 'committed', by: 'user' })
    expect(talk.questions).toMatchObject([{ kind: 'gate', reasons: [{ kind: 'partial', problems: 1 }] }])
    expect(files).toEqual({ 'src/a.ts': 'A\n' })
  })

  it('counts what its text and what the disk speaks against together', async () => {
    const both = respond({ 'src/a.ts': 'A\n', '../outside.ts': 'x\n', 'src/link.ts': 'x\n' })
    const { talk, files } = await take(both, { soundOnly: true }, ['yes'])
    expect(talk.questions).toMatchObject([{ kind: 'gate', reasons: [{ kind: 'partial', problems: 2 }] }])
    expect(files).toEqual({ 'src/a.ts': 'A\n' })
  })

  it('leaves out a file under each of its spellings', async () => {
    expect((await take(twice, { soundOnly: true }, ['yes'])).files).toEqual({ 'src/a.ts': 'A\n' })
  })

  it('gives nothing without a yes', async () => {
    const { outcome, files } = await take(outside, { soundOnly: true })
    expect(outcome).toMatchObject({ kind: 'rolled-back', reason: { kind: 'unasked' } })
    expect(files).toEqual({ 'src/a.ts': 'a\n' })
  })

  it('gives nothing of an answer that was cut off as a whole', async () => {
    expect((await take(halfOpen, { soundOnly: true }, ['yes'])).files).not.toHaveProperty('src/b.ts')
  })
})

describe('a response with other capitals than the disk, where they do not count', () => {
  const applied = async (files: Readonly<Record<string, string | null>>, answer: 'yes' | 'no') => {
    const world = fakeSystem({ files: { 'src/lib/button.ts': 'old\n' } })
    // The hardest: two spellings do not even have the same number.
    Object.assign(world.disk, { foldsCase: true, numbersNames: true })
    const response = { source: 'clipboard', text: respond(files) } as const
    const outcome = await relay(response, fakeProject({ approval: 'no' }), world.system, fakeTalk([answer]))
    return { outcome, files: world.disk.text({ journal: false }) }
  }

  it('changes the file under its own name', async () => {
    const { outcome, files } = await applied({ 'src/Lib/Button.ts': 'new\n' }, 'yes')
    expect(outcome).toMatchObject({ kind: 'committed' })
    expect(files).toEqual({ 'src/lib/button.ts': 'new\n' })
  })

  it('leaves the name as it was when it is taken back', async () => {
    const { outcome, files } = await applied({ 'src/Lib/Button.ts': 'new\n', 'src/LIB/more.ts': 'more\n' }, 'no')
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(files).toEqual({ 'src/lib/button.ts': 'old\n' })
  })

  it('is refused where it would change the capitals, which would leave no file', async () => {
    const { outcome, files } = await applied({ 'src/lib/Button.ts': 'new\n', 'src/lib/button.ts': null }, 'yes')
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ code: 'same-file', path: 'src/lib/button.ts' }] })
    expect(files).toEqual({ 'src/lib/button.ts': 'old\n' })
  })
})

describe('a response without a control block', () => {
  it('is no patch by itself', async () => {
    expect((await take(withoutControl, {})).outcome).toEqual({ kind: 'ignored', why: { kind: 'no-control' } })
  })

  it('is taken when the user wants it, always asked', async () => {
    const { outcome, talk, files } = await take(withoutControl, { withoutControl: true }, ['yes'])
    expect(outcome).toMatchObject({ kind: 'committed', by: 'user' })
    expect(talk.questions).toMatchObject([{ kind: 'gate', reasons: [{ kind: 'no-control' }] }])
    expect(files).toEqual({ 'src/a.ts': 'A\n', 'src/b.ts': 'B\n' })
  })

  it('tells what is sound in one that was cut off, and gives that when the user wants it, always asked', async () => {
    const why = { kind: 'no-control', isCut: true }
    expect((await take(cutOff, {})).outcome).toEqual({ kind: 'ignored', why, sound: ['src/a.ts'] })
    const { outcome, talk, files } = await take(cutOff, { withoutControl: true, soundOnly: true }, ['yes'])
    expect(outcome).toMatchObject({ kind: 'committed', by: 'user' })
    expect(talk.questions).toMatchObject([
      { kind: 'gate', reasons: [{ kind: 'partial', problems: 1 }, { kind: 'no-control' }] },
    ])
    expect(files).toEqual({ 'src/a.ts': 'A\n' })
  })

  it('can be taken as it is where the END alone is missing', async () => {
    const outcome = (await take(withoutControl.replace(/\n\/\/ END\n```\n\n$/, '```\n'), {})).outcome
    expect(outcome).toEqual({ kind: 'ignored', why: { kind: 'no-control', isCut: true } })
  })
})
