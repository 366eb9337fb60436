import type { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { chooseCommand } from '../../src/cli/choose-command.ts'
import { addCommands, createProgram, wholeProgram } from '../../src/cli/program.ts'

const quiet = { version: '1.2.3', out() {}, err() {} }

/** The ways to type an option, each with a value that it takes. */
function waysToType(option: Option): readonly (readonly string[])[] {
  const value = option.required ? [option.argChoices?.[0] ?? '1'] : []
  return [option.short, option.long].flatMap(name => (name === undefined || name === null ? [] : [[name, ...value]]))
}

/** The words that a command needs besides its options. */
function neededBy({ registeredArguments }: Command): readonly string[] {
  return registeredArguments.filter(({ required }) => required).map(({ argChoices }) => argChoices?.[0] ?? '1')
}

const program = wholeProgram('1.2.3')
const shared = program.options.filter(({ long }) => long === '--no-input' || long === '--trace')
const commands = program.commands.filter(command => !/^(complete|exit-codes)$/.test(command.name()))

/** The options that a command line sets, by their names in the code. */
function optionsSetBy(name: string, words: readonly string[]): readonly string[] {
  const parser = createProgram(quiet, true)
  addCommands(parser, [name], () => {}, true)
  parser.parse([name, ...words], { from: 'user' })
  const command = parser.commands.find(each => each.name() === name)
  const isTyped = (key: string) => command?.getOptionValueSourceWithGlobals(key) === 'cli'
  return Object.keys(command?.optsWithGlobals() ?? {}).filter(isTyped)
}

describe.each(commands.map(command => [command.name(), command] as const))('relay %s', (name, command) => {
  it('takes any two of its options in any order, each for what it is', () => {
    const typed = [...command.options, ...shared].flatMap(option =>
      waysToType(option).map(words => ({ option, words })),
    )
    const wrong = typed.flatMap(first =>
      typed
        .filter(second => second.option !== first.option)
        .filter(second => {
          const words = [...neededBy(command), ...first.words, ...second.words]
          if (typeof chooseCommand([name, ...words], quiet) !== 'function') return true
          const wanted = [first, second].map(({ option }) => option.attributeName())
          return optionsSetBy(name, words).toSorted().join() !== wanted.toSorted().join()
        })
        .map(second => [...first.words, ...second.words].join(' ')),
    )
    expect(wrong).toEqual([])
  })
})

it.each(['-v', '-V', '--version', '--no-input -V', 'do -V', 'do -v --version'])('prints the version: %s', line => {
  const said: string[] = []
  expect(chooseCommand(line.split(' '), { ...quiet, out: text => said.push(text) })).toBe(0)
  expect(said).toEqual(['1.2.3\n'])
})

it.each(['watch -v', '--no-input -v'])('takes -v for the version as the first word alone: %s', line => {
  const said: string[] = []
  expect(chooseCommand(line.split(' '), { ...quiet, err: text => said.push(text) })).toBe(2)
  expect(said.join('')).toContain("unknown option '-v'")
})
