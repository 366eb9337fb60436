import { describe, expect, it } from 'vitest'
import { offerWayOut } from '../../../src/commands/talk/way-out.ts'
import type { Outcome } from '../../../src/model/talk.ts'
import { parseResponse } from '../../../src/parse/parse-response.ts'
import { fakeProject } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import type { Typed } from '../../support/fake-terminal.ts'

const noControl: Outcome = { kind: 'ignored', why: { kind: 'no-control' } }
const cutOff: Outcome = { kind: 'ignored', why: { kind: 'no-control', isCut: true }, sound: ['src/a.ts'] }
const problem = { code: 'open-block', message: 'Block 2 is open: no END.', line: 12, block: 2, path: 'src/b.ts' }
const half: Outcome = { kind: 'refused', problems: [problem], sound: ['src/a.ts'] }
const whole: Outcome = {
  kind: 'refused',
  problems: [{ code: 'two-controls', message: 'Two control blocks.' }],
  sound: [],
}

const overlap = {
  kind: 'overlap',
  overlaps: [
    {
      path: 'src/a.ts',
      why: 'text',
      places: [{ line: 1, ours: ['a'], theirs: ['b'] }],
      since: '#1',
      canMark: true,
      now: Buffer.from('a'),
    },
  ],
} as const satisfies Outcome

async function offer(outcome: Outcome, typed: readonly Typed[], withdraw = new AbortController().signal) {
  const world = fakeSystem({ answers: typed })
  const way = await offerWayOut(outcome, {}, fakeProject(), world.system, withdraw)
  return { way, copied: await world.system.clipboard.read(), world }
}

describe('the ways out of a response that was not taken', () => {
  it.each([
    ['takes the sound files alone, and copies the request for the rest', half, 's', { soundOnly: true }, true],
    ['takes one without a control block as it is', noControl, 'a', { withoutControl: true }, false],
    ['takes the sound files of one that was cut off', cutOff, 's', { withoutControl: true, soundOnly: true }, true],
    ['takes none that was cut off as it is', cutOff, 'a', undefined, false],
    ['takes none of it without a sound file', { ...cutOff, sound: [] }, 's', undefined, false],
    ['takes nothing when the user wants none of it', half, 'n', undefined, false],
    ['offers no sound files where there are none', whole, 's', undefined, false],
    ['offers nothing for what is no patch', { kind: 'ignored', why: { kind: 'no-patch' } }, 'a', undefined, false],
    ['offers nothing for what was kept', { kind: 'unchanged', paths: [] }, 'c', undefined, false],
  ] as const)('%s', async (_name, outcome, key, expected, copies) => {
    const { way, copied } = await offer(outcome as Outcome, [key])
    expect(way).toEqual(expected)
    expect(copied !== null).toBe(copies)
  })

  it.each(['n', 'no', ' NO '])('asks no more after %j', async typed => {
    expect((await offer(half, [typed, 's'])).way).toBeUndefined()
  })

  it('copies a request to repeat just what was wrong', async () => {
    expect((await offer(half, ['c'])).copied).toMatchInlineSnapshot(`
      "# relay-followup

      Your last answer could not be applied to the project "demo":

      - block 2, line 12, src/b.ts: Block 2 is open: no END.

      Please send only these files again, corrected:
      - src/b.ts
      The other files are fine.

      Each file as its own fenced code block with \`// path/of/the/file\` on the opening line, the full content between a
      \`// START\` and a \`// END\` line (for a file to delete, the block holds only \`//TODO: delete this file\`), and at the
      very end the YAML block with projectId "demo", promptSummary (a short title in the imperative),
      a new random uuid and the changeSummary.

      "
    `)
  })

  it('copies a request for the whole answer when the whole was wrong, or had no control block', async () => {
    expect((await offer(whole, ['C'])).copied).toContain('Please send the whole answer again')
    expect((await offer(noControl, [' c '])).copied).toContain('with that block at the end')
    expect((await offer(cutOff, ['c'])).copied).toContain('Please send the whole answer again.')
  })

  it('copies a request for the rest of an answer that was cut off, with its sound files', async () => {
    expect((await offer(cutOff, ['s'])).copied).toMatchInlineSnapshot(`
      "# relay-followup

      Your last answer for the project "demo" was cut off before its final YAML block.

      These files are fine:
      - src/a.ts
      Please send all the others.

      Each file as its own fenced code block with \`// path/of/the/file\` on the opening line, the full content between a
      \`// START\` and a \`// END\` line (for a file to delete, the block holds only \`//TODO: delete this file\`), and at the
      very end the YAML block with projectId "demo", promptSummary (a short title in the imperative),
      a new random uuid and the changeSummary.

      "
    `)
  })

  it.each([half, whole, noControl, cutOff])('never copies what it would take for a patch itself', async outcome => {
    const { copied } = await offer(outcome, ['c'])
    expect(parseResponse(copied ?? '', 'demo')).toEqual({ kind: 'ignored', why: { kind: 'own-text' } })
  })

  it('says what each key does before it asks, and again on Enter', async () => {
    const { way, world } = await offer(half, ['', 's'])
    expect(way).toEqual({ soundOnly: true })
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "  c       copy a prompt that asks for a corrected answer
        s       apply only the one intact file, ask before keeping, and copy that
                prompt
        n       do nothing
      What now? (c/s/n/?)
        c       copy a prompt that asks for a corrected answer
        s       apply only the one intact file, ask before keeping, and copy that
                prompt
        n       do nothing
      What now? (c/s/n/?) s
      ✔ copied a prompt for the model: paste it into the chat
      "
    `)
  })

  it('says of each key what it does about an answer without its end', async () => {
    const said = async (outcome: Outcome) => (await offer(outcome, ['n'])).world.terminal.stderr
    expect(await said(noControl)).toMatchInlineSnapshot(`
      "  a       apply it as it is, and ask before keeping it
        c       copy a prompt that asks for the whole answer, with its YAML block
        n       do nothing
      What now? (a/c/n/?) n
      "
    `)
    expect(await said(cutOff)).toMatchInlineSnapshot(`
      "  c       copy a prompt that asks for the whole answer
        s       apply only the one intact file, ask before keeping, and copy a
                prompt that asks for the rest
        n       do nothing
      What now? (c/s/n/?) n
      "
    `)
  })

  it('is over when the request is copied', async () => {
    const { way, world } = await offer(half, ['c', 's'])
    expect(way).toBeUndefined()
    expect(world.terminal.questions).toHaveLength(1)
  })

  it('goes away when something else is copied, and without a terminal it is not there', async () => {
    expect((await offer(half, ['s'], AbortSignal.abort())).way).toBeUndefined()
    const world = fakeSystem()
    expect(await offerWayOut(half, {}, fakeProject(), world.system, new AbortController().signal)).toBeUndefined()
    expect(world.terminal.questions).toEqual([])
  })

  it.each([
    ['before', true],
    ['while', false],
  ])(
    'says of an overlap that it is skipped where another answer is copied %s it is asked about',
    async (_, isEarly) => {
      const copied = new AbortController()
      const copy = () => {
        copied.abort()
        return 'm'
      }
      if (isEarly) copied.abort()
      const { way, world } = await offer(overlap, [copy], copied.signal)
      expect(way).toBeUndefined()
      expect(world.terminal.stderr.split('\n').at(-2)).toBe('○ skipped  src/a.ts: you copied another answer')
      expect(world.terminal.stderr.includes('apply nothing of this answer (so does copying another one)')).toBe(
        !isEarly,
      )
    },
  )

  it('keeps what was decided about one file while it asks about another again', async () => {
    const { overlaps } = overlap
    const decided = new Map([['src/b.ts', { choice: 'mine', shown: overlaps[0] }]] as const)
    const { system } = fakeSystem({ answers: ['a'] })
    expect(await offerWayOut(overlap, { again: true, choices: decided }, fakeProject(), system)).toEqual({
      again: true,
      choices: new Map([...decided, ['src/a.ts', { choice: 'model', shown: overlaps[0] }]]),
    })
  })

  it('says so when nothing can be copied, and still offers the rest', async () => {
    const world = fakeSystem({ answers: ['c', 's'] })
    const clipboard = { ...world.system.clipboard, write: () => Promise.reject(new Error('no display')) }
    const way = await offerWayOut(half, {}, fakeProject(), { ...world.system, clipboard }, new AbortController().signal)
    expect(way).toEqual({ soundOnly: true })
    expect(world.terminal.stderr).toContain('not copied: no display')
    expect(world.terminal.stderr).toContain('Please send only these files again, corrected:\n- src/b.ts\n')
  })

  it('shows what it sent to the clipboard of the terminal, which may have taken it or not', async () => {
    const world = fakeSystem({ answers: ['c', 'n'], terminal: { takesCopies: true } })
    world.clipboard.failure = new Error('no display')
    await offerWayOut(half, {}, fakeProject(), world.system, new AbortController().signal)
    const [request] = world.terminal.sent
    expect(world.terminal.stderr).toContain(
      `✔ sent a prompt for the model: paste it into the chat\n    To your terminal's clipboard. Nothing there? It is this:\n${request}`,
    )
  })
})
