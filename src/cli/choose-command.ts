import { type Command, CommanderError } from 'commander'
import { addCommands, createProgram, type Start } from './program.ts'
import type { Run } from './row.ts'

/**
 * The run that a command line chooses. The exit code, if the line only asks for help or is wrong: its words are
 * printed by then.
 */
export function chooseCommand(argv: readonly string[], start: Start): Run | number {
  const empty = argv.findIndex(word => /^(?:--[a-z-]+=)?$/.test(word))
  // The last word is often empty while a user types a command. As a path it would be the folder.
  if (empty >= 0 && argv[0] !== 'complete') {
    start.err(`Error: the argument after '${argv[empty] || (argv[empty - 1] ?? 'relay')}' is empty\n`)
    const orEmpty = argv[0] === 'config' ? ' For an empty text write \'""\'.' : ''
    start.err(`Hint: Check the shell variable that you used.${orEmpty}\n`)
    return 2
  }
  let chosen: Run | undefined
  // `-h` is the summary.
  const isLong = argv[0] === 'help' || argv.includes('--help')
  const program = createProgram(start, isLong)
  // Behind a command `-v` is its `--verbose`.
  const words = withEmptyValues(
    initAsCommand(asHere(argv)).map((word, at) => (word === '-v' && at === 0 ? '-V' : word)),
  )
  const choose = (run: Run) => {
    chosen = run
  }
  addCommands(program, words, choose, isLong)
  try {
    program.parse(withoutIdleHelp(words, program), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  return chosen ?? 2
}

/** What means the same in git is typed here as well. */
function asHere(argv: readonly string[]): readonly string[] {
  const [command, ...words] = argv
  if (command === 'version' && words.length === 0) return ['--version']
  if (command !== 'log') return argv
  return [command, ...words.flatMap(word => (/^-[1-9]\d*$/.test(word) ? ['--limit', word.slice(1)] : [word]))]
}

/** `--init` is the one command that is also an option. An action of its own for it would take mistyped commands too. */
function initAsCommand(argv: readonly string[]): readonly string[] {
  const command = argv.findIndex(word => !word.startsWith('-'))
  return argv.map((word, at) => (word === '--init' && (command < 0 || at < command) ? 'init' : word))
}

/**
 * Commander takes the next word for an optional value. After `--include-diff` that word is the prompt: a commit
 * follows on a `=`.
 */
function withEmptyValues(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return words.map((word, at) => (word === '--include-diff' && (end < 0 || at < end) ? `${word}=` : word))
}

/** Help for an unknown command is a mistyped command: it gets the nearest word, and not the whole help. */
function withoutIdleHelp(argv: readonly string[], program: Command): readonly string[] {
  const [help, name] = argv
  if (help !== 'help' || name === undefined) return argv
  // Commander accepts unknown options here.
  if (name.startsWith('-')) return program.options.some(({ long }) => long === name) ? argv : argv.slice(1)
  if (name === 'help') return ['help']
  const isKnown = program.commands.some(command => command.name() === name || command.aliases().includes(name))
  return isKnown ? argv : argv.slice(1)
}
