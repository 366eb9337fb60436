import { agentNames } from '../../model/agent.ts'
import { type CommandName, exitMeanings, section } from './first-page.ts'

/** What `relay help <command>` prints beside the options, which are in `cli/table.ts`. */
interface Details {
  readonly about: string
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** The exit codes that matter; one that means something else here has its own words. */
  readonly exits: readonly (keyof typeof exitMeanings | readonly [code: string, meaning: string])[]
}

const overlap = `--on-overlap answers the question about overlapping edits beforehand: \`markers\` keeps both texts between conflict markers, \`model\` takes the text of the model, \`mine\` keeps yours.`
const overlapOfUndo = `Where edits overlap, relay shows both texts and asks. --on-overlap answers beforehand: \`markers\` keeps both texts between conflict markers, \`skip\` leaves the file as it is, \`old\` takes the text from before the change.`
const limits = 'After Ctrl+C, a crash or a limit, the same command goes on from there.'

const details: Readonly<Record<CommandName, Details>> = {
  init: {
    about: `Make this folder a project: write relaycode.config.json, look for a linter, and print and copy the instructions for your LLM. Paste them into the system prompt of your chat.

A configuration that is there already stays as it is. \`relay --init\` is the same.`,
    examples: [
      ['relay init', 'in the top folder of your project'],
      ['relay init --no-copy > prompt.md', 'write the instructions to a file'],
    ],
    exits: [0, 2, 8],
  },

  prompt: {
    about:
      'Print the instructions for your LLM, and copy them. They tell the model how to write an answer that relay can apply, with a title for the change: paste them into the system prompt of your chat.',
    examples: [
      ['relay prompt', 'then paste it into the chat'],
      ['relay prompt --edits', 'for a project with large files'],
      ['relay prompt --no-copy > prompt.md', 'write it to a file'],
    ],
    exits: [0, 2],
  },

  config: {
    about: `Without arguments, show all keys of relaycode.config.json with their values. With a key, show its value. With a key and a value, set the key: the rest of the file stays as it is, and a value that relay could not use is refused. \`linter\` may be a list of commands.

With --user it is your own file, for all projects: editor, singleKey, clipboard, notify, agent, and instructions for each LLM. Where a project has a value of its own, that counts.

A command that you set at a terminal may run from then on. A command that a script sets needs your yes at the next start.`,
    examples: [
      ['relay config', 'show all keys with their values'],
      ['relay config linter "eslint ."', 'check each change with eslint'],
      ['relay config linter \'""\'', 'no linter: check nothing'],
      ['relay config linter \'["tsc", "eslint ."]\'', 'run both'],
      ['relay config --user editor "code --wait"', 'in all your projects'],
    ],
    exits: [0, 2],
  },

  completion: {
    about:
      'Print a completion script for your shell. With it, Tab completes commands, options, their values, and the numbers of changes, newest first; zsh and fish show their titles.',
    examples: [
      ['source <(relay completion bash)', 'in ~/.bashrc'],
      ['source <(relay completion zsh)', 'in ~/.zshrc, below compinit'],
      ['relay completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
    exits: [0, 2],
  },

  pack: {
    about: `Copy files for your LLM, with the instructions for its answer and a tree of the project. Without a path, pack every file that git does not ignore, up to 100,000 tokens. relay leaves out binary files and files over 1 MB, and lock files, minified and generated ones that you do not name by their own paths, and names what it left out. It asks before it packs a secret.

relay remembers which version of each file it packed, so that it can merge the answer with edits that you make meanwhile.`,
    examples: [
      ['relay pack src README.md', 'copy these'],
      ['relay pack --changed main', 'copy what your branch changed'],
      ['relay pack --errors', 'copy the linter errors, with their files'],
      ["relay pack '!docs'", 'copy everything else'],
      ['relay pack "src/**/*.ts" -o pack.md', 'write a file'],
    ],
    exits: [0, ['2', 'wrong usage or configuration, or too large'], ['3', 'declined: nothing was packed'], 8],
  },

  ask: {
    about: `Ask another model through its own program: ${agentNames.join(', ')}, or an agent from your configuration. stdout is the answer, and nothing else. Without a prompt, relay reads stdin.

The agent can read the folder and change nothing. With --sandbox workspace-write it works in a private copy; relay then checks its work like a copied answer, keeps it as a change, and commits it. ${overlap}`,
    examples: [
      ['relay ask "Is this safe?" --include-diff', 'ask about your unstaged changes'],
      ['relay ask --to gemini --to claude < q.md', 'ask two, side by side'],
      ['relay ask --apply "Add a test"', 'apply the answer'],
    ],
    exits: [
      ['0', 'all answered; what was to be applied was kept'],
      2,
      ['3 to 7', 'as for relay apply, if something is applied'],
      ['8', 'the agent is not installed or not logged in'],
      ['9', 'an agent failed; the answers of others were printed'],
    ],
  },

  followup: {
    about:
      'Print a prompt about the answer that was rolled back last, and copy it. It asks the model for a corrected answer, and contains what relay tried, the new errors, and the files as they are now.',
    examples: [
      ['relay followup', 'then paste it into the chat'],
      ['relay followup --no-copy > ask.md', 'write it to a file'],
    ],
    exits: [0, ['2', 'wrong usage, or there is nothing to correct']],
  },

  agents: {
    about:
      'Show which agents are installed: the version of each, how strictly relay can confine it, and whether it seems to be logged in. This starts each program for its version only, and takes less than two seconds.',
    examples: [
      ['relay agents', 'which agents can relay use here?'],
      ['relay agents --json', 'the same for a program'],
    ],
    exits: [0, 2],
  },

  watch: {
    about: `Watch the clipboard, and apply each answer that you copy. relay saves the files, writes the change, and runs your commands and your linter. Then it keeps the change, asks you, or rolls all of it back.

While it waits, one key is a command: \`u\` undoes the newest change, \`d\` shows its diff, \`?\` lists all keys. Without a clipboard, paste each answer into this window.`,
    examples: [
      ['relay watch', 'run it in a spare terminal'],
      ['relay watch --json | my-bar', 'print one event a line for a program'],
    ],
    exits: [['0', 'ended by Ctrl+C or `q` while it waited'], 2, ['3', 'you did not agree to the commands'], 7, 8],
  },

  apply: {
    about: `Apply answers as \`relay watch\` does: from files, from stdin, or from the clipboard if you name no file. Several are applied one after the other; the first that fails ends the run.

Where an answer overlaps with your own edits, relay shows both and asks. ${overlap}`,
    examples: [
      ['relay apply', 'apply what is on the clipboard'],
      ['relay apply one.md two.md', 'apply two files in this order'],
      ['pbpaste | relay apply --yes', 'in a script: keep without a question'],
      ['relay apply --last', 'try the answer that was rolled back again'],
      ['relay apply --kept 3', 'apply work 3, as `relay status` lists it'],
    ],
    exits: [0, 2, 3, 4, 5, 6, 7, 8],
  },

  parse: {
    about:
      'Show what relay reads in an answer, what it would change here, or why relay cannot apply it. Nothing is written. Outside a project, relay reads the answer as one for the project that it names.',
    examples: [
      ['relay parse', 'read what is on the clipboard'],
      ['relay parse answer.md --json', 'read a file, and print JSON'],
    ],
    exits: [['0', 'done, whatever the answer is'], 2, 8],
  },

  plan: {
    about: `Write a plan together with an agent: a folder RAF/<id>-<name> of task files, which \`relay do\` carries out. Describe what you want in your editor or on stdin; then the agent talks with you in this terminal.

The agent works in a copy of the folder. relay takes over the task files and the decisions, and nothing else. It commits them only with --commit or --worktree. ${limits}`,
    examples: [
      ['relay plan fix-login', 'open your editor, then talk with the agent'],
      ['relay plan fix-login -y < wish.md', 'let the agent decide alone'],
      ['relay plan --amend fix-login', 'add tasks to a plan'],
    ],
    exits: [0, 2, 3, 8, ['9', 'the agent failed, or wrote no task']],
  },

  do: {
    about: `Carry out a plan in RAF/, one task after the other. A fresh agent works on each task in a private copy of the project. relay checks its work like a copied answer. Then it keeps the work as a change, with a report, and commits it. If the checks refuse it, the agent gets the errors and tries again.

\`relay undo\` undoes one task. The next \`relay do\` tries failed tasks again. Without a plan, relay asks which one you mean. ${limits}

${overlap}`,
    examples: [
      ['relay do', 'choose a plan from a list'],
      ['relay do fix-login --dry-run', 'show the order and the prompts'],
      ['relay do fix-login -w --after pr', 'work on a branch, then open a pull request'],
    ],
    exits: [
      ['0', 'all tasks are done'],
      2,
      3,
      7,
      8,
      ['9', 'work is left, or the branch could not be merged or get its pull request'],
    ],
  },

  loop: {
    about: `Work through the user stories of a prd.json, the lowest priority number first. A fresh agent works on each story in a private copy. A story passes when the agent says so and the checks agree; then relay commits it on the branch in "branchName" of the file.

The loop ends when all stories pass, after [max] iterations, or after three iterations without progress. ${limits}

${overlap}`,
    examples: [
      ['relay loop', 'run at most ten iterations'],
      ['relay loop 25 --agent claude', 'run more, with another agent'],
      ['relay loop --after pr', 'at the end, open a pull request'],
      ['relay loop --dry-run', 'show what would run'],
    ],
    exits: [
      ['0', 'all stories pass'],
      2,
      3,
      7,
      8,
      ['9', 'stories are left, or the branch could not be merged or get its pull request'],
    ],
  },

  prd: {
    about: `Look after the prd.json that \`relay loop\` works through:

  status             show which user stories pass (the default)
  check              look for what makes loops fail
  archive            copy this run to archive/, and begin a new progress.txt
  convert <prd.md>   have an agent write the prd.json from a Markdown file
  new [description]  have an agent ask questions, then write a PRD and prd.json
  skills [folder]    write the skills that teach this to your own agents

The agent of convert and new has no tools: it only writes text.`,
    examples: [
      ['relay prd', 'which user stories pass?'],
      ['relay prd check', 'is the file ready for a loop?'],
      ['relay prd new', 'describe a feature, then answer questions'],
      ['relay prd convert tasks/prd-x.md', 'write prd.json from a PRD'],
    ],
    exits: [
      0,
      2,
      ['5', 'skills: some files exist; relay left them alone'],
      ['6', 'the check found something to fix'],
      8,
      9,
    ],
  },

  delegate: {
    about: `Have an agent carry out an instruction in a clone of this repository, then push a branch and open a pull request. Your folder, your branches and your index stay as they are. stdout is the URL of the pull request.

Your checks run before the push, and the push uses your own keys. Each run is a session. Name it by the start of its id:

  list             show all sessions, and the disk space that they use
  status <id>      show one session
  cancel <id>      end the agent, and remove the session
  retry <id>       continue a session that ended early
  clean [id]       remove sessions that have ended`,
    examples: [
      ['relay delegate "Add a dark mode"', 'wait for the pull request'],
      ['relay delegate "Add a dark mode" --detach', 'work in the background'],
      ['relay delegate list', 'how do the sessions stand?'],
      ['relay delegate retry 1a2b3c4d', 'continue a session'],
      ['relay delegate --note journal.md --watch', 'take lines that end with ` /claude`'],
    ],
    exits: [
      0,
      2,
      3,
      ['8', 'no login, no network, or three sessions already run'],
      ['9', 'the agent failed, or the remote refused'],
    ],
  },

  log: {
    about:
      'List the changes of this project, newest first: title, number of files, new and fixed errors, and whether each is still in place.',
    examples: [
      ['relay log --since 2d', 'the changes of the last two days'],
      ['relay log --file src/api.ts', 'what changed this file?'],
      ['relay log --all --json', 'everything, for a program'],
    ],
    exits: [0, 2],
  },

  show: {
    about:
      'Show all about a change that was kept: the reasons that the model gave, how it was checked, what it did to the files, and what has become of each file since.',
    examples: [
      ['relay show', 'show the newest change'],
      ['relay show 42 --output', 'what did its commands print?'],
      ['relay show 42 --patch | git apply -R', 'undo it by hand, without relay'],
    ],
    exits: [0, 2],
  },

  commit: {
    about:
      'Commit changes that were kept, exactly their files as they are now: one commit a change. relay commits nothing, and ends with 5, where a file holds more than these changes; it says what else to name. With `"commit": true` each kept change is committed at once.',
    examples: [
      ['relay commit 41', 'commit this change'],
      ['relay commit 41 42 --squash', 'make one commit of both'],
    ],
    exits: [0, 1, 2, 5, 8],
  },

  title: {
    about:
      'Give a change that was kept another title. relay takes the title from the answer (`promptSummary`, or the first line of `gitCommitMsg`), and otherwise names the files.',
    examples: [['relay title 42 "Add dark mode"', '`relay log` shows it from now on']],
    exits: [0, 2],
  },

  diff: {
    about:
      'Show what a change did to the files in the end, including the work of your formatter. On a terminal it opens in your pager; in a pipe it is a patch for `git apply`.',
    examples: [
      ['relay diff 42', 'read it in your pager'],
      ['relay diff 42 > 42.patch', 'write a patch for `git apply`'],
    ],
    exits: [0, 2],
  },

  tell: {
    about: `Say a sentence to the agent of a run of \`do\`, \`loop\` or \`delegate\` that is under way, from any terminal. Its next turn begins with it, and no other: the same as the key \`m\` in the terminal of the run. The turn that is under way does not hear it. Until then \`relay status\` shows it; where no turn comes any more, the run says so at its end.

A turn that is cut off by a kill is made again with the same sentences.`,
    examples: [
      ['relay tell "Use the date library that is there"', 'to the only run here'],
      ['relay tell "No new dependencies" fix-login', 'to the run of this plan'],
    ],
    exits: [
      ['0', 'the next turn is told'],
      ['2', 'no run is under way, or more than one and none was named'],
    ],
  },

  stop: {
    about: `End a run of agents that is under way, from any terminal. The turn that is under way goes on to its end, and its work is checked and lands; then the run ends with the code 9. --now ends it at once, as Ctrl+C in its terminal does.

The same command goes on from there.`,
    examples: [
      ['relay stop', 'end the only run here after its turn'],
      ['relay stop fix-login --now', 'end the run of this plan at once'],
    ],
    exits: [
      ['0', 'the run ends'],
      ['2', 'no run is under way, or more than one and none was named'],
    ],
  },

  status: {
    about: `Show whether \`relay watch\` runs for this project, whether a question waits for you, what is unfinished, the newest change, and what happened today; then what agents work on now, their work that was set aside, the sessions of \`relay delegate\`, and how the plans in RAF/ stand.

With a plan, show how each of its tasks stands.`,
    examples: [
      ['relay status', 'how does everything stand?'],
      ['relay status fix-login', 'how does this plan stand?'],
      ['relay status --short 2>/dev/null', 'for a shell prompt; silent elsewhere'],
    ],
    exits: [0, 2],
  },

  undo: {
    about: `Undo the newest change; run it again for the one before. With a number, undo that change and keep the later ones.

Your later edits stay: relay merges them in. ${overlapOfUndo} An undo is checked like every change, and \`relay redo\` reverses it.`,
    examples: [
      ['relay undo', 'show what will happen, and ask'],
      ['relay undo 42', 'undo #42, and keep the later changes'],
      ['relay undo --yes', 'ask only where edits overlap'],
      ['relay undo --yes --on-overlap skip', 'leave files that overlap alone'],
    ],
    exits: [0, 2, 3, 4, 5, 7, 8],
  },

  redo: {
    about: `Redo the change that was undone last, also by its number; run it again for the one before. This works until another change is kept.

Your later edits stay: relay merges them in. ${overlapOfUndo}`,
    examples: [
      ['relay redo', 'show what will happen, and ask'],
      ['relay redo --yes', 'ask only where edits overlap'],
    ],
    exits: [0, 2, 3, 4, 5, 7, 8],
  },

  revert: {
    about: `Undo one change by its number, and keep the later ones. \`relay undo <number>\` does the same. To reverse it, run \`relay redo\`.

Your later edits stay: relay merges them in. ${overlapOfUndo}`,
    examples: [
      ['relay revert 42', 'undo #42, and keep the later changes'],
      ['relay revert 1b671a64', 'name it by the start of its uuid'],
    ],
    exits: [0, 2, 3, 4, 5, 7, 8],
  },

  doctor: {
    about:
      'Check everything that relay needs here, and say how to fix what is wrong: configuration, commands, linter, state folder, clipboard, terminal and agents. It runs the linter once. It asks before it writes to the clipboard, and then puts back what was there.',
    examples: [
      ['relay doctor', 'what is wrong here, and how do I fix it?'],
      ['relay doctor --yes --json', 'the same for a program'],
    ],
    exits: [['0', 'no problem was found'], 2, ['8', 'a problem was found']],
  },

  recover: {
    about:
      'Roll back what a crash left unfinished, and ask again about a question that was left open. Each command that writes does this first. Agents that outlived relay are ended.',
    examples: [
      ['relay recover', 'settle everything'],
      ['relay recover --dry-run', 'what is unfinished, and what would be done?'],
    ],
    exits: [
      0,
      2,
      ['3', 'you did not accept the folder .relaycode/'],
      ['7', 'something is unfinished, and needs you'],
      8,
    ],
  },

  prune: {
    about: `Remove the history of old changes, after a question. Give at least one of --keep, --older-than and --max-size. The history of the newest change always stays.

The files stay as they are. But a removed change can no longer be undone, and relay can no longer tell it from your own edits. relay also removes older copies that \`relay pack\` remembered, and older work of agents that was set aside.`,
    examples: [
      ['relay prune --keep 200 --dry-run', 'what would be removed?'],
      ['relay prune --older-than 90d', 'ask, then remove'],
    ],
    exits: [0, 2, ['3', 'declined: nothing was removed'], 8],
  },
}

/** What `relay help <command>` says beside the options. */
export function detailsOf(name: CommandName) {
  const { about, examples, exits } = details[name]
  return { about, examples, exits: exits.map(rowOf) }
}

/** The part below the options. */
export function examplesAndExits(name: CommandName): string {
  const { examples, exits } = detailsOf(name)
  return `\n${section('Examples', examples)}\n\n${section('Exit codes (all of them: relay help exit-codes)', exits)}`
}

function rowOf(exit: Details['exits'][number]): readonly [string, string] {
  return typeof exit === 'object' ? exit : [`${exit}`, exitMeanings[exit]]
}

export const exitCodes = `Exit codes

  0    Done, or there was nothing to do: the files are already as the answer
       wants them, it was applied before, or there is nothing to undo.
  1    An unexpected error. This is a bug in relay; please report it.
  2    Wrong usage, or a configuration that relay cannot use.
  3    Declined: you said no, or relay had to ask and there was no terminal.
       Nothing was kept. --yes answers the question after the check.
  4    preCommand or postCommand failed, and relay rolled the change back. (At
       a terminal relay asks you first when postCommand failed.)
  5    You changed files meanwhile, and the change overlaps with your edits.
       Your versions were kept. --on-overlap says what to do about them.
  6    The text is not an answer for this project, or relay refused the answer,
       or the files already hold its edits. Nothing was written. \`relay parse\`
       says why.
  7    A change is unfinished and needs you, or could not be rolled back
       completely. Run \`relay recover --dry-run\`, then \`relay recover\`.
  8    Something is missing on this machine: a clipboard, an agent, a permission
       or disk space. Or another relay has held the lock for a minute.
  9    An agent failed: it gave no answer, or not in time. If you asked several,
       the answers of the others were printed.
  129, 130, 143
       Ended by a signal (closed terminal, Ctrl+C, TERM), after a rollback.
       A \`relay watch\` that is idle ends with 0 on Ctrl+C.

Commands that only show something (log, show, diff, status, parse, --dry-run)
end with 0 whatever they show, with three exceptions: \`relay recover --dry-run\`
ends with 7 when something needs you, \`relay doctor\` with 8 when something is
wrong, and \`relay prd check\` with 6 when it finds something.`
