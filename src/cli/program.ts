import { Command, type Option } from 'commander'
import { type CommandName, longPage, shortPage, summaries } from '../commands/help/first-page.ts'
import { detailsOf, examplesAndExits, exitCodes } from '../commands/help/help-texts.ts'
import type { Run, SpellOut } from './row.ts'
import { table } from './table.ts'

/** For help, version and wrong usage. */
export interface Start {
  readonly version: string
  out(text: string): void
  err(text: string): void
}

/** The program with all options of every command, for the manual page and the tests. */
export function wholeProgram(version: string): Command {
  const program = createProgram({ version, out() {}, err() {} }, true)
  addCommands(program, Object.keys(table), () => {}, true)
  return program
}

export function createProgram({ version, out, err }: Start, isLong: boolean): Command {
  const program = new Command('relay')
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'print a summary (-h) or everything (--help)')
    .helpCommand('help [command]')
    .option('--init')
    .option('--no-copy')
    .option('--no-input', 'never ask; a question counts as declined')
    .option('--trace', 'print on stderr how long each step takes')
    .configureHelp({
      showGlobalOptions: isLong,
      // --version and --init belong to the program alone, and a command that takes --no-copy says so itself.
      visibleGlobalOptions: ({ parent }) => parent?.options.filter(isShared) ?? [],
      // The descriptions name the choices.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
      styleTitle: title => title.replace('Global Options', 'Options of every command'),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('Hint: Run `relay --help`.')
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(program.createHelp().boxWrap(text.replace(/^error: /, 'Error: '), 80)),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      // Help has no colours. To look for colours would make Node's streams for stdout and stderr.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  program.helpInformation = isLong ? longPage : shortPage
  // A correct `--init` has become a command before.
  program.on('option:init', () => program.error('error: --init goes with no other command'))
  return program
}

/** Adds all commands by name, but only typed ones with their options; the first page of the help leaves some out. */
export function addCommands(
  program: Command,
  words: readonly string[],
  choose: (run: Run) => void,
  isLong: boolean,
): void {
  // The table has exactly these names.
  for (const [name, spellOut] of Object.entries(table) as [CommandName, SpellOut][]) {
    const command = program.command(name)
    // Other commands only need their names: to add all options takes as long as the rest of the start.
    if (!words.includes(name)) continue
    command.showHelpAfterError(
      hintAboutRedo(name, words) ?? hintAboutDiff(name, words) ?? hintAboutHabit(name, words) ?? hintAbout(name),
    )
    command.description(isLong ? detailsOf(name).about : sentenceOf(name))
    command.addHelpText('after', isLong ? examplesAndExits(name) : `\nDetails and examples: relay help ${name}`)
    spellOut(command, choose)
  }
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(typed => {
      const known = { program, shared: program.options.filter(isShared) }
      choose(async system => (await import('../commands/complete.ts')).complete(system, typed, known))
    })
  const topic = program.command('exit-codes', { hidden: true }).aliases(['exit-code', 'exitcodes']).helpOption(false)
  topic.showHelpAfterError(hintAbout('exit-codes'))
  topic.helpInformation = () => `${exitCodes}\n`
  topic.action(() => topic.help())
}

function sentenceOf(name: CommandName): string {
  const summary = summaries.get(name) ?? ''
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`
}

function isShared({ long }: Option): boolean {
  return long === '--no-input' || long === '--trace'
}

function hintAbout(command: string): string {
  return `Hint: Run \`relay help ${command}\`.`
}

/** A redo with a number is meant for an earlier undo, which `relay revert` reverses. */
function hintAboutRedo(command: string, words: readonly string[]): string | undefined {
  const namesOne = words.some(word => /^#?(\d+|[\da-f][\da-f-]{3,63})$/i.test(word))
  if (command !== 'redo' || !namesOne) return undefined
  return 'Hint: For an earlier undo run `relay revert` with its number in `relay log`.'
}

/** Options of git that relay has under another name. */
const habits: Readonly<Record<string, string>> = {
  'log -p': '`relay diff 42` shows what #42 changed.',
  'log --patch': '`relay diff 42` shows what #42 changed.',
  'diff --stat': '`relay show 42` lists the files of #42.',
  'undo --dry-run': '`relay undo` shows what it will do, and asks first.',
  'revert --dry-run': '`relay revert` shows what it will do, and asks first.',
  'redo --dry-run': '`relay redo` shows what it will do, and asks first.',
}

function hintAboutHabit(command: string, words: readonly string[]): string | undefined {
  const habit = words.map(word => habits[`${command} ${word}`]).find(hint => hint !== undefined)
  return habit === undefined ? undefined : `Hint: ${habit}`
}

/** After a blank, a commit would be a second prompt. */
function hintAboutDiff(command: string, words: readonly string[]): string | undefined {
  const next = words[words.indexOf('--include-diff=') + 1] ?? ''
  if (command !== 'ask' || !words.includes('--include-diff=') || !/^[^-\s]\S*$/.test(next)) return undefined
  return `Hint: A commit follows on a \`=\`: \`--include-diff=${next}\`.`
}
