/** What `relay --help` prints, at most 80 columns wide. Each command's own page stands beside the command, in `cli.ts`. */
export const helpPage = `Usage: relay [options] [command]

Apply an LLM's answer from the clipboard to this project: checked, and kept or
taken back as a whole.

Options:
  -v, --version       print the version
  --init              the same as \`relay init\`
  --no-copy           with --init: leave the clipboard alone
  --no-input          never ask; what would need an answer is declined
  --trace             tell on stderr where the time goes
  -h, --help          print help

Set up:
  init                set up relay in this folder
  prompt              print and copy the instructions for your LLM
  config [key] [to]   show the configuration, or set a key of it
  completion <shell>  let bash, zsh or fish complete commands and numbers

Ask the model:
  pack [path...]      copy files and instructions for your LLM
  ask [prompt]        ask another model, by its own program
  followup            ask it to do better than what was rolled back
  agents              show which other models relay can ask here

Take patches:
  watch               apply each patch that is copied, until Ctrl+C
  apply [file...]     apply responses from files, stdin or the clipboard
  parse [file]        show what relay understands of a response

Let agents work:
  plan [name]         have an agent write a plan as task files
  do [project]        carry out a plan, task by task
  loop [max]          do the user stories of a prd.json, one after the other
  prd [what...]       check, show, write or archive a prd.json
  delegate [text...]  an agent works in a clone, up to a pull request

Look back:
  log                 list what was applied, newest first
  show [number]       show why one was made, what it changed, how it was checked
  diff [number]       show what one changed; in a pipe as a patch
  status [project]    show who watches, what is unfinished, how plans stand

Go back:
  undo [number]       take the newest back, or any one; later edits stay
  redo                take the last undo back
  revert <number>     take any one back, and keep the later ones

Keep in order:
  doctor              look at everything that relay needs here
  recover             take back what a crash left unfinished
  prune               remove old entries from the journal
  help [command]      print help for a command

Examples:
  relay --init           set up this project, and print the instructions
  relay watch            then copy answers in the chat
  relay apply answer.md  the same for a file; \`-\` or a pipe for stdin
  relay undo             take the newest back, and keep what you did since
  relay parse -          why was this answer not taken?

Exit codes (more: relay help exit-codes):
  0  done, or nothing to do           5  your own edits are in the way, and kept
  1  unexpected failure               6  no patch for this project, or refused
  2  wrong usage or configuration     7  something unfinished: relay recover
  3  declined                         8  clipboard, lock or machine
  4  a command failed, rolled back    9  an agent failed
  129, 130, 143  ended by a signal
`

/**
 * The answer to a command line that asks for nothing else: it is there before anything is loaded that understands
 * command lines, or the world.
 */
export function firstPage(argv: readonly string[], version: string): string | undefined {
  if (argv.length !== 1) return undefined
  switch (argv[0]) {
    case '--help':
    case '-h':
    case 'help':
      return helpPage
    case '--version':
    case '-v':
    case '-V':
      return `${version}\n`
    default:
      return undefined
  }
}
