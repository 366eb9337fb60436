import { describe, expect, it } from 'vitest'
import { askKey } from '../../../src/commands/talk/ask-key.ts'
import { main } from '../../../src/main.ts'
import { around } from '../../support/around.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond, uuid } from '../../support/respond.ts'

const keys = [
  ['y', 'go on'],
  ['n', 'stop'],
  ['?', 'help'],
  ['Ctrl+C', 'end'],
] as const

async function ask(answers: readonly (string | undefined)[], singleKey = false) {
  const world = fakeSystem({ answers })
  const key = await askKey('Go on? (y/n/?)', keys, { singleKey }, world.system.terminal)
  return { key, ...world.terminal }
}

describe('askKey', () => {
  it.each([
    [' Y ', 'y'],
    ['yes', 'y'],
    ['No', 'n'],
    [undefined, undefined],
  ])('takes %j for %j', async (typed, key) => {
    expect((await ask([typed])).key).toBe(key)
  })

  it('shows the keys on ? and Enter, and has no default', async () => {
    const { key, questions, stderr } = await ask(['', '?', 'n'])
    expect(key).toBe('n')
    expect(questions).toHaveLength(3)
    expect(stderr.match(/ {2}y {7}go on/g)).toHaveLength(2)
  })

  it('says in one line what is no answer', async () => {
    const { key, stderr } = await ask(['qf', '\x1b[2J', 'Ctrl+C', 'n'])
    expect(key).toBe('n')
    expect(stderr).toBe(
      [
        'Go on? (y/n/?) qf',
        '  "qf" is not one of y/n/?.',
        'Go on? (y/n/?) \x1b[2J',
        '  "\\x1b[2J" is not one of y/n/?.',
        'Go on? (y/n/?) Ctrl+C',
        '  "Ctrl+C" is not one of y/n/?.',
        'Go on? (y/n/?) n',
        '',
      ].join('\n'),
    )
  })

  it('asks for a single key where that is wished', async () => {
    expect((await ask(['y'])).singleKeys).toEqual([false])
    expect((await ask(['y'], true)).singleKeys).toEqual([true])
  })
})

describe('singleKey', () => {
  const config = (singleKey: boolean) =>
    JSON.stringify({ projectId: 'demo', approval: 'no', singleKey, linter: 'lint' })

  it.each([true, false])('holds for every question but a list: %s', async singleKey => {
    const world = fakeSystem({
      files: {
        'relaycode.config.json': config(singleKey),
        'package.json': '{ "a": 0 }\n',
        'answer.md': respond({ 'package.json': '{ "a": 1 }\n', 'a.ts': 'a\n' }),
      },
      commands: { lint: {} },
      // The commands, the sensitive file, the list of files and the way back from it, and the answer.
      answers: ['y', 'y', 'f', 'n', 'y'],
    })
    expect(await main(['apply', 'answer.md'], around(world.system))).toBe(0)
    expect(world.terminal.singleKeys).toEqual([singleKey, singleKey, singleKey, false, singleKey])

    // What is done, and the sensitive file.
    world.terminal.answers.push('y', 'y')
    await main(['undo'], around(world.system))
    expect(world.terminal.singleKeys.at(-1)).toBe(singleKey)
    world.terminal.answers.push('y', 'y')
    await main(['redo'], around(world.system))
    world.disk.write('a.ts', 'mine\n')
    world.terminal.answers.push('n')
    await main(['revert', '1'], around(world.system))
    expect(world.terminal.questions.slice(-2)).toEqual([
      expect.stringContaining('Let this answer change this file?'),
      'What now? (s/o/n/?)',
    ])
    world.terminal.answers.push('q', 'y')
    world.disk.write('second.md', respond({ 'b.ts': 'b\n' }, { uuid: uuid.replace('0b', '1c') }))
    await main(['apply', 'second.md'], around(world.system))
    await main(['recover'], around(world.system))
    expect(world.terminal.questions.slice(-2)).toEqual(Array(2).fill(expect.stringContaining('Keep this change?')))
    expect(world.terminal.singleKeys.slice(-4)).toEqual(Array(4).fill(singleKey))
    world.terminal.answers.push('n')
    await main(['prune', '--keep', '1'], around(world.system))
    expect(world.terminal.singleKeys.at(-1)).toBe(singleKey)
  })

  it.each([
    [true, ['d', 'q', 'q'], 1],
    [true, ['d', 'q', 'n'], 1],
    [true, ['d', 'w', 'q'], 0],
    [false, ['d', 'q'], 0],
  ])('takes a q right after d for the pager, once, where no Enter follows: %s %j', async (singleKey, answers, said) => {
    const world = fakeSystem({
      files: {
        'relaycode.config.json': JSON.stringify({ projectId: 'demo', approval: 'no', singleKey }),
        'answer.md': respond({ 'a.ts': 'a\n' }),
      },
      answers: [...answers],
    })
    expect(await main(['apply', 'answer.md'], around(world.system))).toBe(answers.at(-1) === 'q' ? 7 : 3)
    expect(world.terminal.questions).toHaveLength(answers.length)
    const hints =
      world.terminal.stderr.split('No pager is open. Press q again to leave the question open and quit.').length - 1
    expect(hints).toBe(said)
  })
})

describe('q at a question that was left open before', () => {
  it('needs no error after Ctrl+C: the line above says it all', async () => {
    const world = fakeSystem({
      files: {
        'relaycode.config.json': JSON.stringify({ projectId: 'demo', approval: 'no' }),
        'answer.md': respond({ 'a.ts': 'a\n' }),
      },
      answers: ['q'],
    })
    expect(await main(['apply', 'answer.md'], around(world.system))).toBe(7)
    const next = fakeSystem({ disk: world.disk, answers: [] })
    next.terminal.answers.push(() => {
      next.interrupt()
      return undefined
    })
    expect(await main(['recover'], around(next.system))).toBe(7)
    expect(next.terminal.stderr).toContain('▲ left #1 open')
    expect(next.terminal.stderr).not.toContain('Error:')
  })

  it.each([[['recover']], [['apply', 'answer.md']], [['undo']]])(
    'says so once, and that nothing else was done: %j',
    async argv => {
      const world = fakeSystem({
        files: {
          'relaycode.config.json': JSON.stringify({ projectId: 'demo', approval: 'no' }),
          'answer.md': respond({ 'a.ts': 'a\n' }),
        },
        answers: ['q', 'q'],
      })
      expect(await main(['apply', 'answer.md'], around(world.system))).toBe(7)
      const before = world.terminal.stderr.length
      expect(await main(argv, around(world.system))).toBe(7)
      const said = world.terminal.stderr.slice(before)
      expect(said.slice(said.indexOf('▲ left'))).toMatchInlineSnapshot(`
        "▲ left #1 open  its files are changed, but not kept                       0 ms
            To keep it or roll it back: \`relay recover\`
        Error: relay does nothing else while #1 waits for your answer
        "
      `)
    },
  )
})
