import { Argument, Command, CommanderError, Option } from 'commander'
import { helpPage } from './commands/first-page.ts'
import { exampleLines, examplesOf, exitCodes } from './commands/help-texts.ts'
import type { System } from './ports.ts'

/** What help, version and wrong usage need. */
export interface Start {
  readonly version: string
  out(text: string): void
  err(text: string): void
}

/** Answers the exit code. */
export type Run = (system: System) => Promise<number>

/** Adds to a command of this name what it takes, and what it runs when it is chosen. */
type SpellOut = (command: Command, choose: (run: Run) => void) => void

const trust = ['--trust', 'agree to the commands in relaycode.config.json'] as const
const noCopy = ['--no-copy', 'leave the clipboard alone'] as const

/**
 * The commands as a table, in the order of the help. Each one's code is loaded when it is chosen, so that a mistyped
 * one loads none; what it takes, its own options say.
 */
const table: Readonly<Record<string, SpellOut>> = {
  init: (command, choose) =>
    command
      .description(
        'Make this folder a project: write relaycode.config.json, look for a linter, and print the instructions for your LLM, which are copied as well. A second time it changes nothing.',
      )
      .option(...noCopy)
      .action(() =>
        choose(async system => (await import('./commands/init.ts')).init(system, { copy: isToCopy(command) })),
      ),

  prompt: (command, choose) =>
    command
      .description('Print the instructions for your LLM once more, and copy them.')
      .option(...noCopy)
      .action(() =>
        choose(async system => (await import('./commands/prompt.ts')).prompt(system, { copy: isToCopy(command) })),
      ),

  completion: (command, choose) =>
    command
      .description(
        'Print what makes your shell complete commands, options, and the numbers of transactions with their titles.',
      )
      .addArgument(new Argument('<shell>', 'yours').choices(['bash', 'zsh', 'fish']))
      .action(shell => choose(async system => (await import('./commands/completion.ts')).completion(system, shell))),

  watch: (command, choose) =>
    command
      .description(
        'Apply each patch that is copied, one after the other: snapshot, write, commands, linter; then it is kept, asked about, or taken back as a whole. While it waits, one key undoes the newest or shows its diff; ? lists them all.',
      )
      .option(...trust)
      .option('--json', 'also print what happens for programs, one JSON object a line')
      .action(options => choose(async system => (await import('./commands/watch.ts')).watch(system, options))),

  apply: (command, choose) =>
    command
      .description(
        'Apply responses as relay watch does, from files, from stdin, or from the clipboard when nothing is named.',
      )
      .argument('[file...]', 'files that hold a response; `-` is stdin, or a paste')
      .option('-y, --yes', 'keep without asking when the check would ask')
      .option('--allow-sensitive', 'let the response change files that make commands run')
      .option(...trust)
      .option('--again', 'also take a response that was applied, declined or undone before')
      .option('--last', 'take the response that was rolled back last')
      .action((from, options) =>
        choose(async system => (await import('./commands/apply.ts')).apply(system, from, options)),
      ),

  parse: (command, choose) =>
    command
      .description('Show what relay understands of a response, or why it takes none. Changes nothing.')
      .argument('[file]', 'a file that holds a response; `-` is stdin, or a paste')
      .option('--json', 'print one JSON object')
      .option('--project-id <id>', 'read it as a project of this id would')
      .action((from, options) =>
        choose(async system => (await import('./commands/parse.ts')).parse(system, from, options)),
      ),

  followup: (command, choose) =>
    command
      .description(
        'Print a prompt for the model about the response that was rolled back last, and copy it: what was tried, the new errors, the files as they are now, and how to answer.',
      )
      .option(...noCopy)
      .action(() =>
        choose(async system => (await import('./commands/followup.ts')).followup(system, { copy: isToCopy(command) })),
      ),

  log: (command, choose) =>
    command
      .description(
        'List the transactions of this project, newest first: what, how many files, new and fixed errors, and whether it still stands.',
      )
      .option('--file <path>', 'only what changed this file, or files in this folder')
      .option('--since <age>', 'only what is newer: 12h, 2d, today, 2026-11-20')
      .option('-n, --limit <number>', 'so many instead of 20')
      .option('--all', 'all of them, and what was declined or rolled back')
      .option('--json', 'print one JSON object')
      .action(options => choose(async system => (await import('./commands/log.ts')).log(system, options))),

  show: (command, choose) =>
    command
      .description(
        'Show all about a transaction that was kept: why it was made, how it was checked, what it changed, and what became of each file since.',
      )
      .argument('[number]', 'its number, or the beginning of its uuid; without it the newest')
      .option('--patch', 'print it as a patch that `git apply` takes')
      .option('--output', 'print what the commands printed')
      .option('--reasoning', 'print all that the model said')
      .option('--json', 'print one JSON object')
      .action((which, options) =>
        choose(async system => (await import('./commands/show.ts')).show(system, which, options)),
      ),

  diff: (command, choose) =>
    command
      .description(
        'Show what a transaction changed in the end, formatter included: in your pager on a terminal, and in a pipe as a patch that `git apply` takes.',
      )
      .argument('[number]', 'its number, or the beginning of its uuid; without it the newest')
      .option('--json', 'print one JSON object')
      .action((which, options) =>
        choose(async system => (await import('./commands/diff.ts')).diff(system, which, options)),
      ),

  status: (command, choose) =>
    command
      .description(
        'Show whether somebody watches the clipboard for this project, what is unfinished, what was kept last, and what happened today.',
      )
      .option('--short', 'on one line')
      .option('--json', 'print one JSON object')
      .action(options => choose(async system => (await import('./commands/status.ts')).status(system, options))),

  undo: (command, choose) =>
    wayBack(command)
      .description(
        'Take the newest transaction that stands back; once more: the one before. What was changed since is merged in. Where it overlaps relay shows both texts and asks. The undo is checked like any patch, and can itself be undone: relay redo.',
      )
      .action(options =>
        choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'undo' }, options)),
      ),

  redo: (command, choose) =>
    wayBack(command)
      .description('Take the last undo back; once more: the one before. Only while nothing new was kept since.')
      .action(options =>
        choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'redo' }, options)),
      ),

  revert: (command, choose) =>
    wayBack(command)
      .description(
        'Take one transaction back, whichever it is, and keep what came later. Where they overlap relay shows both texts and asks. relay undo takes the revert back.',
      )
      .argument('<number>', 'its number, or the beginning of its uuid')
      .action((which, options) =>
        choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'revert', which }, options)),
      ),

  doctor: (command, choose) =>
    command
      .description(
        'Look at everything that relay needs here, and say what to do: configuration, commands, linter (runs it once), state folder, clipboard (asks before it writes, and puts back what was there), terminal. Ends with 8 when something is wrong.',
      )
      .option('-y, --yes', 'overwrite the clipboard for a moment without asking')
      .option('--json', 'print one JSON object')
      .action(options => choose(async system => (await import('./commands/doctor.ts')).doctor(system, options))),

  recover: (command, choose) =>
    command
      .description(
        'Take back what a crash left unfinished, and ask about what was left open. Every command that writes does it first.',
      )
      .option('--dry-run', 'only show what would be done')
      .option('--json', 'with --dry-run: print one JSON object')
      .option('--trust', 'agree to a .relaycode/ that others can write')
      .action(options => choose(async system => (await import('./commands/recover.ts')).recover(system, options))),

  prune: (command, choose) =>
    command
      .description(
        'Remove old entries from the journal, never the newest, after a question. What they changed stays; undoing them is not possible any more.',
      )
      .option('--keep <number>', 'keep so many of the newest')
      .option('--older-than <age>', 'remove what is older: 12h, 30d, 8w, 1y')
      .option('--max-size <size>', 'keep the newest that fit: 500kB, 100MB, 2GB')
      .option('--dry-run', 'only say what would go')
      .option('-y, --yes', 'do not ask')
      .option('--json', 'with --dry-run: print one JSON object')
      .action(options => choose(async system => (await import('./commands/prune.ts')).prune(system, options))),
}

/** For the tests: each has its line on the first page of the help. */
export const commandNames: readonly string[] = Object.keys(table)

/**
 * What a command line wants run, or the exit code when it only wanted help or is wrong; the words for that have been
 * said.
 */
export function chooseCommand(argv: readonly string[], { version, out, err }: Start): Run | number {
  const empty = argv.findIndex(word => /^(?:--[a-z-]+=)?$/.test(word))
  // While a command is typed its last word often is. As a path it would be the folder.
  if (empty >= 0 && argv[0] !== 'complete') {
    err(`Error: an empty argument behind '${argv[empty] || (argv[empty - 1] ?? 'relay')}'\n`)
    err('Hint: A variable of your shell may not be set.\n')
    return 2
  }
  let chosen: Run | undefined
  const program = new Command('relay')
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]')
    .option('--init')
    .option('--no-copy')
    .option('--no-input', 'never ask; what would need an answer is declined')
    .option('--trace', 'tell on stderr where the time goes')
    .configureHelp({
      showGlobalOptions: true,
      // --version and --init are for the program alone, and who takes --no-copy says so.
      visibleGlobalOptions: ({ parent }) => parent?.options.filter(isShared) ?? [],
    })
    .showSuggestionAfterError()
    .showHelpAfterError('Hint: Run `relay --help`.')
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(text.replace(/^error: /, 'Error: ')),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      // Help has no colours; to look whether it could would make Node's streams for stdout and stderr.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  program.helpInformation = () => helpPage
  // Where it is meant as one it has become a command.
  program.on('option:init', () => program.error('error: --init goes with no other command'))

  const words = initAsCommand(argv)
  for (const [name, spellOut] of Object.entries(table)) {
    const command = program.command(name)
    // The others only have to be known by name: all their options take as long as the rest of the start.
    if (!words.includes(name)) continue
    command.showHelpAfterError(hintAboutBack(name, words) ?? hintAbout(name))
    if (name in exampleLines) command.addHelpText('after', examplesOf(name as keyof typeof exampleLines))
    spellOut(command, run => {
      chosen = run
    })
  }
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(typed => {
      chosen = async system =>
        (await import('./commands/complete.ts')).complete(system, typed, {
          program,
          shared: program.options.filter(isShared),
        })
    })
  const topic = program.command('exit-codes', { hidden: true }).aliases(['exit-code', 'exitcodes']).helpOption(false)
  topic.showHelpAfterError(hintAbout('exit-codes'))
  topic.helpInformation = () => `${exitCodes}\n`
  topic.action(() => topic.help())

  try {
    program.parse(withoutIdleHelp(words, program), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  return chosen ?? 2
}

function isShared({ long }: Option): boolean {
  return long === '--no-input' || long === '--trace'
}

function hintAbout(command: string): string {
  return `Hint: Run \`relay help ${command}\`.`
}

/** Whoever names a transaction wants that one back, which is another command. */
function hintAboutBack(command: string, words: readonly string[]): string | undefined {
  const which = words.find(word => /^#?(\d+|[\da-f][\da-f-]{3,63})$/i.test(word))?.replace('#', '')
  if (which === undefined) return undefined
  switch (command) {
    case 'undo':
      return `Hint: relay undo takes the newest back. For that one run \`relay revert ${which}\`.`
    case 'redo':
      return 'Hint: For an earlier undo run `relay revert` with its number in `relay log`.'
    default:
      return undefined
  }
}

/** The program knows `--no-copy` as well, for `relay --init`, and takes it wherever it stands. */
function isToCopy(command: Command): boolean {
  return command.optsWithGlobals()['copy'] !== false
}

/** What all commands take that take something back; the answers about overlaps go by the names of their ways. */
function wayBack(command: Command): Command {
  const help = 'where edits overlap: keep both between markers, skip the file, or take the old text'
  return command
    .option('-y, --yes', 'ask only where edits overlap')
    .addOption(new Option('--on-overlap <way>', help).choices(['markers', 'skip', 'old']))
    .option(...trust)
}

/** `--init` is the one command that is also an option. An action of its own for it would take mistyped commands too. */
function initAsCommand(argv: readonly string[]): readonly string[] {
  const command = argv.findIndex(word => !word.startsWith('-'))
  return argv.map((word, at) => (word === '--init' && (command < 0 || at < command) ? 'init' : word))
}

/** Help for a command that there is not is that command mistyped: it gets the nearest word, not the whole help. */
function withoutIdleHelp(argv: readonly string[], program: Command): readonly string[] {
  const [help, name] = argv
  if (help !== 'help' || name === undefined || name.startsWith('-')) return argv
  if (name === 'help') return ['help']
  const isKnown = program.commands.some(command => command.name() === name || command.aliases().includes(name))
  return isKnown ? argv : argv.slice(1)
}
