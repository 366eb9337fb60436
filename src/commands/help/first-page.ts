/** The commands in the order of the help, each as it is typed, with what it does. Its details are in `help-texts.ts`. */
export const groups = {
  'Set up': [
    ['init', 'set up relay in this folder'],
    ['prompt', 'print and copy the instructions for your LLM'],
    ['config [key] [value]', 'show the configuration, or set a key'],
    ['completion <shell>', 'print a completion script for your shell'],
  ],
  'Ask a model': [
    ['pack [path...]', 'copy files and instructions for your LLM'],
    ['ask [prompt]', 'ask another model through its own program'],
    ['followup', 'copy a prompt that asks for a corrected answer'],
    ['agents', 'show which agents relay can use here'],
  ],
  'Apply answers': [
    ['watch', 'apply each answer that you copy, until Ctrl+C'],
    ['apply [file...]', 'apply an answer from a file, stdin or the clipboard'],
    ['parse [file]', 'show what relay reads in an answer; change nothing'],
  ],
  'Let agents work': [
    ['plan [name]', 'write a plan as task files, together with an agent'],
    ['do [project]', 'carry out a plan, task by task'],
    ['loop [max]', 'work through the user stories of a prd.json'],
    ['prd [what...]', 'show, check, write or archive a prd.json'],
    ['delegate [text...]', 'turn an instruction into a pull request'],
    ['tell <sentence> [book]', 'say a sentence to the agent that works'],
    ['stop [book]', 'end a run of agents after this turn'],
  ],
  'Look back': [
    ['log', 'list the changes, newest first'],
    ['show [number]', 'show a change: its reasons, files and checks'],
    ['commit <number...>', 'commit changes with git'],
    ['title <number> <title>', 'give a change another title'],
    ['diff [number]', 'show what a change did to the files, as a diff'],
    ['status [project]', 'show what runs, what is unfinished and how plans stand'],
  ],
  Undo: [
    ['undo [number]', 'undo the newest change, or the one that you name'],
    ['redo', 'redo the change that was undone last'],
    ['revert <number>', 'undo one change, and keep the later ones'],
  ],
  Maintenance: [
    ['doctor', 'check everything that relay needs here'],
    ['recover', 'roll back what a crash left unfinished'],
    ['prune', 'remove the history of old changes'],
    ['help [command]', 'print the details of a command'],
  ],
} as const

type Typed = (typeof groups)[keyof typeof groups][number][0]
type FirstWord<Text extends string> = Text extends `${infer First} ${string}` ? First : Text
export type CommandName = Exclude<FirstWord<Typed>, 'help'>

/** What each command does, by its name. */
export const summaries: ReadonlyMap<string, string> = new Map(
  Object.values(groups)
    .flat()
    .map(([typed, does]) => [typed.replace(/ .*/, ''), does]),
)

/** What an exit code means for most commands. */
export const exitMeanings = {
  0: 'done, or nothing to do',
  1: 'unexpected error',
  2: 'wrong usage or configuration',
  3: 'declined; nothing was kept',
  4: 'a command failed; the change was rolled back',
  5: 'your own edits are in the way; they were kept',
  6: 'no answer for this project, or refused',
  7: 'something is unfinished: run relay recover',
  8: 'a clipboard, an agent or a permission is missing',
  9: 'an agent failed',
  '129, 130, 143': 'ended by a signal',
} as const

export const purpose = `Apply an LLM's answer from the clipboard to this project. relay checks each
change, then keeps it, asks you, or rolls all of it back.`

export const options = [
  ['-V, --version', 'print the version'],
  ['--init', 'the same as `relay init`'],
  ['--no-copy', 'with --init: do not copy the instructions'],
  ['--no-input', 'never ask; a question counts as declined'],
  ['--trace', 'print on stderr how long each step takes'],
  ['-h, --help', 'print a summary (-h) or all of this (--help)'],
] as const

export const examples = [
  ['relay --init', 'set up this project, and print the instructions'],
  ['relay watch', 'then copy answers in your chat'],
  ['relay apply answer.md', 'apply a file; `-` is stdin'],
  ['relay undo', 'undo the newest change; your later edits stay'],
  ['relay parse -', 'find out why an answer was not applied'],
] as const

/** What `relay -h` prints. No page is wider than 80 columns. */
export function shortPage(): string {
  return `Usage: relay [options] [command]

${purpose}

${commandList()}

Start with \`relay --init\`, then \`relay watch\`.
Options, examples and exit codes: relay --help
Details of a command: relay help <command>
`
}

/** What `relay --help` prints. */
export function longPage(): string {
  return `Usage: relay [options] [command]

${purpose}

${section('Options', options)}

${commandList()}

${section('Examples', examples)}

${section('Exit codes', Object.entries(exitMeanings))}

Details: relay help <command>, relay help exit-codes
`
}

function commandList(): string {
  const width = widthOf(Object.values(groups).flat())
  return Object.entries(groups)
    .map(([heading, rows]) => section(heading, rows, width))
    .join('\n\n')
}

type Rows = readonly (readonly [string, string])[]

/** A heading, and rows of two columns below it. */
export function section(heading: string, rows: Rows, width = widthOf(rows)): string {
  return [`${heading}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)].join('\n')
}

function widthOf(rows: Rows): number {
  return Math.max(...rows.map(([left]) => left.length))
}

/**
 * The answer to a command line that asks for nothing else: it is there before anything is loaded that understands
 * command lines, or the world.
 */
export function firstPage(argv: readonly string[], version: string): string | undefined {
  if (argv.length !== 1) return undefined
  switch (argv[0]) {
    case '-h':
      return shortPage()
    case '--help':
    case 'help':
      return longPage()
    case '--version':
    case '-v':
    case '-V':
      return `${version}\n`
    default:
      return undefined
  }
}
