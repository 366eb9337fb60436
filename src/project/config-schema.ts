import * as v from 'valibot'

/** A key that is a whole number in a range; without a highest one, any number that a program can count to. */
function wholeNumber(description: string, byDefault: number, from: number, to?: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(from),
      v.maxValue(to ?? Number.MAX_SAFE_INTEGER),
      v.description(description),
      v.metadata({ allowed: `a whole number from ${from}${to === undefined ? '' : ` to ${to}`}` }),
    ),
    byDefault,
  )
}

/** A key that is one of two words; the first is the default. */
function either<const First extends string, const Second extends string>(
  description: string,
  words: readonly [First, Second],
) {
  return v.optional(
    v.pipe(
      v.picklist(words),
      v.description(description),
      v.metadata({ allowed: words.map(word => `"${word}"`).join(' or ') }),
    ),
    words[0],
  )
}

/** A key that is `true` or `false`. */
function flag(description: string, byDefault: boolean) {
  return v.optional(
    v.pipe(v.boolean(), v.description(description), v.metadata({ allowed: 'true or false' })),
    byDefault,
  )
}

/** A key that holds a command for the shell; none by default. */
function command(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[^\u0000]*$/),
      v.description(description),
      v.metadata({ allowed: 'a shell command as text, or "" for none' }),
    ),
    '',
  )
}

/** A key that holds globs; none by default. */
function globs(description: string) {
  return v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
      v.description(description),
      v.metadata({ allowed: 'a list of globs, each a text of 1 to 1000 characters' }),
    ),
    [],
  )
}

/**
 * Every key of `relaycode.config.json`: its default, what is allowed, and what it means.
 *
 * The only place where a key is described. The JSON Schema that editors read and the table in
 * `docs/configuration.md` are made from it, and so are the messages about wrong values.
 */
export const configSchema = v.object({
  $schema: v.optional(
    v.pipe(
      v.string(),
      v.description('Where editors find the description of this file. relay does not read it.'),
      v.metadata({ allowed: 'a text' }),
    ),
  ),
  projectId: v.pipe(
    v.string(),
    // One line that is not blank, without characters that steer or are not seen: it has to survive a trip through YAML
    // and a chat, and it is printed as it is.
    v.regex(
      /^(?!\s*$)[^\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\udb40\ufeff\ufff0-\uffff]*$/,
    ),
    v.maxLength(200),
    v.description('The name that a patch must carry to be taken here. Part of the instructions that your LLM gets.'),
    v.metadata({ allowed: 'a text on one line, not blank, without control or invisible characters, at most 200 long' }),
  ),
  clipboardPollInterval: wholeNumber('Milliseconds between two looks at the clipboard.', 2000, 100, 3_600_000),
  approval: either(
    '`"yes"`: a patch without doubts and with at most `approvalOnErrorCount` new errors is kept without a question. `"no"`: every patch is asked about.',
    ['yes', 'no'],
  ),
  approvalOnErrorCount: wholeNumber('How many new errors the linter may find before relay asks.', 0, 0),
  linter: command(
    'The command that finds errors, run before and after each patch. `""`: nothing is checked, and a patch without doubts is kept.',
  ),
  preCommand: command('A command to run before a patch is applied. If it fails, the patch is not applied.'),
  postCommand: command(
    'A command to run after a patch is applied and before the last check: a formatter, the tests. If it fails, relay asks, or takes the patch back where nobody can be asked.',
  ),
  commandTimeout: v.optional(
    v.pipe(
      v.number(),
      v.gtValue(0),
      v.maxValue(86_400),
      v.description(
        'Seconds that one of these commands may take before it is ended. Time in which the machine is asleep, or all of it is stopped, does not count.',
      ),
      v.metadata({ allowed: 'a number above 0, at most 86400' }),
    ),
    600,
  ),
  durability: either(
    '`"full"`: everything is brought to the disk at each step, so that a power cut is survived. `"fast"`: survives a crash of relay, but not one of the machine.',
    ['full', 'fast'],
  ),
  clipboard: either(
    '`"auto"`: waits for the desktop to announce a change where it can, else looks every `clipboardPollInterval`. `"poll"`: always looks.',
    ['auto', 'poll'],
  ),
  singleKey: flag('`true`: an answer is one key, without Enter.', false),
  notify: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?!\s*$)[^\u0000]*$/),
      v.description(
        'How you are told that relay waits for an answer: `"auto"`, `"osc"` (the terminal\'s notification), `"bell"`, `"off"`, or a command of yours.',
      ),
      v.metadata({ allowed: '"auto", "osc", "bell", "off", or a shell command as text' }),
    ),
    'auto',
  ),
  limits: v.optional(
    v.pipe(
      v.object({
        responseBytes: wholeNumber('How many bytes a response may have.', 67_108_864, 1),
        files: wholeNumber('How many files one patch may touch.', 10_000, 1),
        fileBytes: wholeNumber(
          'How many bytes one file may have, as it is and as the patch makes it: both are kept for going back.',
          67_108_864,
          1,
        ),
        pathLength: wholeNumber('How many bytes one path may have.', 1024, 1, 4096),
      }),
      v.description('Bounds beyond which a response is refused.'),
      v.metadata({ allowed: 'an object with "responseBytes", "files", "fileBytes" and "pathLength"' }),
    ),
    {},
  ),
  policy: v.optional(
    v.pipe(
      v.object({
        ask: globs('Globs of files about which relay always asks.'),
        deny: globs('Globs of files that no patch may touch: one that does is refused as a whole.'),
        allowDeletes: flag('`false`: a patch that deletes a file is refused.', true),
      }),
      v.description('Which files a patch may touch, relative to the project. Can only tighten what relay does anyway.'),
      v.metadata({ allowed: 'an object with "ask", "deny" and "allowDeletes"' }),
    ),
    {},
  ),
})
