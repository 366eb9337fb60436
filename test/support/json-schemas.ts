import * as v from 'valibot'
import { shownSteps } from '../../src/model/task.ts'

/**
 * What relay prints for programs. `docs/json.schema.json` is made from this, and what relay really prints is held to it:
 * strictly, so that nothing is printed that is not promised.
 */

const text = (description: string) => v.pipe(v.string(), v.description(description))
const count = (description: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description))
const moment = (description: string) => v.pipe(v.string(), v.isoTimestamp(), v.description(`${description}; ISO 8601`))
const path = text("relative to the project's root, with / between its parts")
const number = count('the short number that people type')
const entryNumber = v.nullable(count('the short number that people type; null where it comes to a branch'))
const uuid = text('of the entry in .relaycode/')

const checkRecord = v.strictObject({
  errors: v.nullable(count('how many errors; null where they were not counted')),
  new: v.optional(count('errors that were not there before')),
  fixed: v.optional(count('errors that are not there any more')),
  uncounted: v.optional(text('why they could not be counted')),
  tests: v.optional(v.literal('none')),
})
const checks = v.nullable(v.strictObject({ before: checkRecord, after: checkRecord }))

const commit = v.nullable(text('of git, in which its files are; null where relay made none'))

const used = {
  inputTokens: v.nullable(count('of all its turns')),
  outputTokens: v.nullable(count('of all its turns')),
  cost: v.nullable(v.pipe(v.number(), v.description('US dollars, of all its turns'))),
}

const planStatus = v.picklist(['planning', 'ready', 'executing', 'completed', 'failed'])
/** As `raf status --json` prints it. */
const plan = v.strictObject({
  number: text('its id: six letters'),
  name: v.string(),
  path: text('the absolute path of its folder'),
  status: planStatus,
  state: v.strictObject({
    tasks: v.array(
      v.strictObject({
        id: v.string(),
        title: v.string(),
        planFile: text("relative to the plan's folder"),
        status: v.picklist(['pending', 'completed', 'failed', 'blocked']),
        dependencies: v.array(v.string()),
        inputTokens: v.optional(count('of all its turns, if its outcome says so')),
        outputTokens: v.optional(count('of all its turns, if its outcome says so')),
        cost: v.optional(v.pipe(v.number(), v.description('US dollars, of all its turns'))),
      }),
    ),
    status: planStatus,
  }),
  stats: v.strictObject({
    pending: count(''),
    completed: count(''),
    failed: count(''),
    blocked: count(''),
    total: count(''),
  }),
})

const undoes = v.pipe(
  v.nullable(v.strictObject({ number, uuid })),
  v.description('the transaction that this one takes back'),
)
const undoneBy = v.nullable(count('the number of the one that took it back'))
const source = text('clipboard, paste, stdin, file:<name>, undo, redo or revert')
const by = v.pipe(v.picklist(['auto', 'user']), v.description('whether it was kept without a question'))
const state = v.picklist(['committed', 'declined', 'rolled-back', 'undone'])
const effect = v.picklist(['create', 'modify', 'delete', 'none'])

const fileChange = {
  path,
  target: text('where it really was, links followed'),
  effect,
  added: v.nullable(count('lines; null for what is no text, or too large to be compared')),
  removed: v.nullable(count('lines; null for what is no text, or too large to be compared')),
}

const flag = v.strictObject({
  flag: v.picklist([
    'placeholder',
    'shrink',
    'duplicate-path',
    'missing-end',
    'summary-mismatch',
    'yaml-invalid',
    'chat-artifact',
    'encoding',
    'mass-delete',
    'look-alike',
    'hidden-errors',
    'older-version',
    'secret',
    'sensitive-path',
  ]),
  path: v.optional(v.string()),
  line: v.optional(count('in the response, from 1')),
  text: v.optional(v.string()),
  reason: text('one sentence for people'),
})

const problem = v.strictObject({
  code: text('a stable name, kebab-case'),
  message: text('for people'),
  line: v.optional(count('in the response, from 1')),
  block: v.optional(count('in the response, from 1')),
  path: v.optional(v.string()),
  around: v.optional(
    v.pipe(
      v.strictObject({ from: count('line in the file, from 1'), lines: v.array(v.string()) }),
      v.description('of an edit without a place: the text around the nearest one'),
    ),
  ),
  differs: v.optional(
    v.pipe(
      v.strictObject({ line: count('line in the file, from 1'), file: v.string(), edit: v.string() }),
      v.description('the first line there that is another one than the edit has'),
    ),
  ),
})

/** A place where an answer and the user changed a file differently. */
const overlap = v.strictObject({
  path,
  why: v.picklist(['text', 'binary', 'link', 'edited-since', 'deleted-since', 'made-since']),
  places: v.array(
    v.strictObject({
      line: count('in the present file, from 1'),
      ours: v.pipe(v.array(v.string()), v.description("the user's lines")),
      theirs: v.pipe(v.array(v.string()), v.description("the answer's")),
    }),
  ),
  since: text('`#42`, `before #42`, `the last pack`, or `codex began`'),
  by: v.optional(text('whose work it is, where it is no answer: `codex`')),
  canMark: v.boolean(),
})

const enforcement = v.pipe(
  v.picklist(['enforced', 'rules', 'none']),
  v.description('by the system, by the agent itself, or by nothing: then relay refuses'),
)

const hunk = v.strictObject({
  block: count('in the response, from 1'),
  line: count('in the response, from 1'),
  number: v.optional(count('among the edits of its block, from 1')),
  lines: v.pipe(v.array(v.string()), v.description('each behind its sign: a blank stays, - goes, + comes')),
  below: v.optional(v.array(v.string())),
  isNew: v.optional(v.literal(true)),
  atEnd: v.optional(v.literal(true)),
  finalNewline: v.optional(v.boolean()),
  looseBlanks: v.optional(v.number()),
})

const edits = {
  blocks: v.pipe(v.array(v.array(hunk)), v.description('block by block')),
  executable: v.optional(v.boolean()),
}

const unfinished = {
  number: v.nullable(v.number()),
  uuid,
  title: v.string(),
  startedAt: v.nullable(moment('when it began')),
  state: v.picklist(['unfinished', 'unbegun', 'held', 'unreadable', 'finished']),
}

const paths = v.array(path)
const rescues = v.array(v.strictObject({ path, rescue: text('where that version is now') }))
const restoration = { restored: paths, rescued: rescues, kept: rescues, merged: paths }
const ms = v.pipe(v.number(), v.integer(), v.minValue(0), v.description('milliseconds'))
const step = v.picklist(['pre', 'base', 'write', 'post', 'lint'])
const reasons = v.array(v.strictObject({ kind: text('a stable name'), text: text('for people') }))
const why = text('for people')
const task = v.strictObject({ id: text('unique in its book; empty for the only one'), title: v.string() })
const attempt = count('from 1')

const sessionFields = {
  id: text('a uuid; its beginning names it in commands'),
  status: v.picklist(['initializing', 'working', 'completed', 'error']),
  prUrl: v.nullable(text('of its pull request')),
  errorMessage: v.nullable(text('for people')),
  error: v.nullable(
    v.strictObject({
      kind: v.picklist(['git', 'agent', 'auth', 'network', 'limit', 'interrupted']),
      message: v.string(),
      hint: text('what to do about it'),
    }),
  ),
  gitDirectory: text('the root of the project'),
  instructions: v.string(),
  agent: v.string(),
  branch: v.string(),
  base: v.nullable(text('what was given with --base')),
  createdAt: moment('when it was made'),
  startedAt: v.nullable(moment('when an agent could begin')),
  endedAt: v.nullable(moment('when it ended')),
  pid: v.nullable(count('of the relay that is, or was, at it')),
  agentPid: v.nullable(count('of its agent, while that runs')),
  commit: v.nullable(text('of its work, on its branch')),
  pushed: v.boolean(),
  homeBranch: v.nullable(text('the branch in your repository that its work was brought to')),
  remark: v.nullable(text('why there is no pull request, where that is no error')),
  note: v.nullable(text('the file with its line')),
}

/** One kind of line of `relay watch --json` or `relay ask --json`. */
function event<const Name extends string, Fields extends v.ObjectEntries>(name: Name, fields: Fields) {
  return v.strictObject({ event: v.literal(name), at: moment('when'), ...fields })
}

const events = v.variant('event', [
  event('watching', {
    version: v.string(),
    projectId: v.string(),
    root: v.string(),
    pid: count('of this relay'),
    clipboard: text('the program that reads it'),
  }),
  event('detected', {
    title: v.nullable(v.string()),
    uuid: v.nullable(text("the model's")),
    waiting: count('how many wait before it'),
  }),
  event('ignored', {
    why: v.picklist(['no-patch', 'no-control', 'other-project', 'own-text']),
    projectId: v.nullable(v.string()),
  }),
  event('refused', { problems: v.array(problem) }),
  event('skipped', {
    number,
    state,
    since: moment('when that was'),
  }),
  event('overlap', { overlaps: v.array(overlap) }),
  event('unchanged', { paths, yours: v.pipe(paths, v.description('of these, what stays as the user has it')) }),
  event('history-lost', { entries: count('how many are read in its place') }),
  event('waiting', { owner: text('who works in the project') }),
  event('recovered', {
    number: v.nullable(v.number()),
    uuid,
    title: v.string(),
    action: v.picklist(['rolled-back', 'unbegun', 'finished', 'held', 'unreadable']),
    ...restoration,
  }),
  event('begun', { number: entryNumber, uuid, title: v.string(), files: v.array(v.strictObject(fileChange)) }),
  event('step', {
    step: v.picklist([...step.options, ...shownSteps]),
    command: text('empty where relay itself is at work'),
  }),
  event('command', {
    step: v.picklist(['pre', 'post']),
    command: v.string(),
    ok: v.boolean(),
    why: text('how it ended'),
    alsoChanged: paths,
    ms,
  }),
  event('checked', {
    step: v.picklist(['base', 'lint']),
    errors: v.nullable(count('null where they were not counted')),
    uncounted: v.nullable(text('why not')),
    ranNoTest: v.boolean(),
    new: v.nullable(count('')),
    fixed: v.nullable(count('')),
    same: v.nullable(count('')),
    newErrors: v.array(
      v.strictObject({
        file: v.string(),
        line: v.optional(v.number()),
        column: v.optional(v.number()),
        code: v.string(),
        message: v.string(),
        why: v.optional(v.string()),
      }),
    ),
    ms,
  }),
  event('written', { files: count(''), ms }),
  event('asked', {
    question: v.picklist(['sensitive', 'gate', 'edited', 'offered']),
    number: v.nullable(v.number()),
    reasons,
  }),
  event('answered', {
    question: v.picklist(['sensitive', 'gate', 'edited', 'offered']),
    answer: v.picklist(['yes', 'no', 'unasked', 'closed', 'follow-up', 'again', 'edited', 'hold', 'choose']),
  }),
  event('chosen', { files: count(''), of: count(''), rescued: rescues, blocked: paths }),
  event('edited', { paths, whileChecked: v.boolean() }),
  event('kept', {
    number: entryNumber,
    uuid,
    by,
    files: count(''),
    checked: v.boolean(),
    ranNoTest: v.boolean(),
    newErrors: v.nullable(count('')),
    rescued: rescues,
    kept: rescues,
    commit: v.nullable(text('the git commit, where one was asked for and made')),
    ms,
  }),
  event('rolled-back', {
    number: entryNumber,
    reason: v.picklist(['declined', 'unasked', 'not-accepted', 'command', 'conflict', 'interrupted', 'failed']),
    why,
    reasons,
    ...restoration,
    ms,
  }),
  event('held', { number: entryNumber, uuid, ms }),
  event('clipboard', { state: v.picklist(['lost', 'back', 'deaf']), message: v.nullable(v.string()) }),
  event('paused', { paused: v.boolean() }),
  event('error', { kind: v.string(), message: v.string(), hint: v.nullable(v.string()) }),
  event('stopped', { signal: v.nullable(v.string()), untaken: count('patches that had no turn') }),
  event('agent-asked', {
    agent: v.string(),
    sandbox: v.picklist(['read-only', 'workspace-write', 'danger-full-access']),
    enforcement,
    model: v.nullable(v.string()),
    folder: text('the absolute path of the folder that it is asked about'),
    timeout: v.pipe(v.number(), v.description('seconds')),
  }),
  event('agent-tool', {
    agent: v.string(),
    tool: text('as the program names it'),
    command: v.nullable(text('that it runs, where the program tells it')),
    path: v.nullable(text('of the file that it works on; from the folder of the agent, where it lies in it')),
  }),
  event('agent-denied', { agent: v.string(), what: text('what it was not allowed to do, in its words') }),
  event('agent-retry', { agent: v.string(), why }),
  event('agent-error', { agent: v.string(), message: text("the program's words") }),
  event('agent-answered', {
    agent: v.string(),
    status: v.picklist([
      ...(['ok', 'failed', 'denied', 'timeout', 'over-limit', 'stalled', 'overflow'] as const),
      ...(['rate-limited', 'auth', 'missing', 'no-output', 'interrupted'] as const),
    ]),
    text: text('what it said last, whole'),
    why: text('for people; empty for `ok`'),
    inputTokens: v.nullable(count('as the program tells')),
    outputTokens: v.nullable(count('as the program tells')),
    cost: v.nullable(v.pipe(v.number(), v.description('US dollars, as the program tells'))),
    sessionId: v.nullable(v.string()),
    resetsAt: v.nullable(moment('when a limit of its provider ends')),
    marker: v.nullable(v.picklist(['COMPLETE', 'FAILED', 'BLOCKED'])),
    log: v.nullable(text('the absolute path of the folder with all that it printed')),
  }),
  event('work-begun', {
    book: text('what is worked through'),
    agent: v.string(),
    sandbox: v.picklist(['read-only', 'workspace-write', 'danger-full-access']),
    enforcement,
    attempts: count('how many a task may have'),
    timeout: v.pipe(v.number(), v.description('of an attempt, in seconds')),
    tasks: v.nullable(count('how many may come at most')),
  }),
  event('work-resumed', { task, attempt }),
  event('user-note', {
    sentences: v.array(text('what you said with `relay tell`, or the key m')),
    isTold: v.pipe(v.boolean(), v.description('it goes into the envelope of the attempt; false: none came after it')),
  }),
  event('dropped', {
    paths: v.pipe(v.array(v.string()), v.description('what an agent changed and may not: it stays')),
  }),
  event('not-compared', {
    paths: v.pipe(v.array(v.string()), v.description('files behind a filter that the repository itself sets')),
  }),
  event('left-out', { paths: v.pipe(v.array(v.string()), v.description('what the agent does not see of the folder')) }),
  event('lacks', {
    missing: v.pipe(
      v.array(v.strictObject({ path: v.string(), why: v.picklist(['installed', 'tracked']) })),
      v.description('what checks need, and do not find in the checkout'),
    ),
  }),
  event('attempt-begun', {
    task,
    attempt,
    of: count('how many there may be'),
    iteration: v.nullable(count('its number in the run, where that is what `of` counts')),
  }),
  event('limit-waited', { until: moment('when relay goes on') }),
  event('attempt-failed', { task, attempt, why: text('what the agent is told') }),
  event('task-ended', {
    task,
    result: v.picklist(['landed', 'done', 'failed']),
    attempts: attempt,
    ms,
    ...used,
    number: v.nullable(number),
    files: v.nullable(count('files that were changed')),
    commit: v.nullable(text('the name of the commit')),
    notCommitted: v.nullable(text('why what landed was not committed')),
    why: v.nullable(text('why it failed')),
    kept: v.nullable(count('under which number its work is kept')),
  }),
  event('work-ended', {
    stopped: v.picklist(['all-done', 'work-left', 'interrupted', 'held', 'no-agent']),
    why: v.nullable(v.string()),
    done: count('tasks that are done'),
    failed: count('tasks that failed'),
    ms,
    ...used,
    shipped: v.nullable(
      v.strictObject({
        how: v.picklist(['left', 'merged', 'pull-request', 'pushed']),
        branch: v.string(),
        into: v.nullable(text('the branch that it was merged into')),
        commit: v.nullable(text('of the merge; null where it was merged before')),
        url: v.nullable(text('of the pull request')),
        isNew: v.optional(v.boolean()),
        isMasked: v.optional(v.boolean()),
        isFailed: v.optional(v.boolean()),
        undo: v.optional(text("git's command that takes the merge back")),
        why: v.nullable(text('why no more was done')),
        next: v.optional(text('what the user can do about that')),
      }),
    ),
  }),
  event('session', sessionFields),
])

const bytes = count('what it takes on the disk')

const prd = {
  file: path,
  project: v.string(),
  branchName: v.string(),
  stories: v.array(
    v.strictObject({ id: v.string(), title: v.string(), priority: v.nullable(v.number()), passes: v.boolean() }),
  ),
  next: v.nullable(text('the id of the user story that is next; null where all pass')),
}

export const schemas = {
  delegate: v.union([
    v.strictObject({ sessions: v.array(v.strictObject({ ...sessionFields, bytes })), bytes }),
    v.strictObject({ ...sessionFields, bytes: v.optional(bytes) }),
    v.strictObject({
      removed: v.array(text('the id of a session')),
      bytes: count('what was freed'),
      branches: v.array(text('to which work was brought in your repository first')),
    }),
  ]),

  log: v.strictObject({
    transactions: v.array(
      v.strictObject({
        number,
        uuid,
        modelUuid: v.nullable(text("the model's, where the entry has one of its own")),
        at: moment('when it ended'),
        outcome: v.picklist(['committed', 'undone', 'declined', 'rolled-back']),
        undoneBy,
        source: v.nullable(source),
        undoes,
        commit,
        title: v.nullable(text('null where its entry is gone, or cannot be read')),
        by: v.nullable(by),
        files: v.nullable(
          v.array(v.strictObject({ op: v.picklist(['write', 'delete', 'link']), path, renamedFrom: v.optional(path) })),
        ),
        checks,
      }),
    ),
  }),

  prd: v.strictObject({
    ...prd,
    findings: v.array(
      v.strictObject({
        rule: v.string(),
        story: v.nullable(text('its id; null where it is about the file')),
        message: v.string(),
      }),
    ),
  }),

  show: v.strictObject({
    number,
    uuid,
    modelUuid: v.nullable(v.string()),
    projectId: v.string(),
    createdAt: moment('when its plan was written'),
    at: moment('when it was kept'),
    outcome: v.picklist(['committed', 'undone']),
    undoneBy,
    source,
    undoes,
    commit,
    title: v.string(),
    promptSummary: v.nullable(v.string()),
    gitCommitMsg: v.nullable(v.string()),
    changeSummary: v.pipe(v.array(v.unknown()), v.description('as the model gave it')),
    reasoning: v.array(text('a piece of what the model said beside its files')),
    flags: v.array(flag),
    by: v.nullable(by),
    checks,
    files: v.array(
      v.strictObject({
        ...fileChange,
        since: v.pipe(
          v.picklist(['as-kept', 'as-before', 'changed', 'deleted', 'other-kind']),
          v.description('what became of it since it was kept'),
        ),
      }),
    ),
    outputs: v.array(
      v.strictObject({ step: v.picklist(['pre', 'base', 'post', 'lint']), bytes: count('what its command printed') }),
    ),
  }),

  diff: v.strictObject({
    number,
    uuid,
    files: v.array(v.strictObject(fileChange)),
    patch: text('for git apply; empty where no file was changed'),
  }),

  status: v.strictObject({
    projectId: v.string(),
    root: text('the absolute path of the project'),
    watching: v.boolean(),
    watchers: v.array(count('a process that watches the clipboard')),
    asking: v.array(count("a process that waits for the user's answer")),
    working: v.nullable(count('the process that carries out a transaction now')),
    underWay: v.array(v.strictObject({ number, uuid, title: v.string(), files: v.array(v.string()) })),
    last: v.pipe(
      v.nullable(v.strictObject({ number, title: v.string(), at: moment('when it was kept') })),
      v.description('the newest that was kept and stands'),
    ),
    today: v.strictObject({ kept: count(''), rolledBack: count(''), undone: count('') }),
    unfinished: v.array(v.strictObject(unfinished)),
    putAside: v.pipe(
      v.array(v.string()),
      v.description(
        'files of yours that a stopped run had put aside for a merge: the next command that writes puts them back',
      ),
    ),
    prd: v.pipe(v.nullable(v.strictObject(prd)), v.description('null where the project has no prd.json')),
    agents: v.pipe(
      v.array(
        v.strictObject({
          agent: v.string(),
          book: text('its list of tasks; for a question its title'),
          task,
          attempt,
          ms,
          ...used,
          pid: v.nullable(count('of the relay that runs it; null where that is gone')),
          agentPid: v.nullable(count('of the agent, while it runs: without `pid` nobody waits for it')),
          since: v.nullable(moment('when this attempt began')),
          step: v.nullable(v.pipe(v.string(), v.description('as in the event `step`'))),
          tool: v.nullable(text('what the agent uses, while it works')),
          asking: v.nullable(v.strictObject({ question: v.string(), number: v.nullable(v.number()), reasons })),
          sentences: v.array(text('what you said with relay tell, and no turn has begun with yet')),
          isStopping: v.pipe(v.boolean(), v.description('relay stop ends the run after this turn')),
        }),
      ),
      v.description('what agents work on, by themselves or on a question'),
    ),
    delegations: v.pipe(
      v.array(v.strictObject(sessionFields)),
      v.description('what was delegated from here, oldest first'),
    ),
    keptWork: v.pipe(
      v.array(
        v.strictObject({
          number: count('what `relay apply --kept` takes'),
          book: v.nullable(text('the list of tasks that it belongs to')),
          task: v.nullable(v.string()),
          title: v.string(),
          agent: v.string(),
          why: text('why it did not come home, for people'),
          at: moment('when it was kept'),
          files: v.array(path),
        }),
      ),
      v.description('what agents made and did not come home, newest first'),
    ),
    projects: v.pipe(v.array(plan), v.description('the plans in `RAF/`')),
    worktrees: v.optional(
      v.pipe(v.array(plan), v.description('plans in work trees, where they stand otherwise than in the folder')),
    ),
    branches: v.optional(
      v.pipe(
        v.array(v.omit(plan, ['path'])),
        v.description('plans on branches without a work tree, where these hold what HEAD does not'),
      ),
    ),
  }),

  doctor: v.strictObject({
    version: v.string(),
    runtime: v.strictObject({ name: v.picklist(['Node', 'bun']), version: v.string(), platform: v.string() }),
    ok: v.pipe(v.boolean(), v.description('false: something is a problem, and the exit code is 8')),
    findings: v.array(
      v.strictObject({
        subject: v.picklist([
          'relay',
          'config',
          'project',
          'commands',
          'linter',
          'state',
          'gitignore',
          'clipboard',
          'copies',
          'round trip',
          'terminal',
          'notices',
          'agents',
        ]),
        state: v.picklist(['ok', 'caution', 'problem']),
        says: text('for people; may have several lines'),
        remedy: v.pipe(v.nullable(v.string()), v.description('what to do about it, for people')),
      }),
    ),
  }),

  agents: v.strictObject({
    ask: v.pipe(v.nullable(v.string()), v.description('the name of the one that relay ask asks; null: none is there')),
    agents: v.array(
      v.strictObject({
        name: v.string(),
        program: text('as it is looked for on the PATH'),
        path: v.pipe(v.nullable(v.string()), v.description('where it was found; null: nowhere')),
        version: v.pipe(v.nullable(v.string()), v.description('null: it is not there, or did not say in time')),
        sandboxes: v.strictObject({
          'read-only': enforcement,
          'workspace-write': enforcement,
          'danger-full-access': enforcement,
        }),
        looksLoggedIn: v.pipe(
          v.nullable(v.boolean()),
          v.description('by what a login leaves behind; null: the program is not there'),
        ),
        tried: v.pipe(v.boolean(), v.description("false: relay's authors never drove it")),
        install: v.pipe(v.nullable(v.string()), v.description('the command that installs it')),
      }),
    ),
  }),

  parse: v.strictObject({
    verdict: v.picklist(['patch', 'ignored', 'refused']),
    why: v.nullable(v.picklist(['no-patch', 'no-control', 'other-project', 'own-text'])),
    problems: v.array(problem),
    control: v.nullable(
      v.strictObject({
        projectId: v.optional(v.string()),
        uuid: v.optional(v.string()),
        changeSummary: v.optional(v.array(v.unknown())),
        promptSummary: v.optional(v.string()),
        gitCommitMsg: v.optional(v.string()),
      }),
    ),
    operations: v.array(
      v.variant('op', [
        v.strictObject({ op: v.literal('write'), path, content: text('the full new text') }),
        v.strictObject({ op: v.literal('delete'), path }),
        v.strictObject({
          op: v.literal('edit'),
          path,
          content: v.optional(text('what the edits are placed in')),
          ...edits,
        }),
        v.strictObject({ op: v.literal('rename'), path, to: path, ...edits }),
      ]),
    ),
    reasoning: v.array(v.string()),
    flags: v.array(
      v.strictObject({
        ...flag.entries,
        lines: v.optional(v.array(v.strictObject({ line: count('in the response, from 1'), text: v.string() }))),
      }),
    ),
    here: v.pipe(
      v.nullable(
        v.strictObject({
          ends: v.pipe(
            v.nullable(v.picklist(['skipped', 'refused', 'overlap', 'unchanged'])),
            v.description('how it would end before anything is run or written; null: it may begin'),
          ),
          earlier: v.pipe(
            v.nullable(v.strictObject({ number, state, since: moment('when that was') })),
            v.description(
              'the turn that its uuid had before: with this content where it would be skipped, else with another',
            ),
          ),
          problems: v.array(problem),
          overlaps: v.array(overlap),
          flags: v.array(flag),
        }),
      ),
      v.description(
        'what would come of a patch in the project; null for what is none, outside a project, and with --project-id',
      ),
    ),
  }),

  recover: v.strictObject({
    unfinished: v.array(
      v.strictObject({
        ...unfinished,
        restores: v.array(text('a file that would be as before')),
        rescues: v.array(text('one of these whose present version would be put into .relaycode/rescue/ first')),
        edited: v.array(text('a file that changed since, which is asked about')),
      }),
    ),
    leftAgents: v.pipe(
      v.array(v.strictObject({ agent: v.string(), pid: count('of the agent') })),
      v.description('agents that run although their relay is gone: they would be ended'),
    ),
  }),

  prune: v.strictObject({
    entries: count('how many there are'),
    remove: v.array(v.strictObject({ number, uuid, at: moment('when it ended'), bytes: count('with its output') })),
    bytes: count('of all that would go'),
    seen: v.strictObject({
      files: count('files of which it would be forgotten what relay pack gave'),
      bytes: count('of that'),
    }),
    keptWork: v.pipe(
      v.array(
        v.strictObject({
          number: count('what `relay apply --kept` takes'),
          title: v.string(),
          at: moment('when it was kept'),
          bytes: count('of its files'),
        }),
      ),
      v.description('work of agents that would go, and nobody has landed'),
    ),
    runs: v.strictObject({ runs: count('runs of agents whose events would go'), bytes: count('of these') }),
    declined: v.strictObject({ answers: count('answers that were not kept, and would go'), bytes: count('of these') }),
  }),

  event: events,
} as const
