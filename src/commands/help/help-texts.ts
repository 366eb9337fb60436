/** The texts of the help that are no list of commands or options. At most 80 columns wide. */

export const exampleLines = {
  config: [
    ['relay config', 'all keys with their values'],
    ['relay config linter "eslint ."', 'what checks each patch from now on'],
    ['relay config linter \'""\'', 'no linter: nothing is checked'],
    ['relay config policy.ask \'["db/**"]\'', 'a list is JSON'],
  ],
  completion: [
    ['source <(relay completion bash)', 'in ~/.bashrc'],
    ['source <(relay completion zsh)', 'in ~/.zshrc, below compinit'],
    ['relay completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  pack: [
    ['relay pack src README.md', 'these, on the clipboard'],
    ['relay pack --changed main', 'what your branch changed'],
    ['relay pack --errors', 'what the linter finds, with its files'],
    ["relay pack '!package-lock.json'", 'everything but that'],
    ['relay pack "src/**/*.ts" -o pack.md', 'into a file'],
  ],
  ask: [
    ['relay ask "Is this safe?" --include-diff', 'codex reads what is not staged'],
    ['relay ask --to gemini --to claude < q.md', 'two side by side'],
    ['relay ask --apply "Add a test"', 'taken like a copied answer'],
  ],
  plan: [
    ['relay plan fix-login', 'opens your editor, then a conversation'],
    ['relay plan fix-login -y < wish.md', 'the agent plans by itself'],
    ['relay plan --amend fix-login', 'more tasks for it'],
  ],
  loop: [
    ['relay loop', 'at most ten iterations, on its branch'],
    ['relay loop 25 --agent claude', 'more of them, with another agent'],
    ['relay loop --after pr', 'then push, and open a pull request'],
    ['relay loop --dry-run', 'what would be done?'],
  ],
  prd: [
    ['relay prd', 'which user stories pass?'],
    ['relay prd check', 'what speaks against it?'],
    ['relay prd new', 'describe a feature, answer questions'],
    ['relay prd convert tasks/prd-x.md', 'from a PRD in Markdown'],
  ],
  delegate: [
    ['relay delegate "Add a dark mode"', 'stdout is the pull request'],
    ['relay delegate "Add a dark mode" --detach', 'in the background'],
    ['relay delegate list', 'how they stand, how large they are'],
    ['relay delegate retry 1a2b3c4d', 'goes on where it ended'],
    ['relay delegate --note journal.md --watch', 'lines that end with ` /claude`'],
  ],
  watch: [
    ['relay watch', 'in a spare terminal; Ctrl+C ends it'],
    ['relay watch --json | my-bar', 'for a program: one event a line'],
  ],
  apply: [
    ['relay apply', 'what is on the clipboard'],
    ['relay apply one.md two.md', 'one after the other; the first that fails ends it'],
    ['pbpaste | relay apply --yes', 'in a script: keep without a question'],
    ['relay apply --last', 'what was rolled back last, once more'],
    ['relay apply --kept 3', 'work 3 of an agent, as relay status names it'],
  ],
  parse: [
    ['relay parse', 'what is on the clipboard'],
    ['relay parse answer.md --json', 'for a program'],
  ],
  followup: [
    ['relay followup', 'paste it into the chat'],
    ['relay followup --no-copy > ask.md', 'only the text'],
  ],
  agents: [
    ['relay agents', 'which agents can `relay ask` ask here?'],
    ['relay agents --json', 'for a program'],
  ],
  do: [
    ['relay do', 'which plan?'],
    ['relay do fix-login --dry-run', 'what would be done, and what would be sent?'],
    ['relay do fix-login -w --after pr', 'on a branch, then a pull request'],
  ],
  log: [
    ['relay log --since 2d', 'of the last two days'],
    ['relay log --file src/api.ts', 'what changed this file?'],
    ['relay log --all --json', 'everything, for a program'],
  ],
  show: [
    ['relay show', 'the newest'],
    ['relay show 42 --output', 'what did its commands print?'],
    ['relay show 42 --patch | git apply -R', 'without relay: take it back by hand'],
  ],
  diff: [
    ['relay diff 42', 'in your pager'],
    ['relay diff 42 > 42.patch', 'for git apply'],
  ],
  status: [['relay status --short 2>/dev/null', 'for a prompt: silent where no project is']],
  undo: [
    ['relay undo', 'shows what it will do, and asks'],
    ['relay undo 42', 'takes #42 back; what came later stays'],
    ['relay undo --yes', 'asks only where edits overlap'],
    ['relay undo --yes --on-overlap skip', 'leaves the files that overlap'],
  ],
  redo: [['relay redo', 'brings back what the last undo took']],
  revert: [
    ['relay revert 42', 'takes #42 back; what came later stays'],
    ['relay revert 1b671a64', 'the same by the beginning of its uuid'],
  ],
  recover: [['relay recover --dry-run', 'what is unfinished, and what would be done?']],
  doctor: [
    ['relay doctor', 'what is wrong here, and what to do about it?'],
    ['relay doctor --yes --json', 'for a program'],
  ],
  prune: [
    ['relay prune --keep 200 --dry-run', 'what would go?'],
    ['relay prune --older-than 90d', 'asks, then removes'],
  ],
} as const

/** Below a command's help. */
export function examplesOf(command: keyof typeof exampleLines): string {
  const rows: readonly (readonly [string, string])[] = exampleLines[command]
  const width = Math.max(...rows.map(([line]) => line.length))
  return ['', 'Examples:', ...rows.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`)].join('\n')
}

export const exitCodes = `Exit codes

  0    Done, or there was nothing to do: everything is as the patch wants it
       already, it was applied before, there is nothing to undo.
  1    An unexpected error, which is a defect of relay.
  2    Wrong usage, or a relaycode.config.json that cannot be used.
  3    Declined: you said no, or a question came up that nobody could be asked.
       Everything is as before. --yes answers the question of the check.
  4    preCommand or postCommand failed; everything is as before.
  5    Files were changed meanwhile, and what would have to be written overlaps
       with that. Your versions are kept. --on-overlap says what is to be there.
  6    The text holds no patch for this project, the patch was refused, or it
       has nothing but edits that are there already. Nothing was written. relay
       parse says why.
  7    A transaction is unfinished and needs you, or could not be taken back as
       a whole. See relay recover --dry-run, then run relay recover.
  8    The machine lacks something: no clipboard, no agent, no permission, no
       room, or another relay has held the lock for a minute.
  9    An agent failed: it gave no answer, or not in time. Of several, each that
       answered was printed.
  129, 130, 143
       Ended by a signal (the terminal went, Ctrl+C, TERM), after everything was
       taken back. relay watch that has nothing to do ends with 0 on Ctrl+C.

Commands that only show something (log, show, diff, status, parse, --dry-run)
end with 0 whatever they show, except relay recover --dry-run: 7 when something
needs you. relay doctor ends with 8 when something is wrong.`
