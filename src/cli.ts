import { Command, CommanderError } from 'commander'
import type { ApplyOptions } from './commands/apply.ts'
import type { BackOptions } from './commands/back.ts'
import type { DiffOptions } from './commands/diff.ts'
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

const exitCodes = `
Exit codes:
  0  done, or nothing to do           5  your own edits are in the way, and kept
  1  unexpected failure               6  no patch for this project, or refused
  2  wrong usage or configuration     7  something unfinished: relay recover
  3  declined                         8  clipboard, lock or machine
  4  a command failed, rolled back    129, 130, 143  ended by a signal`

const examples = `
Examples:
  relay --init           set up this project, and print the instructions
  relay watch            then copy answers in the chat
  relay apply answer.md  the same for a file; \`-\` or a pipe for stdin
  relay parse -          why was this answer not taken?`

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
    .helpCommand('help [command]', 'print help for a command')
    .option('--init', 'the same as `relay init`')
    .option('--no-copy', 'with --init: leave the clipboard alone')
    .option('--no-input', 'never ask; what would need an answer is declined')
    .addHelpText('after', `${examples}\n${exitCodes}`)
    .showSuggestionAfterError()
    .showHelpAfterError('Hint: Run `relay --help`.')
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(text.replace(/^error: /, 'Error: ')),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })

  program
    .command('init')
    .description('set up relay in this folder, and print the instructions for your LLM')
    .option('--no-copy', 'leave the clipboard alone')
    .action(({ copy }: { copy: boolean }) => {
      choose(async system =>
        (await import('./commands/init.ts')).init(system, { copy: copy && program.opts()['copy'] !== false }),
      )
    })

  program
    .command('watch')
    .description('apply each patch that is copied, until Ctrl+C')
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .option('--json', 'also print what happens for programs, one JSON object a line')
    .action((options: WatchOptions) =>
      choose(async system => (await import('./commands/watch.ts')).watch(system, options)),
    )

  program
    .command('apply')
    .description('apply responses from files, stdin or the clipboard')
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
    .description('show what relay understands of a response; changes nothing')
    .argument('[file]', 'a file that holds a response; `-` is stdin')
    .option('--json', 'print one JSON object')
    .option('--project-id <id>', 'read it as a project of this id would')
    .action((from: string | undefined, options: ParseOptions) =>
      choose(async system => (await import('./commands/parse.ts')).parse(system, from, options)),
    )

  program
    .command('log')
    .description('list what was applied, newest first')
    .option('--file <path>', 'only what changed this file, or files in this folder')
    .option('--since <age>', 'only what is newer: 12h, 2d, today, 2026-11-20')
    .option('-n, --limit <number>', 'so many instead of 20')
    .option('--all', 'all of them, and what was declined or rolled back')
    .option('--json', 'print one JSON object')
    .action((options: LogOptions) => choose(async system => (await import('./commands/log.ts')).log(system, options)))

  program
    .command('show')
    .description('show all about one of them: why, what, checked how, and whether it changed since')
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
    .description('show what one of them changed; in a pipe as a patch')
    .argument('[number]', 'its number, or the beginning of its uuid; without it the newest')
    .option('--json', 'print one JSON object')
    .action((which: string | undefined, options: DiffOptions) =>
      choose(async system => (await import('./commands/diff.ts')).diff(system, which, options)),
    )

  program
    .command('undo')
    .description('take the newest back, with what changed since merged in; again: the one before')
    .option('-y, --yes', 'do not ask')
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'undo' }, options)),
    )

  program
    .command('redo')
    .description('take the last undo back; again: the one before')
    .option('-y, --yes', 'do not ask')
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'redo' }, options)),
    )

  program
    .command('revert')
    .description('take any one of them back, and keep the later ones')
    .argument('<number>', 'its number, or the beginning of its uuid')
    .option('-y, --yes', 'do not ask')
    .option('--trust', 'agree to the commands in relaycode.config.json')
    .action((which: string, options: BackOptions) =>
      choose(async system => (await import('./commands/back.ts')).back(system, { kind: 'revert', which }, options)),
    )

  program
    .command('status')
    .description('show whether somebody watches, what is unfinished, and what happened today')
    .option('--short', 'on one line')
    .option('--json', 'print one JSON object')
    .action((options: StatusOptions) =>
      choose(async system => (await import('./commands/status.ts')).status(system, options)),
    )

  program
    .command('prompt')
    .description('print and copy the instructions for your LLM')
    .option('--no-copy', 'leave the clipboard alone')
    .action(({ copy }: { copy: boolean }) =>
      choose(async system =>
        (await import('./commands/prompt.ts')).prompt(system, { copy: copy && program.opts()['copy'] !== false }),
      ),
    )

  program
    .command('recover')
    .description('take back what a crash left unfinished; every writing command does it first')
    .option('--dry-run', 'only show what would be done')
    .option('--json', 'with --dry-run: print one JSON object')
    .option('--trust', 'agree to a .relaycode/ that others can write')
    .action((options: RecoverOptions) =>
      choose(async system => (await import('./commands/recover.ts')).recover(system, options)),
    )

  program
    .command('prune')
    .description('remove old entries from the journal, never the newest; asks first')
    .option('--keep <number>', 'keep so many of the newest')
    .option('--older-than <age>', 'remove what is older: 12h, 30d, 8w, 1y')
    .option('--max-size <size>', 'keep the newest that fit: 500kB, 100MB, 2GB')
    .option('--dry-run', 'only say what would go')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'with --dry-run: print one JSON object')
    .action((options: PruneOptions) =>
      choose(async system => (await import('./commands/prune.ts')).prune(system, options)),
    )

  for (const command of program.commands) command.exitOverride()
  program.parse(initAsCommand(argv), { from: 'user' })
  if (chosen === undefined) throw new CommanderError(2, 'relay.noCommand', 'no command')
  return chosen
}

/** `--init` is the one command that is also an option. An action of its own for it would take mistyped commands too. */
function initAsCommand(argv: readonly string[]): readonly string[] {
  const command = argv.findIndex(word => !word.startsWith('-'))
  return argv.map((word, at) => (word === '--init' && (command < 0 || at < command) ? 'init' : word))
}
