import { Argument, Command, CommanderError, Option } from 'commander'
import { helpPage } from './commands/help/first-page.ts'
import { exampleLines, examplesOf, exitCodes } from './commands/help/help-texts.ts'
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
  readonly does: string
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
  const { does, takes, writes, options, load } = row
  const spelled: Readonly<Record<string, readonly [string, string, (readonly string[])?]>> = options
  return (command, choose) => {
    command.description(does)
    if (takes !== undefined) command.argument(...takes)
    for (const [flags, help, choices] of Object.values(spelled)) {
      const option = optionOf(flags, help)
      command.addOption(choices === undefined ? option : option.choices(choices))
    }
    command.action(() => {
      // The program knows `--no-copy` as well, for `relay --init`, and takes it wherever it stands.
      const typed = Object.entries(command.optsWithGlobals()).filter(([name]) => name in spelled)
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

const allowSensitive = ['--allow-sensitive', 'let it change files that make commands run'] as const
const trust = ['--trust', 'agree to the commands in relaycode.config.json'] as const
const noCopy = ['--no-copy', 'leave the clipboard alone'] as const
const json = ['--json', 'print one JSON object'] as const
const which = ['[number]', 'its number, or the beginning of its uuid; without it the newest'] as const

/** What all commands take that take something back; the values of --on-overlap are those of `OverlapChoice`. */
const wayBack = {
  yes: ['-y, --yes', 'ask only where edits overlap'],
  allowSensitive,
  onOverlap: [
    '--on-overlap <way>',
    'where edits overlap: keep both between markers, skip the file, or take the old text',
    ['markers', 'skip', 'old'],
  ],
  trust,
} as const

/** The values are those of `AnswerChoice`. */
const overlap = [
  '--on-overlap <way>',
  'where the answer overlaps with your edits: both between markers, the text of the model, or yours',
  ['markers', 'model', 'mine'],
] as const

/** What every command takes that has agents work by themselves. */
const workAlone = {
  agent: ['--agent <agent>', 'who works: claude, codex, …; see relay agents'],
  model: ['-m, --model <model>', 'as the program names it'],
  sandbox: ['--sandbox <sandbox>', 'what it may do: workspace-write, or danger-full-access'],
  timeout: ['--timeout <time>', 'how long one attempt may take: 60 (minutes), 90s, 2h'],
  maxTime: ['--max-time <time>', 'how long all of it may take'],
  maxCost: ['--max-cost <dollars>', 'how much it may cost, where the agent tells'],
  maxTokens: ['--max-tokens <number>', 'how many tokens it may use, where the agent tells: 2M'],
  wait: ['--wait <time>', 'how long a usage limit is waited for: 5h; 0 never'],
  review: ['--review', 'ask about every change'],
  yes: ['-y, --yes', 'keep without asking when the check would ask'],
  allowSensitive,
  trust: ['--trust', 'agree to the commands, and to what this project would let the agent run'],
  dryRun: ['--dry-run', 'only show what would be done, and start nothing'],
  json: ['--json', 'print what happens for programs, one JSON object a line'],
} as const

/** The same, where what they make lands beside the edits of the user. */
const discard = ['--discard-checkout', 'drop what was changed in the work tree and not committed'] as const

const agentWork = { ...workAlone, onOverlap: overlap } as const

/** The commands as a table, in the order of the help. */
const table: Readonly<Record<string, SpellOut>> = {
  init: row({
    does: 'Make this folder a project: write relaycode.config.json, look for a linter, and print the instructions for your LLM, which are copied as well. A second time it changes nothing.',
    writes: true,
    options: { copy: noCopy },
    load: async () => (await import('./commands/init.ts')).init,
  }),

  prompt: row({
    does: 'Print the instructions for your LLM once more, and copy them.',
    options: { edits: ['--edits', 'that also let it edit files of more than 200 lines'], copy: noCopy },
    load: async () => (await import('./commands/prompt.ts')).prompt,
  }),

  config: (command, choose) =>
    command
      .description(
        'Show the keys of relaycode.config.json with their values, or one of them; or set one. The rest of the file stays as it is, and nothing is written that relay could not read. A command that you set at a terminal is agreed to; one set without a terminal is asked about at the next start.',
      )
      .argument('[key]', 'such as linter, or policy.ask')
      .argument('[to]', 'its new value: JSON where the key takes it, else a text; `\'""\'` is the empty text')
      .action((key, to) =>
        choose(async system => {
          if (to !== undefined) mustNotBeAgent(system)
          return (await import('./commands/config.ts')).config(system, key, to)
        }),
      ),

  completion: (command, choose) =>
    command
      .description(
        'Print what makes your shell complete commands, options, and the numbers of transactions with their titles.',
      )
      .addArgument(new Argument('<shell>', 'yours').choices(['bash', 'zsh', 'fish']))
      .action(shell => choose(async system => (await import('./commands/completion.ts')).completion(system, shell))),

  pack: row({
    does: 'Copy files for your LLM, with the instructions for its answer and a tree, and remember what it was given. Without a path everything that git does not ignore, up to 100,000 tokens. Binary files and those over 1 MB are named and left out; secrets are asked about.',
    writes: true,
    takes: ['[path...]', 'files, folders and globs; `!glob` leaves out'],
    options: {
      changed: ['--changed [ref]', 'what differs from the last commit, or from this one, and new files'],
      staged: ['--staged', 'what the next commit changes'],
      errors: ['--errors', 'run the linter: the files with errors, and the errors'],
      limit: ['--limit <tokens>', 'leave the largest out until all of it fits, with the instructions: 100k'],
      stdout: ['--stdout', 'print it, and leave the clipboard alone'],
      output: ['-o, --output <path>', 'write it to a file, and leave the clipboard alone; `-` is stdout'],
      allowSecrets: ['--allow-secrets', 'do not ask about secrets'],
      trust,
    },
    load: async () => (await import('./commands/pack.ts')).pack,
  }),

  ask: row({
    does: 'Ask another model, by its own program: claude, codex, gemini, opencode, copilot, amp, or one of your configuration. stdout is its answer, and nothing else. It may read this folder and change nothing; with --sandbox workspace-write it works in a copy of its own, and what it made lands here, checked like a copied answer. Without a prompt stdin is read.',
    takes: ['[prompt]', 'the question; `-` is stdin, which is not read beside a given one'],
    options: {
      to: ['--to <agent...>', 'whom to ask: codex if it is there; several times: side by side'],
      repo: ['--repo <folder>', 'the folder that it is about: .'],
      contextFile: ['--context-file <file>', 'sent along, up to 200 kB'],
      contextText: ['--context-text <text>', 'the same, as a text: "$(git log -3)"'],
      includeDiff: [
        '--include-diff [ref]',
        'send along what is not staged, or with `=ref` what differs from a commit, up to 300 kB',
      ],
      timeout: ['--timeout <time>', 'how long it may take: 600 (seconds), 90s, 5m, 1h'],
      model: ['-m, --model <model>', 'as the program names it'],
      sandbox: [
        '--sandbox <sandbox>',
        'what it may do: read-only, workspace-write (edit files, run tests), or danger-full-access',
      ],
      apply: ['--apply', 'ask for an answer that relay can apply, and apply it'],
      yes: ['-y, --yes', 'keep what comes of it without asking when the check would ask'],
      onOverlap: overlap,
      commit: ['--no-commit', 'do not commit what an agent that may write has made'],
      allowSensitive,
      trust: ['--trust', 'agree to what this project would let the agent run'],
      json: ['--json', 'print what happens for programs, one JSON object a line'],
    },
    load: async () => (await import('./commands/ask.ts')).ask,
  }),

  followup: row({
    does: 'Print a prompt for the model about the response that was rolled back last, and copy it: what was tried, the new errors, the files as they are now, and how to answer.',
    options: { copy: noCopy },
    load: async () => (await import('./commands/followup.ts')).followup,
  }),

  agents: row({
    does: 'Show which agents are there for relay ask: version, how far each is kept to what it may do, and whether it looks logged in. Takes less than two seconds, and starts each program for its version alone.',
    options: { json },
    load: async () => (await import('./commands/agents.ts')).agents,
  }),

  watch: row({
    does: 'Apply each patch that is copied, one after the other: snapshot, write, commands, linter; then it is kept, asked about, or taken back as a whole. While it waits, one key undoes the newest or shows its diff; ? lists them all.',
    writes: true,
    options: { trust, json: ['--json', 'also print what happens for programs, one JSON object a line'] },
    load: async () => (await import('./commands/watch.ts')).watch,
  }),

  apply: row({
    does: 'Apply responses as relay watch does, from files, from stdin, or from the clipboard when nothing is named.',
    writes: true,
    takes: ['[file...]', 'files that hold a response; `-` is stdin, or a paste'],
    options: {
      yes: ['-y, --yes', 'keep without asking when the check would ask'],
      allowSensitive,
      trust,
      onOverlap: overlap,
      again: ['--again', 'also take a response that was applied, declined or undone before'],
      last: ['--last', 'take the response that was rolled back last'],
      kept: ['--kept [number]', 'land work of an agent that did not come home; without a number list it'],
      dryRun: ['--dry-run', 'only show what relay parse shows, and change nothing'],
    },
    load: async () => (await import('./commands/apply.ts')).apply,
  }),

  parse: row({
    does: 'Show what relay understands of a response, or why it takes none. Changes nothing. Outside a project it is read as one for the project that it names.',
    takes: ['[file]', 'a file that holds a response; `-` is stdin, or a paste'],
    options: { json, projectId: ['--project-id <id>', 'read it as a project of this id would'] },
    load: async () => (await import('./commands/parse.ts')).parse,
  }),

  plan: row({
    does: 'Have an agent write a plan as task files, RAF/<id>-<name>, that relay do carries out. You describe what you want in your editor, or on stdin; then the agent talks with you in this terminal, in a copy of the folder. Only the task files and what was decided come out of it. Nothing is committed unless you say so.',
    writes: true,
    takes: ['[name]', 'of the plan: letters, digits and hyphens; without it one is suggested'],
    options: {
      amend: ['-a, --amend <project>', 'plan more tasks for this project, and leave those that it has alone'],
      worktree: ['-w, --worktree', 'make and commit it on its branch, in a work tree below ~/.raf/worktrees'],
      yes: ['-y, --yes', 'no conversation: the agent decides by itself'],
      agent: ['--agent <agent>', 'who plans: claude if it is there; see relay agents'],
      model: ['-m, --model <model>', 'as the program names it'],
      commit: ['--commit', 'commit the plan'],
      timeout: ['--timeout <time>', 'with -y: how long it may take: 60 (minutes), 90s, 2h'],
      trust: ['--trust', 'agree to what this project would let the agent run'],
    },
    load: async () => (await import('./commands/plan.ts')).plan,
  }),

  do: row({
    does: 'Carry out a plan, RAF/<id>-<name>, one task after the other, each with a fresh agent that works in a copy of its own. What it made of a task comes home with its outcome, checked like a copied answer, and is committed: relay undo takes one task back. What does not count goes back to the agent with the errors. Tasks that failed before are tried again. Without a project it asks which.',
    writes: true,
    takes: ['[project]', 'its id, its name or a part of it, or its folder'],
    options: {
      worktree: ['-w, --worktree', 'work on the branch of the plan, in a work tree below ~/.raf/worktrees'],
      after: ['--after <what>', 'with -w: what becomes of the branch when all is done', ['merge', 'pr', 'leave']],
      force: ['-f, --force', 'also do again what is done'],
      attempts: ['--attempts <number>', 'how often an agent may try one task: 3'],
      verbose: ['-v, --verbose', "show the agent's words"],
      commit: ['--no-commit', 'do not commit what lands here'],
      discardCheckout: discard,
      ...agentWork,
      timeout: ['-t, --timeout <time>', agentWork.timeout[1]],
    },
    load: async () => (await import('./commands/do.ts')).doPlan,
  }),

  loop: row({
    does: 'Work through the user stories of a prd.json, the lowest priority number first, each with a fresh agent that works in a copy of its own. A story passes when the agent says so and the checks agree; then it is committed on the branch "branchName". Ends when all pass, after `max` iterations (10), or when nothing moves any more.',
    writes: true,
    takes: ['[max]', 'how many iterations there may be: 10'],
    options: {
      prd: ['--prd <file>', 'the prd.json: the one here, or in scripts/ralph/'],
      base: ['--base <branch>', 'where the branch begins: where you are'],
      after: ['--after <what>', 'what becomes of the branch when all pass', ['merge', 'pr', 'leave']],
      discardCheckout: discard,
      ...agentWork,
    },
    load: async () => (await import('./commands/loop.ts')).loop,
  }),

  prd: (command, choose) => {
    const spell = row({
      does: 'Show which user stories of a prd.json pass; or check it by the rules that a good one keeps (6: findings), archive it with its progress.txt, have an agent without tools write it from a PRD (convert) or from a description (new), or write out the skills for agents.',
      takes: ['[what...]', 'status, check, archive, convert <prd.md>, new [description], or skills [folder]'],
      options: {
        prd: ['--prd <file>', 'the prd.json: the one here, or in scripts/ralph/'],
        agent: ['--agent <agent>', 'who writes it'],
        model: ['-m, --model <model>', 'as the program names it'],
        timeout: ['--timeout <time>', 'how long a turn may take: 10 (minutes), 90s'],
        trust: ['--trust', 'agree to what this project would let the agent run'],
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
    does: 'Have an agent carry out an instruction in a clone of this repository, and open a pull request with what it made: a branch, its work, your checks, a commit, a push with your own keys. Your folder stays as it is. Sessions are looked after with `list`, `status`, `cancel`, `retry` and `clean`; `--note` takes each line of a Markdown file that ends with ` /claude`.',
    writes: true,
    takes: ['[text...]', 'the instructions, `-` is stdin; or list, status, cancel, retry, clean and a session'],
    options: {
      gitDir: ['--git-dir <folder>', 'the repository: .'],
      extra: ['--extra <text>', 'more instructions'],
      instructionsFile: ['--instructions-file <file>', 'the same, from a .md file'],
      base: ['--base <branch>', 'where its branch begins, and is to go into: your HEAD, the default branch'],
      detach: ['--detach', 'go on in the background, also when the terminal is closed; print the id of the session'],
      pr: ['--no-pr', 'push, and open no pull request'],
      note: ['--note <file>', 'delegate the lines that end with ` /claude`, and keep them up to date'],
      watch: ['--watch', 'with --note: until Ctrl+C'],
      attempts: ['--attempts <number>', 'how many there may be'],
      ...workAlone,
    },
    load: async () => (await import('./commands/delegate.ts')).delegate,
  }),

  log: row({
    does: 'List the transactions of this project, newest first: what, how many files, new and fixed errors, and whether it still stands.',
    options: {
      file: ['--file <path>', 'only what changed this file, or files in this folder'],
      since: ['--since <age>', 'only what is newer: 12h, 2d, today, 2026-11-20'],
      limit: ['-n, --limit <number>', 'so many instead of 20'],
      all: ['--all', 'all of them, and what was declined or rolled back'],
      json,
    },
    load: async () => (await import('./commands/log.ts')).log,
  }),

  show: row({
    does: 'Show all about a transaction that was kept: why it was made, how it was checked, what it changed, and what became of each file since.',
    takes: which,
    options: {
      patch: ['--patch', 'print it as a patch that `git apply` takes'],
      output: ['--output', 'print what the commands printed'],
      reasoning: ['--reasoning', 'print all that the model said'],
      json,
    },
    load: async () => (await import('./commands/show.ts')).show,
  }),

  diff: row({
    does: 'Show what a transaction changed in the end, formatter included: in your pager on a terminal, and in a pipe as a patch that `git apply` takes.',
    takes: which,
    options: { json },
    load: async () => (await import('./commands/diff.ts')).diff,
  }),

  status: row({
    does: 'Show whether somebody watches the clipboard for this project, whether relay waits for your answer, what is unfinished, what was kept last, what happened today, which work of agents did not come home, and how the plans in RAF/ stand; with a project, how each of its tasks stands.',
    takes: ['[project]', 'one plan: its id, its name or a part of it, or its folder'],
    options: { short: ['--short', 'on one line'], json },
    load: async () => (await import('./commands/status.ts')).status,
  }),

  undo: row({
    does: 'Take the newest transaction that stands back; once more: the one before. With a number the same as relay revert. What was changed since is merged in. Where it overlaps relay shows both texts and asks. The undo is checked like any patch, and can itself be undone: relay redo.',
    writes: true,
    takes: which,
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).undo,
  }),

  redo: row({
    does: 'Take the last undo back; once more: the one before. Only while nothing new was kept since.',
    writes: true,
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).redo,
  }),

  revert: row({
    does: 'Take one transaction back, whichever it is, and keep what came later. Where they overlap relay shows both texts and asks. relay undo takes the revert back.',
    writes: true,
    takes: ['<number>', 'its number, or the beginning of its uuid'],
    options: wayBack,
    load: async () => (await import('./commands/back.ts')).revert,
  }),

  doctor: row({
    does: 'Look at everything that relay needs here, and say what to do: configuration, commands, linter (runs it once), state folder, clipboard (asks before it writes, and puts back what was there), terminal, agents. Ends with 8 when something is wrong.',
    options: { yes: ['-y, --yes', 'overwrite the clipboard for a moment without asking'], json },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  }),

  recover: row({
    does: 'Take back what a crash left unfinished, and ask about what was left open. Every command that writes does it first.',
    writes: true,
    options: {
      dryRun: ['--dry-run', 'only show what would be done'],
      json: ['--json', 'with --dry-run: print one JSON object'],
      trust: ['--trust', 'agree to a .relaycode/ that others can write'],
    },
    load: async () => (await import('./commands/recover.ts')).recover,
  }),

  prune: row({
    does: 'Remove old entries from the journal, never the newest, after a question, and what relay pack gave and agents made before them. What they changed stays, but can no longer be undone, nor told from your own edits.',
    writes: true,
    options: {
      keep: ['--keep <number>', 'keep so many of the newest'],
      olderThan: ['--older-than <age>', 'remove what is older: 12h, 30d, 8w, 1y'],
      maxSize: ['--max-size <size>', 'keep the newest that fit: 500kB, 100MB, 2GB'],
      dryRun: ['--dry-run', 'only say what would go'],
      yes: ['-y, --yes', 'do not ask'],
      json: ['--json', 'with --dry-run: print one JSON object'],
    },
    load: async () => (await import('./commands/prune.ts')).prune,
  }),
}

/** For the tests: each has its line on the first page of the help. */
export const commandNames: readonly string[] = Object.keys(table)

/**
 * What a command line wants run, or the exit code when it only wanted help or is wrong; the words for that have been
 * said.
 */
export function chooseCommand(argv: readonly string[], start: Start): Run | number {
  const empty = argv.findIndex(word => /^(?:--[a-z-]+=)?$/.test(word))
  // While a command is typed its last word often is. As a path it would be the folder.
  if (empty >= 0 && argv[0] !== 'complete') {
    start.err(`Error: an empty argument behind '${argv[empty] || (argv[empty - 1] ?? 'relay')}'\n`)
    const orEmpty = argv[0] === 'config' ? ' For an empty text write \'""\'.' : ''
    start.err(`Hint: A variable of your shell may not be set.${orEmpty}\n`)
    return 2
  }
  let chosen: Run | undefined
  const program = createProgram(start)
  // Commander knows one short form; the other is as common.
  const words = withEmptyValues(initAsCommand(argv).map(word => (word === '-V' ? '-v' : word)))
  addCommands(program, words, run => {
    chosen = run
  })
  try {
    program.parse(withoutIdleHelp(words, program), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  return chosen ?? 2
}

function createProgram({ version, out, err }: Start): Command {
  const program = new Command('relay')
    .version(version, '-v, --version')
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
  return program
}

/** Those of the table, of which the ones that were typed are spelled out, and what the first page of the help leaves out. */
function addCommands(program: Command, words: readonly string[], choose: (run: Run) => void): void {
  for (const [name, spellOut] of Object.entries(table)) {
    const command = program.command(name)
    // The others only have to be known by name: all their options take as long as the rest of the start.
    if (!words.includes(name)) continue
    command.showHelpAfterError(hintAboutRedo(name, words) ?? hintAboutDiff(name, words) ?? hintAbout(name))
    if (name in exampleLines) command.addHelpText('after', examplesOf(name as keyof typeof exampleLines))
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

function isShared({ long }: Option): boolean {
  return long === '--no-input' || long === '--trace'
}

function hintAbout(command: string): string {
  return `Hint: Run \`relay help ${command}\`.`
}

/** Whoever names a transaction wants an earlier undo back, which is another command. */
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
