import { Argument, Command, CommanderError, Option } from 'commander'
import { type CommandName, longPage, shortPage, summaries } from './commands/help/first-page.ts'
import { detailsOf, examplesAndExits, exitCodes } from './commands/help/help-texts.ts'
import { RelayError } from './errors.ts'
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

/** How each option of a command is typed, by the name that the command has for it. */
type Spelled<Options> = {
  readonly [Name in keyof Options & string]-?: readonly [
    flags: `${'' | `-${string}, `}${LongFlag<Name, Exclude<Options[Name], undefined>>}`,
    help: string,
    choices?: readonly Extract<Options[Name], string>[],
  ]
}

type LongFlag<Name extends string, Value> = [Value] extends [boolean]
  ? `--${'' | 'no-'}${Kebab<Name>}`
  : `--${Kebab<Name>} ${true extends Value ? `[${string}]` : `<${string}>`}`

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `-${Lowercase<First>}` : First}${Kebab<Rest>}`
  : Name

/** What a command takes beside its options: one word or none, or as many as are given. */
type Taken<Word> = undefined extends Word
  ? `[${string}]`
  : Word extends readonly string[]
    ? `[${string}...]`
    : `<${string}>`

type Row<Words extends readonly unknown[], Options> = {
  /** It may change the project, or what relay keeps of it: inside an agent it is refused. */
  readonly writes?: true
  readonly options: Spelled<Options>
  /** Each command's code is loaded when it is chosen, so that a mistyped one loads none. */
  load(): Promise<(system: System, ...given: [...Words, Options]) => Promise<number>>
} & (Words extends readonly [infer Word]
  ? { readonly takes: readonly [name: Taken<Word>, help: string] }
  : { readonly takes?: never })

/** The compiler holds what is spelled here and what the command expects together. */
function row<Words extends readonly unknown[], Options>(row: Row<Words, Options>): SpellOut {
  const { takes, writes, options, load } = row
  const spelled: Readonly<Record<string, readonly [string, string, (readonly string[])?]>> = options
  return (command, choose) => {
    if (takes !== undefined) command.argument(...takes)
    for (const [flags, help, choices] of Object.values(spelled)) {
      const option = optionOf(flags, help)
      command.addOption(choices === undefined ? option : option.choices(choices))
    }
    command.action(() => {
      // The program knows `--no-copy` as well, for `relay --init`, and takes it wherever it stands.
      const all = command.optsWithGlobals()
      if (all['copy'] === false && !('copy' in spelled)) command.error("error: unknown option '--no-copy'")
      const typed = Object.entries(all).filter(([name]) => name in spelled)
      // Commander gives what was spelled out for it, and that is what the row's type asks for.
      const given = [...command.processedArgs, Object.fromEntries(typed)] as unknown as [...Words, Options]
      choose(async system => {
        if (writes === true) mustNotBeAgent(system)
        return (await load())(system, ...given)
      })
    })
  }
}

/** One that is given several times, written as `--to <agent...>`, takes one word each time: the next word is not its own. */
function optionOf(flags: string, help: string): Option {
  if (!flags.endsWith('...>')) return new Option(flags, help)
  const collect = (word: string, before: readonly string[] | undefined) => [...(before ?? []), word]
  return new Option(flags.replace('...>', '>'), help).argParser(collect)
}

/** An agent that relay started works in a checkout, and changes nothing by way of relay. */
function mustNotBeAgent({ env }: System): void {
  if (env['RELAY_AGENT'] !== '1') return
  throw new RelayError('usage', 'An agent of relay runs this (RELAY_AGENT=1), and relay changes nothing for it', {
    hint: 'Change the files themselves: relay takes the work over when the agent is done.',
  })
}

const allowSensitive = ['--allow-sensitive', 'allow changes to files that can run commands'] as const
const trust = ['--trust', 'agree to the commands in relaycode.config.json'] as const
const noCopy = ['--no-copy', 'do not copy to the clipboard'] as const
const json = ['--json', 'print one JSON object'] as const
const which = ['[number]', 'number, or start of the uuid (default: the newest)'] as const

/** What all commands take that take something back; the values of --on-overlap are those of `OverlapChoice`. */
const wayBack = {
  yes: ['-y, --yes', 'ask only where edits overlap'],
  allowSensitive,
  onOverlap: ['--on-overlap <way>', 'where edits overlap: markers, skip or old', ['markers', 'skip', 'old']],
  trust,
} as const

/** The values are those of `AnswerChoice`. */
const overlap = [
  '--on-overlap <way>',
  'where your edits overlap: markers, model or mine',
  ['markers', 'model', 'mine'],
] as const

/** What every command takes that has agents work by themselves. */
const workAlone = {
  agent: ['--agent <agent>', 'agent that does the work (default claude)'],
  model: ['-m, --model <model>', 'model, by the name that the agent uses'],
  sandbox: ['--sandbox <sandbox>', 'workspace-write (default) or danger-full-access'],
  timeout: ['--timeout <time>', 'time limit of an attempt: 90s, 45m, 2h (default 1h)'],
  maxTime: ['--max-time <time>', 'time limit of the whole run'],
  maxCost: ['--max-cost <dollars>', 'cost limit of the whole run, if the agent reports it'],
  maxTokens: ['--max-tokens <number>', 'token limit of the whole run: 500k, 2M'],
  wait: ['--wait <time>', 'longest wait for a usage limit (default 5h; 0: none)'],
  review: ['--review', 'ask about every change'],
  yes: ['-y, --yes', 'answer yes where the check would ask'],
  allowSensitive,
  trust: ['--trust', 'agree to the commands that relay and the agent run'],
  dryRun: ['--dry-run', 'show what would run, and start nothing'],
  json: ['--json', 'print events as JSON, one object a line'],
} as const

/** The same, where what they make lands beside the edits of the user. */
const discard = ['--discard-checkout', 'drop uncommitted changes in the work tree'] as const

const agentWork = { ...workAlone, onOverlap: overlap } as const

/** The commands as a table, in the order of the help. */
const table: Readonly<Record<CommandName, SpellOut>> = {
  init: row({
    writes: true,
    options: { copy: noCopy },
    load: async () => (await import('./commands/init.ts')).init,
  }),

  prompt: row({
    options: { edits: ['--edits', 'also let the LLM edit files of more than 200 lines'], copy: noCopy },
    load: async () => (await import('./commands/prompt.ts')).prompt,
  }),

  config: (command, choose) =>
    command
      .argument('[key]', 'name of the key, such as linter or policy.ask')
      .argument('[value]', 'new value: a text, or JSON for a list; `\'""\'` is the empty text')
      .action((key, value) =>
        choose(async system => {
          if (value !== undefined) mustNotBeAgent(system)
          return (await import('./commands/config.ts')).config(system, key, value)
        }),
      ),

  completion: (command, choose) =>
    command
      .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
      .action(shell => choose(async system => (await import('./commands/completion.ts')).completion(system, shell))),

  pack: row({
    writes: true,
    takes: ['[path...]', 'files, folders and globs; `!glob` leaves files out'],
    options: {
      changed: ['--changed [ref]', 'files that differ from <ref> (default HEAD), and new files'],
      staged: ['--staged', 'files that the next commit changes'],
      errors: ['--errors', 'files in which the linter finds errors, and the errors'],
      limit: ['--limit <tokens>', 'leave out the largest files until the rest fits: 100k'],
      stdout: ['--stdout', 'print the pack instead of copying it'],
      output: ['-o, --output <path>', 'write the pack to a file instead; `-` is stdout'],
      allowSecrets: ['--allow-secrets', 'do not ask about secrets'],
      trust,
    },
    load: async () => (await import('./commands/pack.ts')).pack,
  }),

  ask: row({
    takes: ['[prompt]', 'question or instruction; `-` is stdin'],
    options: {
      to: ['--to <agent...>', 'agent to ask (default codex); repeat it to ask several'],
      repo: ['--repo <folder>', 'folder that the prompt is about (default: this one)'],
      contextFile: ['--context-file <file>', 'send a file along, up to 200 kB'],
      contextText: ['--context-text <text>', 'send a text along, such as "$(git log -3)"'],
      includeDiff: [
        '--include-diff [ref]',
        'send unstaged changes along, up to 300 kB; with `=ref` what differs from that commit',
      ],
      timeout: ['--timeout <time>', 'time limit of an answer: 90s, 5m, 1h (default 10m)'],
      model: ['-m, --model <model>', 'model, by the name that the agent uses'],
      sandbox: [
        '--sandbox <sandbox>',
        'read-only (default), workspace-write (edit files, run tests) or danger-full-access',
      ],
      apply: ['--apply', 'ask for an answer that relay can apply, and apply it'],
      yes: ['-y, --yes', 'answer yes where the check would ask'],
      onOverlap: overlap,
      commit: ['--no-commit', 'do not commit what the agent made'],
      allowSensitive,
      trust: ['--trust', 'agree to what this project lets the agent run'],
      json: ['--json', 'print events as JSON, one object a line'],
    },
    load: async () => (await import('./commands/ask.ts')).ask,
  }),

  followup: row({
    options: { copy: noCopy },
    load: async () => (await import('./commands/followup.ts')).followup,
  }),

  agents: row({
    options: { json },
    load: async () => (await import('./commands/agents.ts')).agents,
  }),

  watch: row({
    writes: true,
    options: { trust, json: ['--json', 'also print events as JSON, one object a line'] },
    load: async () => (await import('./commands/watch.ts')).watch,
  }),

  apply: row({
    writes: true,
    takes: ['[file...]', 'file with an answer; `-` is stdin, or a paste'],
    options: {
      yes: ['-y, --yes', 'answer yes where the check would ask'],
      allowSensitive,
      trust,
      onOverlap: overlap,
      again: ['--again', 'also apply an answer that relay has seen before'],
      last: ['--last', 'apply the answer that was rolled back last'],
      kept: ['--kept [number]', 'apply work of an agent that was set aside; without a number, list such work'],
      dryRun: ['--dry-run', 'show what `relay parse` shows, and change nothing'],
    },
    load: async () => (await import('./commands/apply.ts')).apply,
  }),

  parse: row({
    takes: ['[file]', 'file with an answer; `-` is stdin, or a paste'],
    options: { json, projectId: ['--project-id <id>', 'read it as the project with this id would'] },
    load: async () => (await import('./commands/parse.ts')).parse,
  }),

  plan: row({
    writes: true,
    takes: ['[name]', 'name of the plan: letters, digits, hyphens (default: relay suggests one)'],
    options: {
      amend: ['-a, --amend <project>', 'add tasks to this plan; its other tasks stay'],
      worktree: ['-w, --worktree', 'commit the plan on a new branch, in a work tree under ~/.raf/worktrees'],
      yes: ['-y, --yes', 'have no conversation: the agent decides alone'],
      agent: ['--agent <agent>', 'agent that plans (default claude)'],
      model: ['-m, --model <model>', 'model, by the name that the agent uses'],
      commit: ['--commit', 'commit the plan'],
      timeout: ['--timeout <time>', 'with -y, time limit: 90s, 45m, 2h (default 1h)'],
      trust: ['--trust', 'agree to what this project lets the agent run'],
    },
    load: async () => (await import('./commands/plan.ts')).plan,
  }),

  do: row({
    writes: true,
    takes: ['[project]', 'id, name, part of the name, or folder of a plan'],
    options: {
      worktree: ['-w, --worktree', 'work on the branch of the plan, in a work tree under ~/.raf/worktrees'],
      after: [
        '--after <what>',
        'with -w, at the end: merge, pr or leave the branch (default: relay asks)',
        ['merge', 'pr', 'leave'],
      ],
      force: ['-f, --force', 'also redo tasks that are done'],
      attempts: ['--attempts <number>', 'attempts for each task (default 3)'],
      verbose: ['-v, --verbose', 'show what the agent says'],
      commit: ['--no-commit', 'do not commit what is kept'],
      discardCheckout: discard,
      ...agentWork,
      timeout: ['-t, --timeout <time>', agentWork.timeout[1]],
    },
    load: async () => (await import('./commands/do.ts')).doPlan,
  }),

  loop: row({
    writes: true,
    takes: ['[max]', 'largest number of iterations (default 10)'],
    options: {
      prd: ['--prd <file>', 'the file (default prd.json, here or in scripts/ralph/)'],
      base: ['--base <branch>', 'where a new branch starts (default: your branch)'],
      after: [
        '--after <what>',
        'at the end: merge, pr or leave the branch (default: relay asks)',
        ['merge', 'pr', 'leave'],
      ],
      discardCheckout: discard,
      ...agentWork,
      agent: ['--agent <agent>', 'agent that does the work (default amp)'],
    },
    load: async () => (await import('./commands/loop.ts')).loop,
  }),

  prd: (command, choose) => {
    const spell = row({
      takes: ['[what...]', 'status (default), check, archive, convert, new or skills'],
      options: {
        prd: ['--prd <file>', 'the file (default prd.json, here or in scripts/ralph/)'],
        agent: ['--agent <agent>', 'agent that writes (default amp)'],
        model: ['-m, --model <model>', 'model, by the name that the agent uses'],
        timeout: ['--timeout <time>', 'time limit of each answer: 90s, 5m (default 10m)'],
        trust: ['--trust', 'agree to what this project lets the agent run'],
        json,
      },
      load: async () => (await import('./commands/prd.ts')).prd,
    })
    // An agent may look.
    spell(command, run =>
      choose(async system => {
        if (!['status', 'check', undefined].includes(command.args[0])) mustNotBeAgent(system)
        return run(system)
      }),
    )
  },

  delegate: row({
    writes: true,
    takes: ['[text...]', 'instruction (`-` is stdin); or list, status, cancel, retry or clean'],
    options: {
      gitDir: ['--git-dir <folder>', 'repository to clone (default: this one)'],
      extra: ['--extra <text>', 'more instructions'],
      instructionsFile: ['--instructions-file <file>', 'more instructions, from a .md file'],
      base: [
        '--base <branch>',
        'branch to start from and to merge into (default: start from HEAD, merge into the default branch)',
      ],
      detach: ['--detach', 'work in the background; print the id of the session'],
      pr: ['--no-pr', 'push the branch, and open no pull request'],
      note: ['--note <file>', 'delegate each line that ends with ` /claude`'],
      watch: ['--watch', 'with --note, wait for new lines until Ctrl+C'],
      attempts: ['--attempts <number>', 'attempts to satisfy the checks (default 3)'],
      ...workAlone,
    },
    load: async () => (await import('./commands/delegate.ts')).delegate,
  }),

  log: row({
    options: {
      file: ['--file <path>', 'only changes of this file, or of files in this folder'],
      since: ['--since <age>', 'only newer changes: 12h, 2d, today, 2026-11-20'],
      limit: ['-n, --limit <number>', 'show at most this many (default 20)'],
      all: ['--all', 'show everything, also what was declined or rolled back'],
      json,
    },
    load: async () => (await import('./commands/log.ts')).log,
  }),

  show: row({
    takes: which,
    options: {
      patch: ['--patch', 'print it as a patch for `git apply`'],
      output: ['--output', 'print what its commands printed'],
      reasoning: ['--reasoning', 'print what the model wrote beside the files'],
      json,
    },
    load: async () => (await import('./commands/show.ts')).show,
  }),

  diff: row({
    takes: which,
    options: { json },
    load: async () => (await import('./commands/diff.ts')).diff,
  }),

  status: row({
    takes: ['[project]', 'id, name, part of the name, or folder of a plan'],
    options: { short: ['--short', 'print one line'], json },
    load: async () => (await import('./commands/status.ts')).status,
  }),

  undo: row({
    writes: true,
    takes: which,
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).undo,
  }),

  redo: row({
    writes: true,
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).redo,
  }),

  revert: row({
    writes: true,
    takes: ['<number>', 'number, or start of the uuid'],
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).revert,
  }),

  doctor: row({
    options: { yes: ['-y, --yes', 'overwrite the clipboard for a moment without asking'], json },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  }),

  recover: row({
    writes: true,
    options: {
      dryRun: ['--dry-run', 'show what would be done, and do nothing'],
      json: ['--json', 'with --dry-run, print one JSON object'],
      trust: ['--trust', 'accept a .relaycode/ that other users can write'],
    },
    load: async () => (await import('./commands/recover.ts')).recover,
  }),

  prune: row({
    writes: true,
    options: {
      keep: ['--keep <number>', 'keep this many of the newest'],
      olderThan: ['--older-than <age>', 'remove what is older: 12h, 30d, 8w, 1y'],
      maxSize: ['--max-size <size>', 'keep the newest that fit: 500kB, 100MB, 2GB'],
      dryRun: ['--dry-run', 'show what would be removed, and remove nothing'],
      yes: ['-y, --yes', 'do not ask'],
      json: ['--json', 'with --dry-run, print one JSON object'],
    },
    load: async () => (await import('./commands/prune.ts')).prune,
  }),
}

/** The program with every command spelled out, for what is made of the table: the manual page, and the tests. */
export function wholeProgram(version: string): Command {
  const program = createProgram({ version, out() {}, err() {} }, true)
  addCommands(program, Object.keys(table), () => {}, true)
  return program
}

/**
 * What a command line wants run, or the exit code when it only wanted help or is wrong; the words for that have been
 * said.
 */
export function chooseCommand(argv: readonly string[], start: Start): Run | number {
  const empty = argv.findIndex(word => /^(?:--[a-z-]+=)?$/.test(word))
  // While a command is typed its last word often is. As a path it would be the folder.
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
  // Commander knows one short form; the other is as common.
  const words = withEmptyValues(initAsCommand(argv).map(word => (word === '-V' ? '-v' : word)))
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

function createProgram({ version, out, err }: Start, isLong: boolean): Command {
  const program = new Command('relay')
    .version(version, '-v, --version')
    .helpOption('-h, --help', 'print a summary (-h) or everything (--help)')
    .helpCommand('help [command]')
    .option('--init')
    .option('--no-copy')
    .option('--no-input', 'never ask; a question counts as declined')
    .option('--trace', 'print on stderr how long each step takes')
    .configureHelp({
      showGlobalOptions: isLong,
      // --version and --init are for the program alone, and who takes --no-copy says so.
      visibleGlobalOptions: ({ parent }) => parent?.options.filter(isShared) ?? [],
      // Their descriptions name the choices.
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
      // Help has no colours; to look whether it could would make Node's streams for stdout and stderr.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  program.helpInformation = isLong ? longPage : shortPage
  // Where it is meant as one it has become a command.
  program.on('option:init', () => program.error('error: --init goes with no other command'))
  return program
}

/** Those of the table, of which the ones that were typed are spelled out, and what the first page of the help leaves out. */
function addCommands(program: Command, words: readonly string[], choose: (run: Run) => void, isLong: boolean): void {
  // The table has just these names.
  for (const [name, spellOut] of Object.entries(table) as [CommandName, SpellOut][]) {
    const command = program.command(name)
    // The others only have to be known by name: all their options take as long as the rest of the start.
    if (!words.includes(name)) continue
    command.showHelpAfterError(hintAboutRedo(name, words) ?? hintAboutDiff(name, words) ?? hintAbout(name))
    command.description(isLong ? detailsOf(name).about : sentenceOf(name))
    command.addHelpText('after', isLong ? examplesAndExits(name) : `\nDetails and examples: relay help ${name}`)
    spellOut(command, choose)
  }
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(typed => {
      const known = { program, shared: program.options.filter(isShared) }
      choose(async system => (await import('./commands/complete.ts')).complete(system, typed, known))
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

/** A commit behind a blank is taken for a second prompt. */
function hintAboutDiff(command: string, words: readonly string[]): string | undefined {
  const next = words[words.indexOf('--include-diff=') + 1] ?? ''
  if (command !== 'ask' || !words.includes('--include-diff=') || !/^[^-\s]\S*$/.test(next)) return undefined
  return `Hint: A commit follows on a \`=\`: \`--include-diff=${next}\`.`
}

/** `--init` is the one command that is also an option. An action of its own for it would take mistyped commands too. */
function initAsCommand(argv: readonly string[]): readonly string[] {
  const command = argv.findIndex(word => !word.startsWith('-'))
  return argv.map((word, at) => (word === '--init' && (command < 0 || at < command) ? 'init' : word))
}

/** Commander takes the next word for an optional value. Of `--include-diff` it is the prompt: a commit follows on a `=`. */
function withEmptyValues(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return words.map((word, at) => (word === '--include-diff' && (end < 0 || at < end) ? `${word}=` : word))
}

/** Help for a command that there is not is that command mistyped: it gets the nearest word, not the whole help. */
function withoutIdleHelp(argv: readonly string[], program: Command): readonly string[] {
  const [help, name] = argv
  if (help !== 'help' || name === undefined) return argv
  // Commander would not mind one that nobody knows.
  if (name.startsWith('-')) return program.options.some(({ long }) => long === name) ? argv : argv.slice(1)
  if (name === 'help') return ['help']
  const isKnown = program.commands.some(command => command.name() === name || command.aliases().includes(name))
  return isKnown ? argv : argv.slice(1)
}
