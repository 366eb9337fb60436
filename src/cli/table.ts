import { Argument } from 'commander'
import type { CommandName } from '../commands/help/first-page.ts'
import { mustNotBeAgent, row, type SpellOut, writing } from './row.ts'

const allowSensitive = ['--allow-sensitive', 'allow changes to files that can run commands'] as const
const allowAgent = ['--allow-sensitive', 'allow sensitive files, secrets and mass deletions'] as const
const trust = ['--trust', 'agree to the commands in relaycode.config.json'] as const
const noCopy = ['--no-copy', 'do not copy to the clipboard'] as const
const json = ['--json', 'print one JSON object'] as const
const which = ['[number]', 'number, or start of the uuid (default: the newest)'] as const

/** The options of all commands that undo something. The values of --on-overlap are those of `OverlapChoice`. */
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

/** The options of every command whose agents work on their own. */
const workAlone = {
  agent: ['--agent <agent>', 'agent that does the work (default claude)'],
  model: ['-m, --model <model>', 'model, by the name that the agent uses'],
  sandbox: ['--sandbox <sandbox>', 'workspace-write (default) or danger-full-access'],
  timeout: ['--timeout <time>', 'time limit of an attempt: 90s, 45m, 2h (default 1h)'],
  maxTime: ['--max-time <time>', 'time limit of the whole run'],
  maxCost: ['--max-cost <dollars>', 'cost limit of the whole run, if the agent tells it'],
  maxTokens: ['--max-tokens <number>', 'token limit: 500k, 2M; within a turn a lower bound'],
  wait: ['--wait <time>', 'longest wait for a usage limit (default 5h; 0: none)'],
  review: ['--review', 'ask about all work that the checks accept'],
  yes: ['-y, --yes', 'keep reviewed work, and the last work with its errors'],
  allowSensitive: allowAgent,
  trust: ['--trust', 'agree to the commands that relay and the agent run'],
  dryRun: ['--dry-run', 'show what would run, and start nothing'],
  json: ['--json', 'print events as JSON, one object a line'],
} as const

/** The same for work that lands beside the user's edits. */
const agentWork = { ...workAlone, onOverlap: overlap } as const

/** The commands as a table, in the order of the help. */
export const table: Readonly<Record<CommandName, SpellOut>> = {
  init: row({
    writes: true,
    options: { copy: noCopy },
    load: async () => (await import('../commands/init.ts')).init,
  }),

  prompt: row({
    options: { edits: ['--edits', 'also let the LLM edit files of more than 200 lines'], copy: noCopy },
    load: async () => (await import('../commands/prompt.ts')).prompt,
  }),

  config: (command, choose) =>
    command
      .argument('[key]', 'name of the key, such as linter or policy.ask')
      .argument('[value]', 'new value: a text, or JSON for a list; `\'""\'` is the empty text')
      .option('--user', 'your own settings, for all projects')
      .option('--unset', 'take the key out of the file')
      .action((key, value, options) =>
        choose(async system => {
          if (value !== undefined || options.unset === true) mustNotBeAgent(system)
          return (await import('../commands/config.ts')).config(system, key, value, options)
        }),
      ),

  completion: (command, choose) =>
    command
      .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
      .action(shell => choose(async system => (await import('../commands/completion.ts')).completion(system, shell))),

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
    load: async () => (await import('../commands/pack.ts')).pack,
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
      allowSensitive: allowAgent,
      trust: ['--trust', 'agree to what this project lets the agent run'],
      json: ['--json', 'print events as JSON, one object a line'],
    },
    load: async () => (await import('../commands/ask.ts')).ask,
  }),

  followup: row({
    options: { copy: noCopy },
    load: async () => (await import('../commands/followup.ts')).followup,
  }),

  agents: row({
    options: { json },
    load: async () => (await import('../commands/agents.ts')).agents,
  }),

  watch: row({
    writes: true,
    options: { trust, json: ['--json', 'also print events as JSON, one object a line'] },
    load: async () => (await import('../commands/watch.ts')).watch,
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
      declined: ['--declined <number>', 'apply an answer that was not kept; ask where a rule had declined it'],
      commit: ['--commit', 'commit what is kept, as `"commit": true` does'],
      kept: ['--kept [number]', 'apply work of an agent that was set aside; without a number, list such work'],
      dryRun: ['--dry-run', 'show what `relay parse` shows, and change nothing'],
    },
    load: async () => (await import('../commands/apply.ts')).apply,
  }),

  parse: row({
    takes: ['[file]', 'file with an answer; `-` is stdin, or a paste'],
    options: { json, projectId: ['--project-id <id>', 'read it as the project with this id would'] },
    load: async () => (await import('../commands/parse.ts')).parse,
  }),

  plan: row({
    writes: true,
    takes: ['[name]', 'name of the plan: letters, digits, hyphens (default: relay suggests one)'],
    options: {
      amend: ['-a, --amend <project>', 'add tasks to this plan; its other tasks stay'],
      worktree: ['-w, --worktree', 'commit the plan on a new branch; a work tree for you is under ~/.raf/worktrees'],
      yes: ['-y, --yes', 'have no conversation: the agent decides alone'],
      agent: ['--agent <agent>', 'agent that plans (default claude)'],
      model: ['-m, --model <model>', 'model, by the name that the agent uses'],
      commit: ['--commit', 'commit the plan'],
      timeout: ['--timeout <time>', 'with -y, time limit: 90s, 45m, 2h (default 1h)'],
      trust: ['--trust', 'agree to what this project lets the agent run'],
    },
    load: async () => (await import('../commands/plan.ts')).plan,
  }),

  do: row({
    writes: true,
    takes: ['[project]', 'id, name, part of the name, or folder of a plan'],
    options: {
      worktree: ['-w, --worktree', 'work on the branch of the plan; a work tree for you is under ~/.raf/worktrees'],
      after: [
        '--after <what>',
        'with -w, at the end: merge, pr or leave the branch (default: relay asks)',
        ['merge', 'pr', 'leave'],
      ],
      force: ['-f, --force', 'also redo tasks that are done'],
      attempts: ['--attempts <number>', 'attempts for each task (default 3)'],
      verbose: ['-v, --verbose', 'show what the agent says'],
      commit: ['--no-commit', 'do not commit what is kept'],
      ...agentWork,
      timeout: ['-t, --timeout <time>', agentWork.timeout[1]],
    },
    load: async () => (await import('../commands/do.ts')).doPlan,
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
      verbose: ['-v, --verbose', 'show what the agent says'],
      ...agentWork,
      agent: ['--agent <agent>', 'agent that does the work (default amp)'],
    },
    load: async () => (await import('../commands/loop.ts')).loop,
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
      load: async () => (await import('../commands/prd.ts')).prd,
    })
    // An agent may read.
    spell(command, run =>
      choose(async system => {
        const isReading = ['status', 'check', undefined].includes(command.args[0])
        return isReading ? run(system) : writing(() => run(system), system)
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
    load: async () => (await import('../commands/delegate.ts')).delegate,
  }),

  tell: (command, choose) =>
    command
      .argument('<sentence>', 'what the agent is to know, in a sentence')
      .argument('[book]', 'plan, prd.json or session of the run, where there are several')
      .action((sentence, book) =>
        choose(async system => {
          mustNotBeAgent(system)
          return (await import('../commands/tell.ts')).tell(system, sentence, book)
        }),
      ),

  stop: (command, choose) =>
    command
      .argument('[book]', 'plan, prd.json or session of the run, where there are several')
      .option('--now', 'end it at once, as Ctrl+C does')
      .action((book, { now }) =>
        choose(async system => {
          mustNotBeAgent(system)
          return (await import('../commands/stop.ts')).stop(system, book, { now })
        }),
      ),

  log: row({
    options: {
      file: ['--file <path>', 'only changes of this file, or of files in this folder'],
      since: ['--since <age>', 'only newer changes: 12h, 2d, today, 2026-11-20'],
      limit: ['-n, --limit <number>', 'show at most this many (default 20)'],
      all: ['--all', 'show everything, also what was declined or rolled back'],
      json,
    },
    load: async () => (await import('../commands/log.ts')).log,
  }),

  show: row({
    takes: which,
    options: {
      patch: ['--patch', 'print it as a patch for `git apply`'],
      output: ['--output', 'print what its commands printed'],
      reasoning: ['--reasoning', 'print what the model wrote beside the files'],
      json,
    },
    load: async () => (await import('../commands/show.ts')).show,
  }),

  commit: row({
    writes: true,
    takes: ['<number...>', 'number, or start of the uuid'],
    options: { squash: ['--squash', 'make one commit of all'] },
    load: async () => (await import('../commands/commit.ts')).commit,
  }),

  title: (command, choose) =>
    command
      .argument('<number>', 'number, or start of the uuid')
      .argument('<title>', 'what the change does, on one line')
      .action((number, title) =>
        choose(async system => {
          mustNotBeAgent(system)
          return (await import('../commands/title.ts')).title(system, number, title)
        }),
      ),

  diff: row({
    takes: which,
    options: { json },
    load: async () => (await import('../commands/diff.ts')).diff,
  }),

  status: row({
    takes: ['[project]', 'id, name, part of the name, or folder of a plan'],
    options: { short: ['-s, --short', 'print one line'], json },
    load: async () => (await import('../commands/status.ts')).status,
  }),

  undo: row({
    writes: true,
    takes: which,
    options: wayBack,
    load: async () => (await import('../commands/back.ts')).undo,
  }),

  redo: row({
    writes: true,
    options: wayBack,
    load: async () => (await import('../commands/back.ts')).redo,
  }),

  revert: row({
    writes: true,
    takes: ['<number>', 'number, or start of the uuid'],
    options: wayBack,
    load: async () => (await import('../commands/back.ts')).revert,
  }),

  doctor: row({
    options: { yes: ['-y, --yes', 'overwrite the clipboard for a moment without asking'], json },
    load: async () => (await import('../commands/doctor.ts')).doctor,
  }),

  recover: row({
    writes: true,
    recovers: true,
    options: {
      dryRun: ['--dry-run', 'show what would be done, and do nothing'],
      json: ['--json', 'with --dry-run, print one JSON object'],
      trust: ['--trust', 'accept a .relaycode/ that other users can write'],
    },
    load: async () => (await import('../commands/recover.ts')).recover,
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
    load: async () => (await import('../commands/prune.ts')).prune,
  }),
}
