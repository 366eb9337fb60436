import { describe, expect, it } from 'vitest'
import { wholeProgram } from '../../src/cli/program.ts'
import { summaries } from '../../src/commands/help/first-page.ts'
import { journalWorld } from '../support/journal-world.ts'

/** A project with four transactions: two patches that were kept, one that was declined, and an undo. */
async function world() {
  const plans = { 'RAF/aaaaab-one/input.md': '', 'RAF/aaaaac-two/input.md': '', 'RAF/notes/a': '' }
  const world = journalWorld({ a: '0\n', ...plans })
  await world.patch({ a: '1\n' }, { prose: 'Split the client \u202eevil.' })
  await world.patch({ a: '2\n' }, { config: { approval: 'no' }, answer: 'no' })
  await world.patch({ a: '3\n' }, { prose: 'Add a test.' })
  await world.run(['undo', '--yes'])
  return world
}

const session = (id: string, status: string) => {
  const facts = { gitDirectory: '/', agent: 'claude', branch: 'b', start: 's', createdAt: id, options: {} }
  return JSON.stringify({ ...facts, id: `${id}-c3c4-4ef5-87f9-559802cc3f3f`, status, instructions: `Work ${id}\nmore` })
}

/** With a session that is over, and one that has failed. */
async function worldOfSessions() {
  const made = await world()
  for (const [id, status] of [
    ['11111111', 'completed'],
    ['22222222', 'error'],
  ] as const) {
    made.disk.write(`${stateFolder}/sessions/session-${id}/session.json`, session(id, status))
  }
  return made
}

const stateFolder = '/home/me/.local/state/relaycode'

describe('relay complete', () => {
  it.each([
    [
      'commands',
      ['re'],
      'redo\tredo the change that was undone last\nrevert\tundo one change, and keep the later ones\nrecover\t',
    ],
    ['commands to get help for', ['help', 'exi'], 'exit-codes\twhat each exit code means\n'],
    [
      'options, and those that all commands take',
      ['undo', '--'],
      '--yes\task only where edits overlap\n--allow-sensitive\tallow changes to files that can run commands\n--on-overlap\twhere edits overlap: markers, skip or old\n' +
        '--trust\tagree to the commands in relaycode.config.json\n' +
        '--no-input\tnever ask; a question counts as declined\n--trace\t',
    ],
    ['what an option takes', ['undo', '--on-overlap', ''], 'markers\nskip\nold\n'],
    ['what was kept, with titles', ['show', ''], '4\tUndo #3 Add a test\n3\tAdd a test\n1\tSplit the client evil\n'],
    ['what begins like this', ['diff', '3'], '3\tAdd a test\n'],
    ['what can be taken back', ['revert', ''], '4\tUndo #3 Add a test\n1\t'],
    ['what undo takes as well', ['undo', '4'], '4\tUndo #3 Add a test\n'],
    ['a command of two words', ['con'], 'config\tshow the configuration, or set a key\n'],
    ['keys', ['config', 'singl'], 'singleKey\ttrue or false\n'],
    ['keys of the user', ['config', '--user', 'ed'], 'editor\ta shell command on one line\n'],
    ['files, which the shell knows', ['apply', 'one.md', ''], ':files\n'],
    ['paths of a pack', ['pack', 'src', ''], ':files\n'],
    ['files behind an option', ['log', '--file', ''], ':files\n'],
    ['shells', ['completion', 'z'], 'zsh\n'],
    ['plans', ['do', ''], 'aaaaac-two\naaaaab-one\n'],
    ['files behind an option for a file', ['loop', '--prd', ''], ':files\n'],
    ['what can be done with a prd.json', ['prd', 'c'], 'check\nconvert\n'],
    ['the PRD to convert', ['prd', 'convert', ''], ':files\n'],
    ['agents', ['ask', '--to', 'co'], 'codex\ncopilot\n'],
    ['plans to amend', ['plan', '--amend', 'aaaaab'], 'aaaaab-one\n'],
  ])('names %s', async (_, typed, expected) => {
    const { code, stdout, stderr } = await (await world()).run(['complete', '--', ...typed])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.slice(0, expected.length)).toBe(expected)
    if (expected.endsWith('\n')) expect(stdout).toBe(expected)
  })

  it.each([
    ['what looks after them', [''], 'list\thow all of them stand\nstatus\t'],
    ['all of them', ['status', ''], '11111111\tWork 11111111\n22222222\tWork 22222222\n'],
    ['those of an id', ['clean', '2'], '22222222\tWork 22222222\n'],
    ['those that failed', ['retry', ''], '22222222\tWork 22222222\n'],
    ['nothing behind one', ['status', '11111111', ''], ''],
    ['nothing for instructions', ['Add', ''], ''],
  ])('names of delegations %s', async (_, typed, expected) => {
    const { code, stdout } = await (await worldOfSessions()).run(['complete', '--', 'delegate', ...typed])
    expect({ code, stdout: stdout.slice(0, expected.length) }).toEqual({ code: 0, stdout: expected })
    if (expected === '') expect(stdout).toBe('')
  })

  it.each([
    ['behind the last argument', ['show', '3', '']],
    ['for a text', ['ask', '']],
    ['for what no value is known', ['prune', '--keep', '']],
    ['for a command that there is not', ['nonsense', '']],
    ['for a command without arguments', ['redo', '']],
  ])('names nothing %s', async (_, typed) => {
    expect(await (await world()).run(['complete', '--', ...typed])).toMatchObject({ code: 0, stdout: '' })
  })

  it('knows every command, option and choice of the help', async () => {
    const { run } = await world()
    const complete = async (...typed: string[]) => {
      const { stdout } = await run(['complete', '--', ...typed])
      return stdout.split('\n').map(line => line.replace(/\t.*/, ''))
    }
    const program = wholeProgram('0.0.0')
    const commands = program.commands.filter(command => summaries.has(command.name()))
    expect(await complete('')).toEqual([...summaries.keys(), ''])
    for (const command of commands) {
      const name = command.name()
      const longs = command.options.flatMap(({ long }) => long ?? [])
      expect(await complete(name, '-')).toEqual([...longs, '--no-input', '--trace', ''])
      const words = [
        ...command.options.map(({ long, argChoices }) => ({ typed: [name, long ?? ''], argChoices })),
        ...command.registeredArguments.map(({ argChoices }) => ({ typed: [name], argChoices })),
      ]
      for (const { typed, argChoices } of words.filter(({ argChoices }) => argChoices !== undefined)) {
        expect(await complete(...typed, '')).toEqual([...(argChoices ?? []), ''])
      }
    }
  })

  it('changes nothing', async () => {
    const { disk, run } = await world()
    const before = disk.tree()
    await run(['complete', '--', 'show', ''])
    expect(disk.tree()).toEqual(before)
  })
})
