import * as v from 'valibot'
import { agentNames, usualLimits } from '../model/agent.ts'

/** Adds the allowed values, in words, and the meaning of the key. */
function key<const T extends v.GenericSchema>(type: T, allowed: string, description: string) {
  return v.pipe(type, v.description(description), v.metadata({ allowed }))
}

/** Without a highest number, any safe integer is allowed. */
function wholeNumber(description: string, byDefault: number, from: number, to?: number) {
  const type = v.pipe(v.number(), v.integer(), v.minValue(from), v.maxValue(to ?? Number.MAX_SAFE_INTEGER))
  return v.optional(
    key(type, `a whole number from ${from}${to === undefined ? '' : ` to ${to}`}`, description),
    byDefault,
  )
}

/** The first word is the default. */
function either<const First extends string, const Second extends string>(
  description: string,
  words: readonly [First, Second],
) {
  return v.optional(key(v.picklist(words), words.map(quoted).join(' or '), description), words[0])
}

function flag(description: string, byDefault: boolean) {
  return v.optional(key(v.boolean(), 'true or false', description), byDefault)
}

/** A shell command; none by default. */
function command(description: string) {
  const type = v.pipe(v.string(), v.regex(/^[^\u0000]*$/))
  return v.optional(key(type, 'a shell command as text, or "" for none', description), '')
}

/** Fractions of a second are allowed. */
function seconds(description: string, byDefault: number) {
  const type = v.pipe(v.number(), v.gtValue(0), v.maxValue(86_400))
  return v.optional(key(type, 'a number above 0, at most 86400', description), byDefault)
}

/** Globs; none by default. */
function globs(description: string) {
  const type = v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(1000)))
  return v.optional(key(type, 'a list of globs, each a text of 1 to 1000 characters', description), [])
}

/** Commands; none by default. */
function commands(description: string) {
  const type = v.array(v.pipe(v.string(), v.regex(/^(?!\s*$)[^\u0000\n]*$/)))
  return v.optional(key(type, 'a list of commands, each a text on one line', description), [])
}

/** Places inside the project; none by default. */
function places(allowed: string, description: string) {
  const place = v.pipe(v.string(), v.maxLength(1000), v.regex(insideProject))
  return v.optional(key(v.array(place), `a list of ${allowed} inside the project`, description), [])
}

/** Relative, never upwards, and not in git's or relay's folder. A leading `!` would negate a glob. */
const insideProject = /^(?![!/~])(?!(?:.*\/)?(?:\.{1,2}|\.[Gg][Ii][Tt]|\.relaycode)(?:\/|$))[^\u0000-\u001f\\]+$/

/** Starts an agent, so it must not be empty. */
const agentCommand = v.pipe(v.string(), v.regex(/^(?!\s*$)[^\u0000]*$/))

/** Names of variables. */
const variables = v.array(v.pipe(v.string(), v.regex(/^[^\s=\u0000]+$/)))

/** The project's own agents by name; none by default. No name is a built-in agent's. */
function ownAgents(description: string) {
  const name = v.pipe(v.string(), v.regex(new RegExp(`^(?!(?:${agentNames.join('|')})$)[a-z][a-z0-9_-]{0,39}$`)))
  const agent = v.union([
    v.strictObject({ command: agentCommand, env: v.optional(variables) }),
    v.strictObject({
      like: v.picklist(agentNames),
      command: agentCommand,
      // A name that begins with a dash would be taken for an option.
      model: v.optional(v.pipe(v.string(), v.regex(/^[^\s\u0000-][^\u0000]*$/))),
      args: v.optional(v.array(v.pipe(v.string(), v.regex(/^[^\u0000]*$/)))),
      env: v.optional(variables),
    }),
  ])
  const allowed =
    'agents by new names in small letters: {"command": "…"}, with "env", or with "like", "model" and "args" too'
  return v.optional(key(v.record(name, agent), allowed, description), {})
}

/** A key that the user can set below the project's: without a default, so that what is missing stays missing. */
function below<const T extends v.GenericSchema>({ wrapped }: { readonly wrapped: T }) {
  return v.exactOptional(wrapped)
}

/** Each of these keys may be missing. */
function keysBelow<const Entries extends v.ObjectEntries>(description: string, entries: Entries) {
  const names = Object.keys(entries).map(quoted)
  const allowed = `an object with ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return key(v.object(entries), allowed, description)
}

function quoted(word: string): string {
  return `"${word}"`
}

/**
 * Every key of `relaycode.config.json`: its default, its allowed values, and its meaning.
 *
 * A key is described only here. The JSON Schema for editors, the table in `docs/configuration.md`, and the messages
 * about wrong values are made from it.
 */
export const configSchema = v.object({
  $schema: v.optional(
    key(v.string(), 'a text', 'Where editors find the description of this file. relay does not read it.'),
  ),
  projectId: key(
    // One line that is not blank, without control characters or invisible ones: it must survive a trip through YAML and
    // a chat, and it is printed as it is.
    v.pipe(
      v.string(),
      v.regex(
        /^(?!\s*$)[^\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\udb40\ufeff\ufff0-\uffff]*$/,
      ),
      v.maxLength(200),
    ),
    'a text on one line, not blank, without control or invisible characters, at most 200 long',
    'The name that an answer must carry to be applied here. Part of the instructions that your LLM gets.',
  ),
  clipboardPollInterval: wholeNumber('Milliseconds between two checks of the clipboard.', 2000, 100, 3_600_000),
  approval: v.optional(
    key(
      v.picklist(['yes', 'no', 'never']),
      '"yes", "no" or "never"',
      '`"yes"`: relay keeps a change without a question if it has no flags and at most `approvalOnErrorCount` new errors, and asks about others. `"no"`: relay asks about every change. `"never"`: it declines those others unasked.',
    ),
    'yes',
  ),
  approvalOnErrorCount: wholeNumber('How many new errors the linter may find before relay asks.', 0, 0),
  commit: flag(
    '`true`: each change that is kept becomes a git commit, of exactly its files, with your hooks and signing.',
    false,
  ),
  linter: v.optional(
    key(
      v.union([
        v.pipe(v.string(), v.regex(/^[^\u0000]*$/)),
        v.array(v.pipe(v.string(), v.regex(/^(?!\s*$)[^\u0000\n]*$/))),
      ]),
      'a shell command as text, a list of commands, or "" for none',
      'The command that finds errors, run before and after each change; of a list each runs, and their errors count together. `""`: relay checks nothing, and keeps a change without flags.',
    ),
    '',
  ),
  preCommand: command('A command to run before an answer is applied. If it fails, the answer is not applied.'),
  postCommand: command(
    'A command to run after an answer is applied and before the last check: a formatter, the tests. If it fails, relay asks; without a terminal it rolls back.',
  ),
  commandTimeout: seconds(
    'Seconds that one of these commands may take before relay ends it. Time in which the machine sleeps, or the whole command is stopped, does not count.',
    600,
  ),
  durability: either(
    '`"full"`: relay syncs everything to the disk at each step, and survives a power cut. `"fast"`: it survives a crash of relay, but not one of the machine.',
    ['full', 'fast'],
  ),
  clipboard: either(
    '`"auto"`: waits for the desktop to announce a copy if it can, else checks every `clipboardPollInterval`. `"poll"`: always checks.',
    ['auto', 'poll'],
  ),
  singleKey: flag('`true`: an answer is one key, without Enter.', false),
  notify: v.optional(
    key(
      v.pipe(v.string(), v.regex(/^(?!\s*$)[^\u0000]*$/)),
      '"auto", "osc", "bell", "off", or a shell command as text',
      'How relay tells you that it waits for your answer, or that a run of agents has ended: `"auto"`, `"osc"` (the terminal\'s notification), `"bell"`, `"off"`, or your own command.',
    ),
    'auto',
  ),
  instructions: either(
    'What `relay prompt` asks the LLM for. `"files"`: whole files. `"edits"`: edits as well, for files of more than 200 lines.',
    ['files', 'edits'],
  ),
  limits: v.optional(
    keysBelow('Limits beyond which relay refuses an answer.', {
      responseBytes: wholeNumber('How many bytes an answer may have.', 67_108_864, 1),
      files: wholeNumber('How many files one answer may touch.', 10_000, 1),
      fileBytes: wholeNumber(
        'How many bytes one file may have, before and after the change: relay stores both for undo.',
        67_108_864,
        1,
      ),
      pathLength: wholeNumber('How many bytes one path may have.', 1024, 1, 4096),
    }),
    {},
  ),
  policy: v.optional(
    keysBelow('Which files an answer may touch, relative to the project. These rules can only add to those of relay.', {
      ask: globs('Globs of files about which relay always asks, before anything is run or written.'),
      deny: globs('Globs of files that no answer may touch: relay refuses the whole answer.'),
      allowDeletes: flag('`false`: relay refuses an answer that deletes a file.', true),
    }),
    {},
  ),
  agent: v.optional(
    key(
      v.pipe(v.string(), v.regex(/^(?:[a-z][a-z0-9_-]{0,39})?$/)),
      'the name of an agent, or "" for none',
      'The agent to use where the command line names none. `""`: each command has its own choice.',
    ),
    '',
  ),
  agents: ownAgents(
    'Agents of your own. `command` alone: text in, text out. With `like`: a program that is used as that agent is.',
  ),
  allow: commands(
    'Commands that an agent may run in `workspace-write`, beside the usual test commands, the linter and `postCommand`.',
  ),
  attempts: wholeNumber('How often an agent may try a task before it has failed.', usualLimits.attempts, 1, 100),
  turnTimeout: v.optional(
    key(
      v.pipe(v.number(), v.gtValue(0), v.maxValue(1440)),
      'a number above 0, at most 1440',
      'Minutes that an agent may work on a task in one go. `relay ask` has a time of its own.',
    ),
    usualLimits.turnMinutes,
  ),
  agentGrace: seconds(
    'Seconds that an agent may go on after it has said that it is done, before it is ended.',
    usualLimits.grace,
  ),
  agentSilence: seconds('Seconds without a sign of life after which an agent is ended.', usualLimits.silence),
  checkout: v.optional(
    keysBelow('What the copy of the project in which an agent works needs beside the files that git knows.', {
      setup: command(
        'A command to run in the copy when it is new, and again when a lock file has changed. Its output is not part of the change. With a setup command relay links no `.venv`: the command must create it.',
      ),
      link: places(
        'paths',
        'Folders that git ignores and the copy shares with the project, by a link: an agent that writes there writes into yours.',
      ),
      copy: places('globs', 'Globs of files that git ignores and the copy gets as well: `.env`.'),
      env: v.optional(
        key(
          variables,
          'a list of names of variables',
          "Variables with secrets that your commands get, although they run an agent's work: `DB_PASSWORD`.",
        ),
        [],
      ),
      fresh: flag(
        "`true`: before the checks on a branch everything that git ignores is removed from an agent's copy, build output too.",
        false,
      ),
    }),
    {},
  ),
})

const { $schema, singleKey, clipboard, notify, agent } = configSchema.entries

/** Every key of the user's own file. It holds what is a person's, and nothing that decides about changes. */
export const userSchema = v.object({
  $schema,
  editor: v.exactOptional(
    key(
      v.pipe(v.string(), v.regex(/^(?!\s*$)[^\u0000\n]*$/)),
      'a shell command on one line',
      'The editor that `e` and `relay plan` open. It comes before `GIT_EDITOR`, `VISUAL` and `EDITOR`.',
    ),
  ),
  singleKey: below(singleKey),
  clipboard: below(clipboard),
  notify: below(notify),
  agent: below(agent),
  instructions: v.exactOptional(
    key(
      // These two are the project's choice of a format, and would be an odd thing to tell a model.
      v.pipe(v.string(), v.regex(/^(?!(?:files|edits)?\s*$)[^\u0000]*$/), v.maxLength(20_000)),
      'a text for the LLM, at most 20000 long',
      'What you want to tell each LLM: `relay prompt` gives it after the instructions of the project.',
    ),
  ),
})
