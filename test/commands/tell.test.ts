import { describe, expect, it } from 'vitest'
import { waitingSentences } from '../../src/agents/work/steering.ts'
import { main } from '../../src/main.ts'
import { ownerName } from '../../src/transact/lock/owner-name.ts'
import { fakeSystem } from '../support/fake-system.ts'

const above = '/home/me/.local/state/relaycode/work'

/** Runs of these books are under way in the project, and one in another. */
async function world(books: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const made = fakeSystem({ files: { 'relaycode.config.json': '{"projectId":"demo"}' }, env })
  const self = await made.system.shell.self()
  const mark = (folder: string, about: object) => {
    made.disk.write(`${above}/${folder}/owners/${ownerName(self, folder)}`, JSON.stringify(about))
  }
  for (const [word, name] of Object.entries(books)) mark(word, { root: made.system.cwd, word, name })
  mark('elsewhere', { root: '/elsewhere', word: 'elsewhere', name: 'Elsewhere' })
  const run = async (...argv: readonly string[]) => {
    const before = made.terminal.stderr.length
    const code = await main(argv, { version: '0', out: () => {}, err: () => {}, open: async () => made.system })
    return [code, made.terminal.stderr.slice(before)]
  }
  const said = async () => {
    const found: [string, string][] = []
    for (const word of Object.keys(books)) {
      for (const { text } of await waitingSentences(`${above}/${word}`, made.system)) found.push([word, text])
    }
    return found
  }
  return { ...made, run, said }
}

const plans = { 'abcdef-login': 'Login', '1a2b3c4d': 'Add a dark mode' }

describe('relay tell', () => {
  it('leaves a sentence on one line for the only run, and shows nothing that could steer a terminal', async () => {
    const { run, said } = await world({ 'abcdef-login': 'Login' })
    expect(await run('tell', ' No \u001b[31mnew\n dependencies ')).toEqual([
      0,
      '✔ The next turn of abcdef-login is told: No [31mnew dependencies\n',
    ])
    expect(await said()).toEqual([['abcdef-login', 'No [31mnew dependencies']])
  })

  it.each([
    ['abcdef-login', 'abcdef-login'],
    ['LOGIN', 'abcdef-login'],
    ['log', 'abcdef-login'],
    ['1a2b3c4d-40d5-491e-99b0-da01ff1f3341', '1a2b3c4d'],
    ['dark', '1a2b3c4d'],
  ])('finds the run by %s', async (typed, word) => {
    const { run, said } = await world(plans)
    expect((await run('tell', 'Use tabs', typed))[0]).toBe(0)
    expect(await said()).toEqual([[word, 'Use tabs']])
  })

  it.each([
    [['tell', 'Use tabs'], 'Which run?\n         1a2b3c4d  Add a dark mode\n         abcdef-login  Login\n'],
    [['stop'], 'Which run?'],
    [['tell', 'Use tabs', 'x'], 'No run under way is called "x". There is'],
    [['tell', ' \n\t '], 'A sentence has 1 to 2000 letters'],
    [['tell', 'x'.repeat(2001)], 'A sentence has 1 to 2000 letters'],
  ])('does nothing where %j is not clear', async (argv, words) => {
    const { run, said } = await world(plans)
    const [code, stderr] = await run(...argv)
    expect([code, await said()]).toEqual([2, []])
    expect(stderr).toContain(words)
  })

  it('is completed by the runs that are under way, as `relay stop` is', async () => {
    const { run, terminal } = await world(plans)
    await run('complete', '--', 'stop', '')
    expect(terminal.stdout).toBe('1a2b3c4d\tAdd a dark mode\nabcdef-login\tLogin\n')
    await run('complete', '--', 'tell', '')
    await run('complete', '--', 'tell', 'Use tabs', 'abc')
    expect(terminal.stdout.split('\n').slice(2)).toEqual(['abcdef-login\tLogin', ''])
  })

  it('leaves no more sentences than an envelope should hold', async () => {
    const { run, said } = await world({ 'abcdef-login': 'Login' })
    for (let at = 0; at < 20; at++) await run('tell', 'Use tabs')
    expect((await run('tell', 'Use tabs'))[1]).toContain('20 sentences wait already')
    expect(await said()).toHaveLength(20)
  })

  it.each([['tell', 'Use tabs'], ['stop'], ['stop', '--now']])('says that no agent works here: %s', async (...argv) => {
    expect(await (await world({})).run(...argv)).toEqual([
      2,
      'Error: No agent works in /project\nHint: See what is there: `relay status`.\n',
    ])
  })

  it.each([['tell', 'Use tabs'], ['stop']])('is refused to an agent: %s', async (...argv) => {
    const { run, said } = await world({ 'abcdef-login': 'Login' }, { RELAY_AGENT: '1' })
    const [code, stderr] = await run(...argv)
    expect([code, await said()]).toEqual([2, []])
    expect(stderr).toContain('An agent of relay runs this')
  })
})
