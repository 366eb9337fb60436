import { Command, CommanderError, Option } from 'commander'
import type { ApplyOptions } from './commands/apply.ts'
import type { BackOptions } from './commands/back.ts'
import type { DiffOptions } from './commands/diff.ts'
import type { DoctorOptions } from './commands/doctor.ts'
import { exampleLines, examplesOf, exitCodes, exitCodesInShort } from './commands/help-texts.ts'
import type { LogOptions } from './commands/log.ts'
import type { ParseOptions } from './commands/parse.ts'
import type { PruneOptions } from './commands/prune.ts'
import type { RecoverOptions } from './commands/recover.ts'
import type { ShowOptions } from './commands/show.ts'
import type { StatusOptions } from './commands/status.ts'
import type { WatchOptions } from './commands/watch.ts'
import type { System } from './ports.ts'

/** What help, version and wrong usage need. */
export interface Start {
  readonly version: string
  out(text: string): void
  err(text: string): void
}

/** Answers the exit code. */
type Run = (system: System) => Promise<number>

/**
 * The command line as a table. Each command's code is loaded when it is chosen, so that \`--version\` loads none.
 *
 * Answers the chosen command, or throws commander's own error for wrong usage, help and version.
 */
export function chooseCommand(argv: readonly string[], { version, out, err }: Start): Run {
  let chosen: Run | undefined
  const choose = (run: Run) => {
    chosen = run
  }

  const program = new Command('relay')
    .description(
      "Apply an LLM's answer from the clipboard to this project: checked, and kept or taken back as a whole.",
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('--init', 'the same as `relay init`')
    .option('--no-copy', 'with --init: leave the clipboard alone')
    .option('--no-input', 'never ask; what would need an answer is declined')
    .option('--trace', 'tell on stderr where the time goes')
    .addHelpText('after', `${examplesOf('relay')}\n${exitCodesInShort}`)
    .configureHelp({ subcommandTerm: nameAndArguments })
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

  program.commandsGroup('Set up:')
  program
    .command('init')
    .summary('set up relay in this folder')
    .description(
      'Make this folder a project: write relaycode.config.json, look for a linter, and print the instructions for your LLM, which are copied as well. A second time it changes nothing.',
    )
    .option('--no-copy', 'leave the clipboard alone')
    .action(({ copy }: { copy: boolean }) => {
      choose(async system =>
        (await import('./commands/init.ts')).init(system, { copy: copy && program.opts()['copy'] !== false }),
      )
    })

  program
    .command('prompt')
    .summary('print and copy the instructions for your LLM')
    .description('Print the instructions for your LLM once more, and copy them.')
    .option('--no-copy', 'leave the clipboard alone')
    .action(({ copy }: { copy: boolean }) =>
      choose(async system =>
        (await import('./commands/prompt.ts')).prompt(system, { copy: copy && program.opts()['copy'] !== false }),
      ),
    )

  program.commandsGroup('Take patches:')
  program
    .command('watch')
    .summary('apply each patch that is copied, until Ctrl+C')
    .description(
      'Apply each patch that is copied, one after the other: snapshot, write, commands, linter; then it is kept, asked about, or taken back as a whole. While it waits, one key undoes the newest or shows its diff; ? lists them all.',
    )
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .option('--json', 'also print what happens for programs, one JSON object a line')
    .action((options: WatchOptions) =>
      choose(async system => (await import('./commands/watch.ts')).watch(system, options)),
    )

  program
    .command('apply')
    .summary('apply responses from files, stdin or the clipboard')
    .description(
      'Apply responses as relay watch does, from files, from stdin, or from the clipboard when nothing is named.',
    )
    .argument('[file...]', 'files that hold a response; `-` is stdin')
    .option('-y, --yes', 'keep without asking when the check would ask')
    .option('--allow-sensitive', 'let the response change files that make commands run')
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .option('--again', 'also take a response that was applied, declined or undone before')
    .option('--last', 'take the response that was rolled back last')
    .action((from: string[], options: ApplyOptions) =>
      choose(async system => (await import('./commands/apply.ts')).apply(system, from, options)),
    )

  program
    .command('parse')
    .summary('show what relay understands of a response')
    .description('Show what relay understands of a response, or why it takes none. Changes nothing.')
    .argument('[file]', 'a file that holds a response; `-` is stdin')
    .option('--json', 'print one JSON object')
    .option('--project-id <id>', 'read it as a project of this id would')
    .action((from: string | undefined, options: ParseOptions) =>
      choose(async system => (await import('./commands/parse.ts')).parse(system, from, options)),
    )

  program
    .command('followup')
    .summary('ask the model to do better than what was rolled back')
    .description(
      'Print a prompt for the model about the response that was rolled back last, and copy it: what was tried, the new errors, the files as they are now, and how to answer.',
    )
    .option('--no-copy', 'leave the clipboard alone')
    .action(({ copy }: { copy: boolean }) =>
      choose(async system =>
        (await import('./commands/followup.ts')).followup(system, { copy: copy && program.opts()['copy'] !== false }),
      ),
    )

  program.commandsGroup('Look back:')
  program
    .command('log')
    .summary('list what was applied, newest first')
    .description(
      'List the transactions of this project, newest first: what, how many files, new and fixed errors, and whether it still stands.',
    )
    .option('--file <path>', 'only what changed this file, or files in this folder')
    .option('--since <age>', 'only what is newer: 12h, 2d, today, 2026-11-20')
    .option('-n, --limit <number>', 'so many instead of 20')
    .option('--all', 'all of them, and what was declined or rolled back')
    .option('--json', 'print one JSON object')
    .action((options: LogOptions) => choose(async system => (await import('./commands/log.ts')).log(system, options)))

  program
    .command('show')
    .summary('show why one was made, what it changed, how it was checked')
    .description(
      'Show all about a transaction that was kept: why it was made, how it was checked, what it changed, and what became of each file since.',
    )
    .argument('[number]', 'its number, or the beginning of its uuid; without it the newest')
    .option('--patch', 'print it as a patch that `git apply` takes')
    .option('--output', 'print what the commands printed')
    .option('--reasoning', 'print all that the model said')
    .option('--json', 'print one JSON object')
    .action((which: string | undefined, options: ShowOptions) =>
      choose(async system => (await import('./commands/show.ts')).show(system, which, options)),
    )

  program
    .command('diff')
    .summary('show what one changed; in a pipe as a patch')
    .description(
      'Show what a transaction changed in the end, formatter included: in your pager on a terminal, and in a pipe as a patch that `git apply` takes.',
    )
    .argument('[number]', 'its number, or the beginning of its uuid; without it the newest')
    .option('--json', 'print one JSON object')
    .action((which: string | undefined, options: DiffOptions) =>
      choose(async system => (await import('./commands/diff.ts')).diff(system, which, options)),
    )

  program
    .command('status')
    .summary('show who watches, and what is unfinished')
    .description(
      'Show whether somebody watches the clipboard for this project, what is unfinished, what was kept last, and what happened today.',
    )
    .option('--short', 'on one line')
    .option('--json', 'print one JSON object')
    .action((options: StatusOptions) =>
      choose(async system => (await import('./commands/status.ts')).status(system, options)),
    )

  program.commandsGroup('Go back:')
  program
    .command('undo')
    .summary('take the newest back, with later edits merged in')
    .description(
      'Take the newest transaction that stands back; once more: the one before. What was changed since is merged in. Where it overlaps relay shows both texts and asks. The undo is checked like any patch, and can itself be undone: relay redo.',
    )
    .option('-y, --yes', 'do not ask')
    .addOption(onOverlap())
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'undo' }, options)),
    )

  program
    .command('redo')
    .summary('take the last undo back')
    .description('Take the last undo back; once more: the one before. Only while nothing new was kept since.')
    .option('-y, --yes', 'do not ask')
    .addOption(onOverlap())
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'redo' }, options)),
    )

  program
    .command('revert')
    .summary('take any one back, and keep the later ones')
    .description(
      'Take one transaction back, whichever it is, and keep what came later. Where they overlap relay shows both texts and asks. relay undo takes the revert back.',
    )
    .argument('<number>', 'its number, or the beginning of its uuid')
    .option('-y, --yes', 'do not ask')
    .addOption(onOverlap())
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((which: string, options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'revert', which }, options)),
    )

  program.commandsGroup('Keep in order:')
  program
    .command('doctor')
    .summary('look at everything that relay needs here')
    .description(
      'Look at everything that relay needs here, and say what to do: configuration, commands, linter (runs it once), state folder, clipboard (asks before it writes, and puts back what was there), terminal. Ends with 8 when something is wrong.',
    )
    .option('-y, --yes', 'overwrite the clipboard for a moment without asking')
    .option('--json', 'print one JSON object')
    .action((options: DoctorOptions) =>
      choose(async system => (await import('./commands/doctor.ts')).doctor(system, options)),
    )

  program
    .command('recover')
    .summary('take back what a crash left unfinished')
    .description(
      'Take back what a crash left unfinished, and ask about what was left open. Every command that writes does it first.',
    )
    .option('--dry-run', 'only show what would be done')
    .option('--json', 'with --dry-run: print one JSON object')
    .option('--trust', 'agree to a .relaycode/ that others can write')
    .action((options: RecoverOptions) =>
      choose(async system => (await import('./commands/recover.ts')).recover(system, options)),
    )

  program
    .command('prune')
    .summary('remove old entries from the journal')
    .description(
      'Remove old entries from the journal, never the newest, after a question. What they changed stays; undoing them is not possible any more.',
    )
    .option('--keep <number>', 'keep so many of the newest')
    .option('--older-than <age>', 'remove what is older: 12h, 30d, 8w, 1y')
    .option('--max-size <size>', 'keep the newest that fit: 500kB, 100MB, 2GB')
    .option('--dry-run', 'only say what would go')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'with --dry-run: print one JSON object')
    .action((options: PruneOptions) =>
      choose(async system => (await import('./commands/prune.ts')).prune(system, options)),
    )

  program.helpCommand('help [command]', 'print help for a command')
  const topic = new Command('exit-codes')
    .aliases(['exit-code', 'exitcodes'])
    .description('what each exit code means')
    .helpOption(false)
  topic.helpInformation = () => `${exitCodes}\n`
  program.addCommand(
    topic.action(() => topic.help()),
    { hidden: true },
  )

  for (const command of program.commands) {
    command.exitOverride()
    const name = command.name()
    command.showHelpAfterError(`Hint: Run \`relay help ${name}\`.`)
    if (name in exampleLines) command.addHelpText('after', examplesOf(name as keyof typeof exampleLines))
  }
  program.parse(withoutIdleHelp(initAsCommand(argv), program), { from: 'user' })
  if (chosen === undefined) throw new CommanderError(2, 'relay.noCommand', 'no command')
  return chosen
}

/** The answers to the question about overlaps, under the names of its ways. */
function onOverlap(): Option {
  const help = 'where edits overlap: keep both between markers, skip the file, or take the old text'
  return new Option('--on-overlap <way>', help).choices(['markers', 'skip', 'old'])
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

/** A command in the list, without the word that every one of them would have. */
function nameAndArguments(command: Command): string {
  const args = command.registeredArguments.map(argument => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name()
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...args].join(' ')
}
