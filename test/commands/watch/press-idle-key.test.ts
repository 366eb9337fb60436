import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.ts'
import { loadTokenizer } from '../../../src/pack/count-tokens.ts'
import { around } from '../../support/around.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { type FakeSystemOptions, fakeSystem } from '../../support/fake-system.ts'
import { uuidOf } from '../../support/journal-world.ts'
import { respond } from '../../support/respond.ts'

const patch = (text: string, number: number) => respond({ 'src/a.ts': text }, { uuid: uuidOf(number) })

/** A watcher at a terminal, and hands that copy and press; each ends when relay has nothing more to do. */
async function watching(options: FakeSystemOptions = {}, config: object = {}) {
  const files = { 'relaycode.config.json': JSON.stringify({ projectId: 'demo', ...config }), 'src/a.ts': 'one\n' }
  const world = fakeSystem({ answers: [], ...options, files })
  const end = main(['watch', '--trust'], around(world.system))
  await world.clock.someoneSleeps()
  const settled = async () => {
    for (let current = 0, last = ''; current < 20; current++) {
      for (let i = 0; i < 200; i++) await new Promise(resolve => setImmediate(resolve))
      if (current > 0 && last === world.terminal.stderr) return
      last = world.terminal.stderr
    }
  }
  await settled()
  return {
    world,
    end,
    settled,
    async copy(text: string) {
      world.clipboard.text = text
      await (world.clock as FakeClock).advance(2000)
      await settled()
    },
    /** Gives what the key made relay say. */
    async press(key: string) {
      const before = world.terminal.stderr.length
      world.terminal.press(key)
      await settled()
      return world.terminal.stderr.slice(before)
    },
  }
}

const withoutEnd = `\`\`\`ts // src/a.ts\n// START\n\ntwo\n\n// END\n\`\`\`\n`

describe('an answer that is only named', () => {
  it.each([
    ['words are pasted', 'paste', 'some words'],
    ['a part of an answer is copied', 'copy', 'I change it.\n\n```ts // src/b.ts\n// START\n\nhalf of'],
  ] as const)('leaves the question about an overlap open when %s', async (_, how, text) => {
    const { world, copy, settled } = await watching()
    await copy(patch('two\n', 1))
    world.disk.write('src/a.ts', 'mine\n')
    world.terminal.answers.push(async () => {
      if (how === 'paste') world.terminal.paste(text)
      else await copy(text)
      await settled()
      return 'a'
    })
    await copy(patch('three\n', 2))
    await world.terminal.until(/kept #2/)
    expect(world.terminal.questions).toEqual(['What now? (m/a/s/n/?)'])
    expect(world.terminal.stderr).not.toContain('another answer')
    expect(world.disk.text()['src/a.ts']).toBe('three\n')
    world.interrupt()
  })

  const cutOff = 'I change it.\n\n```ts // src/b.ts\n// START\n\nhalf of'

  it.each(['copied', 'pasted'])('ends the offer about an earlier one when it is %s', async how => {
    const { world, copy, press } = await watching()
    await copy(withoutEnd)
    expect(world.terminal.stderr).toMatch(/ {2}a {7}apply it as it is/)
    if (how === 'copied') await copy(cutOff)
    else world.terminal.paste('some words')
    await press('a')
    expect(world.terminal.stderr).toContain(how === 'copied' ? 'the answer' : 'no YAML block')
    expect(world.disk.text()['src/a.ts']).toBe('one\n')
    expect(world.terminal.questions).toEqual([])
    world.interrupt()
  })

  it('is told as something else while a patch is asked about', async () => {
    const { world, copy } = await watching(
      {
        answers: [
          async () => {
            await copy(cutOff)
            return 'y'
          },
        ],
      },
      { approval: 'no' },
    )
    await copy(patch('two\n', 1))
    expect(world.terminal.stderr).toContain('meanwhile: not applied\n    the answer')
    world.interrupt()
  })
})

describe('an answer that was not applied', () => {
  const half = patch('two\n', 1).replace(
    '```yaml',
    '```ts // src/b.ts\nno marker\n```\n\n```ts // ../c.ts\n// START\n\nc\n\n// END\n```\n\n```yaml',
  )

  it('adds its keys to those of a watcher that waits, and asks nothing', async () => {
    const { world, copy, press } = await watching()
    await copy(half)
    expect(world.terminal.questions).toEqual([])
    expect(world.terminal.stderr).toMatch(
      /refused\n[\s\S]* {2}c {7}copy a prompt [\s\S]* {2}s {7}apply only .*\n {10}prompt\n○ watching\n$/,
    )
    expect(await press('l')).toBe('Nothing was kept here yet.\n○ watching\n')
    expect(await press('u')).toBe('○ nothing to undo\n○ watching\n')
    expect((await press('?')).match(/^ {2}[a-z?]/gm)?.map(line => line.trim())).toEqual([
      'c',
      's',
      'u',
      'r',
      'd',
      'l',
      'k',
      'p',
      'q',
      '?',
    ])
    world.terminal.answers.push('y')
    expect(await press('s')).toMatch(/copied a prompt [\s\S]*kept #1/)
    expect(world.disk.text()['src/a.ts']).toBe('two\n')
    expect(await press('s')).toMatch(/u undo/)
    world.interrupt()
  })

  it('gives c back once its prompt is copied', async () => {
    const { world, copy, press, end } = await watching()
    await copy(half)
    expect(await press('C')).toMatch(/^✔ copied a prompt for the model/)
    expect(world.clipboard.text).toContain('could not be applied')
    expect(await press('c')).toContain('Nothing to follow up')
    await copy(patch('three\n', 2))
    expect(world.terminal.stderr).toContain('kept #1')
    await press('q')
    expect(await end).toBe(0)
  })

  it('keeps its keys while nothing can be copied', async () => {
    const { world, copy, press } = await watching()
    await copy(half)
    world.clipboard.failure = new Error('no display')
    expect(await press('c')).toContain('not copied: no display')
    world.clipboard.failure = undefined
    expect(await press('c')).toMatch(/^✔ copied a prompt for the model/)
    world.interrupt()
  })

  it('is replaced by the next one', async () => {
    const { world, copy, press } = await watching()
    await copy(withoutEnd)
    await copy(patch('three\n', 2))
    expect(await press('a')).toMatch(/u undo/)
    expect(world.disk.text()['src/a.ts']).toBe('three\n')
    world.interrupt()
  })
})

it('lays lines out for the window as wide as it is by then', async () => {
  const { world, copy, press, end } = await watching({ terminal: { columns: 60 } })
  world.terminal.columns = 100
  await copy('```ts // ../src/a.ts\n// START\n\none\n\n// END\n```\n\n```yaml\nprojectId: demo\nuuid: 0b8f4f62\n```\n')
  expect(world.terminal.stderr).toContain(
    '../src/a.ts: The path leaves the project. Ask for a path relative to the project, like\n',
  )
  world.terminal.columns = 40
  expect(await press('?')).toContain('  u       undo the newest change,\n          after a question\n')
  world.interrupt()
  expect(await end).toBe(0)
})

describe('a key while relay watch waits', () => {
  it('u takes the newest back as relay undo does, after its question', async () => {
    const { world, copy, press, end } = await watching()
    await copy(patch('two\n', 1))
    expect(world.terminal.stderr).toMatch(/kept #1 .* u undo {3}d diff/)
    world.terminal.answers.push('n')
    expect(await press('u')).toContain('nothing undone')
    expect(world.disk.text()['src/a.ts']).toBe('two\n')
    world.terminal.answers.push('y')
    const said = await press('U')
    expect(said).toContain('? Undo #1'.slice(2))
    expect(said).toMatch(/Undid #1 .*\n○ watching\n$/)
    expect(world.disk.text()['src/a.ts']).toBe('one\n')
    expect(await press('u')).toBe('○ nothing to undo\n○ watching\n')
    world.interrupt()
    expect(await end).toBe(0)
  })

  it('Ctrl+C while a patch is planned ends watching without a word about it', async () => {
    const { world, copy, end } = await watching()
    world.disk.onCall = (_name, path) => {
      if (path.endsWith('src/a.ts')) world.interrupt()
    }
    await copy(patch('two\n', 1))
    expect(await end).toBe(0)
    expect(world.terminal.stderr).not.toMatch(/Error|#1/)
    expect(world.disk.text()['src/a.ts']).toBe('one\n')
  })

  it('u undoes nothing while the configuration cannot be read', async () => {
    const { world, copy, press, end } = await watching()
    await copy(patch('two\n', 1))
    world.disk.write('relaycode.config.json', '{')
    expect(await press('u')).toMatch(
      /^Error: Nothing was undone: Cannot use [\s\S]*Then press u again\.\n○ watching\n$/,
    )
    expect(world.disk.text()['src/a.ts']).toBe('two\n')
    world.interrupt()
    expect(await end).toBe(0)
  })

  it('d shows what the newest changed, in the pager', async () => {
    const { world, copy, press } = await watching()
    expect(await press('d')).toBe('Nothing was kept here yet.\n○ watching\n')
    await copy(patch('two\n', 1))
    expect(await press('d')).toBe('#1 I changed what you asked for\n○ watching\n')
    expect(world.terminal.paged.at(-1)).toContain('two')
    world.interrupt()
  })

  it('k copies the files of the last answer as they are now, whether it was kept or not', async () => {
    // What loads when it is used is there: loading it takes as long as the machine wants.
    await Promise.all([import('../../../src/commands/pack/pack-last-answer.ts'), loadTokenizer()])
    const { world, copy, press, end } = await watching()
    expect(await press('k')).toBe('No answer was applied here yet.\n○ watching\n')
    await copy(patch('two\n', 1))
    world.disk.write('src/a.ts', 'two and mine\n')
    expect(await press('k')).toMatch(/^✔ copied 1 file .*\n○ watching\n$/)
    expect(world.clipboard.written.at(-1)).toContain('### src/a.ts\n\n```ts\ntwo and mine\n```\n')
    // The watcher sees what relay itself has copied, and takes it for nothing.
    expect(await copy(world.clipboard.written.at(-1) ?? '')).toBeUndefined()
    expect(world.terminal.stderr).toMatch(/copied 1 file .*\n○ watching\n$/)
    world.disk.write('relaycode.config.json', '{"projectId":"demo","approval":"no"}')
    world.terminal.answers.push('n')
    await copy(respond({ 'src/b.ts': 'b\n', 'src/a.ts': 'three\n' }, { uuid: uuidOf(2) }))
    expect(await press('k')).toMatch(/✔ copied 1 file /)
    world.interrupt()
    expect(await end).toBe(0)
  })

  it('l lists the last ten on stderr, where people read', async () => {
    const { world, copy, press } = await watching()
    expect(await press('l')).toBe('Nothing was kept here yet.\n○ watching\n')
    for (let number = 1; number <= 11; number++) await copy(patch(`${number}\n`, number))
    const listed = (await press('l')).split('\n').filter(line => /kept auto/.test(line))
    expect(listed).toHaveLength(10)
    expect(listed[0]).toMatch(/^ +11 /)
    expect(world.terminal.stdout).toBe('')
    world.interrupt()
  })

  it('c copies the prompt for what was rolled back', async () => {
    const { world, copy, press } = await watching({ answers: ['n'] }, { approval: 'no' })
    await copy(patch('two\n', 1))
    expect(world.terminal.stderr).toMatch(/declined #1 .* c follow-up/)
    expect(await press('c')).toContain('copied')
    expect(world.clipboard.text).toContain('# relay-followup')
    world.interrupt()
  })

  it('c knows a response that was rolled back and then kept', async () => {
    const { world, copy, press } = await watching({ answers: ['n'] }, { approval: 'no' })
    await copy(patch('two\n', 1))
    world.terminal.answers.push('y')
    expect(await main(['apply', '--last', '--trust'], around({ ...world.system }))).toBe(0)
    expect(await press('c')).toBe(
      'Nothing to follow up. The answer that was rolled back last has been kept\nsince, as #2.\n○ watching\n',
    )
    world.interrupt()
  })

  it.each([
    [80, 'Nothing to follow up. No answer was rolled back here.\n'],
    [40, 'Nothing to follow up. No answer was\nrolled back here.\n'],
  ])('c says that there is nothing to follow up, on %i columns', async (columns, said) => {
    const { world, press } = await watching({ terminal: { columns } })
    expect(await press('c')).toBe(`${said}○ watching\n`)
    expect(world.clipboard.written).toEqual([])
    world.interrupt()
  })

  it('none is a paste that the terminal does not mark: that is said once in a while', async () => {
    const { world, press } = await watching()
    const said =
      '  relay dropped a paste: in this terminal it looks like typing. Save the\n  answer, and run `relay apply <file>`.\n'
    const before = world.terminal.stderr
    for (let piece = 0; piece < 20; piece++) world.terminal.pasteUnmarked()
    expect(world.terminal.stderr).toBe(before + said)
    await (world.clock as FakeClock).advance(30_000)
    world.terminal.pasteUnmarked()
    expect(world.terminal.stderr).toBe(before + said + said)
    expect(await press('p')).toContain('paused')
    world.interrupt()
  })

  it('p takes nothing that is copied until p', async () => {
    const { world, copy, press } = await watching()
    expect(await press('p')).toBe('▲ paused: relay ignores each answer that you copy. Press p to continue.\n')
    await copy(patch('two\n', 1))
    expect(world.terminal.stderr).toMatch(/ {2}ignored while paused: I changed what you asked for\n$/)
    expect(world.disk.text()['src/a.ts']).toBe('one\n')
    world.terminal.paste(patch('pasted\n', 2))
    await press('?')
    expect(world.disk.text()['src/a.ts']).toBe('pasted\n')
    expect(await press('p')).toBe('○ watching again\n')
    await copy(patch('three\n', 3))
    expect(world.disk.text()['src/a.ts']).toBe('three\n')
    world.interrupt()
  })

  it('r takes the last undo back, and each names the key of the other', async () => {
    const { world, copy, press } = await watching({ answers: ['y', 'y'] })
    await copy(patch('two\n', 1))
    expect(await press('u')).toMatch(/Undid #1 .*to reverse: r\n/)
    expect(world.disk.text()['src/a.ts']).toBe('one\n')
    expect(await press('r')).toMatch(/Redid #1 .*to reverse: u\n/)
    expect(world.disk.text()['src/a.ts']).toBe('two\n')
    expect(await press('r')).toContain('nothing to redo')
    world.interrupt()
  })

  it('q ends with 0, and nothing of what waits is taken', async () => {
    const { world, end, press } = await watching()
    await press('q')
    expect(await end).toBe(0)
    expect(world.terminal.stderr).not.toContain('not taken')
  })

  it('q right after d may be meant for the pager, and has to be pressed once more', async () => {
    const { copy, end, press } = await watching()
    await copy(patch('two\n', 1))
    await press('d')
    expect(await press('q')).toBe('  No pager is open. Press q again to quit.\n○ watching\n')
    await press('q')
    expect(await end).toBe(0)
  })

  it('? explains all of them, and any other key names them', async () => {
    const { world, press } = await watching()
    expect(await press('?')).toMatch(/ {2}u {7}undo the newest change, after a question\n[\s\S]* {2}q {7}quit/)
    expect(await press('x')).toBe('  u undo  d diff  l log  k files  p pause  q quit  ? help\n○ watching\n')
    world.interrupt()
  })

  it('means nothing while a patch is handled or asked about', async () => {
    const asked = { pressed: 0 }
    const { world, copy, end } = await watching(
      {
        answers: [
          () => {
            for (const key of ['q', 'u', 'p', '?']) world.terminal.press(key)
            asked.pressed += 1
            return 'y'
          },
        ],
      },
      { approval: 'no' },
    )
    await copy(patch('two\n', 1))
    expect(asked.pressed).toBe(1)
    expect(world.terminal.stderr).toMatch(/kept #1 .*\n○ watching\n$/)
    expect(world.terminal.questions).toHaveLength(1)
    world.interrupt()
    expect(await end).toBe(0)
  })

  it('is not offered while another patch waits', async () => {
    const { world } = await watching()
    world.terminal.paste(patch('two\n', 1))
    world.terminal.paste(patch('three\n', 2))
    await world.clock.advance(0)
    for (let i = 0; i < 2000; i++) await new Promise(resolve => setImmediate(resolve))
    expect(world.terminal.stderr.match(/kept #\d|○ watching/g)).toEqual([
      '○ watching',
      'kept #1',
      'kept #2',
      '○ watching',
    ])
    world.interrupt()
  })

  it('leaves all as it is on Ctrl+C at the question of u', async () => {
    const { world, copy, press, end } = await watching()
    await copy(patch('two\n', 1))
    world.terminal.answers.push(() => {
      world.interrupt()
      return undefined
    })
    expect(await press('u')).toMatch(/nothing undone: no file was written\n$/)
    expect(await end).toBe(0)
    expect(world.disk.text()['src/a.ts']).toBe('two\n')
  })

  it('ends the watch on a defect, with nothing left behind', async () => {
    const { world, copy, press, end } = await watching()
    await copy(patch('two\n', 1))
    world.terminal.page = () => Promise.reject(new TypeError('a defect'))
    await press('d')
    expect(await end).toBe(1)
    expect(world.terminal.stderr).toContain('Error: Unexpected: a defect')
    expect(world.clock.sleeping).toBe(0)
    expect(Object.keys(world.disk.text()).filter(path => path.includes('watch'))).toEqual([])
  })

  it('is named where somebody can press it alone', async () => {
    const { world } = await watching({ terminal: { canAsk: false } })
    expect(world.terminal.stderr).not.toMatch(/keys|u undo/)
    world.interrupt()
  })
})
