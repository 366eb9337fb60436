import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Backend } from '../../../src/agents/backends/backend.ts'
import { backends } from '../../../src/agents/backends/table.ts'
import { keepEvent } from '../../../src/agents/run/keep-event.ts'
import type { AgentEnd, AgentEvent, AgentStatus } from '../../../src/model/agent.ts'

const now = new Date('2026-11-26T12:00:00Z')

/**
 * Runs of the real programs, recorded against a stand-in for their model: what each printed, and how it ended.
 *
 * A new recording is a new row. A row tells what is true of a run by what the program said: who sent it a signal, or looked at
 * the clock, is for the runner to know.
 */
const folder = new URL('../../fixtures/agents/', import.meta.url)

interface Row extends AgentEnd {
  readonly denied: readonly string[]
}

type Used = readonly [input: number, output: number, cost?: number]

const none = { text: '', usage: {}, resetsAt: undefined, why: '', denied: [] }
const sessionId = '00000000-0000-0000-0000-000000000000'

function ok(text: string, used: Used, ...denied: readonly string[]): Row {
  return { ...none, status: 'ok', text, usage: usage(used), sessionId, denied }
}

function bad(status: AgentStatus, why: string, used?: Used, more: Partial<Row> = {}): Row {
  return { ...none, status, why, usage: used === undefined ? {} : usage(used), sessionId, ...more }
}

/** It said nothing that is understood: how it printed is not how relay asks it to, or it never began. */
function unread(why: string, status: AgentStatus = 'failed'): Row {
  return bad(status, why, undefined, { sessionId: undefined })
}

function usage([inputTokens, outputTokens, cost]: Used): AgentEnd['usage'] {
  return { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }
}

/** opencode adds up its steps, and has no price for the stand-in. */
function stepped(steps: number, row: Row): Row {
  return { ...row, usage: usage([100 * steps, 50 * steps, 0]), sessionId: 'ses_00000000000000000000000000' }
}

function answered(steps: number, text: string, ...denied: readonly string[]): Row {
  return stepped(steps, ok(text, [0, 0], ...denied))
}

/** copilot tells nothing that was used. */
function said(text: string, ...denied: readonly string[]): Row {
  return { ...none, status: 'ok', text, sessionId, denied }
}

const overflow =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens."
const nobodyAsked = 'Permission denied because no interactive user response was available'
const refusedAtEnd = (what: string) => {
  const why = `it ended without an answer after it was refused: ${what}`
  return stepped(1, bad('denied', why, undefined, { denied: [what] }))
}
const session = 'ses_00000000000000000000000000'

const neverDone = 'it ended with exit code 0, but never said that it was done'
const ended = 'it was ended before it was done'
const lines = Array.from(
  { length: 200 },
  (_, at) => `line ${at + 1} of a long answer: äöü € 𝄞 ${'x'.repeat(40)}
`,
)
const long = `${lines.join('')}END OF LONG ANSWER`

const rows: Readonly<Record<string, Row>> = {
  'claude/auth.read-only': bad('auth', 'it was still trying again: authentication failed (401)'),
  'claude/budget.read-only': bad('over-limit', 'Reached maximum budget ($0.0001)', [100, 50, 0.00175], {
    text: 'The project has one README.',
  }),
  'claude/complete.read-only': ok('All stories pass.\n\n<promise>COMPLETE</promise>', [100, 50, 0.00175]),
  'claude/cut-stream.read-only': bad('failed', 'it was still trying again: unknown error'),
  'claude/edit.scoped': ok('Edited README.md.', [300, 150, 0.00525]),
  'claude/edit.workspace-write': ok('Edited README.md.', [300, 150, 0.00525]),
  'claude/empty.read-only': bad('no-output', 'it ended without an answer', [200, 100, 0.0035]),
  'claude/git-dir-write.edits-in-project': ok(
    'Wrote a hook or was refused.',
    [200, 100, 0.0035],
    'Write: $PROJECT/.git/hooks/pre-commit',
  ),
  'claude/git-dir-write.scoped': ok(
    'Wrote a hook or was refused.',
    [200, 100, 0.0035],
    'Write: $PROJECT/.git/hooks/pre-commit',
  ),
  'claude/hang.read-only': bad('failed', 'it ended with exit code 143'),
  'claude/long.read-only': ok(long, [100, 50, 0.00175]),
  'claude/marker-early.plain': unread(neverDone),
  'claude/marker-early.read-only': ok('Finished, nothing more to say.', [200, 100, 0.0035]),
  'claude/max-tokens.read-only': bad(
    'failed',
    "API Error: Claude's response exceeded the 64000 output token maximum. To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.",
    [400, 200, 0.007],
    { text: 'An answer that was cut by the output limit' },
  ),
  'claude/max-turns.full': bad('failed', 'Reached maximum number of turns (2)', [200, 100, 0.0035]),
  'claude/no-key.read-only': bad('auth', 'Not logged in · Please run /login', [0, 0, 0]),
  'claude/open-stdin.read-only': ok('The project has one README.', [100, 50, 0.00175]),
  'claude/overflow.read-only': bad(
    'overflow',
    'Prompt is too long · the request is ~250000 tokens (limit 200000) but this conversation is only ~11 tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.',
    [0, 0, 0],
  ),
  'claude/rate-limit-hint.read-only': bad(
    'rate-limited',
    'API Error: Request rejected (429) · This request would exceed your rate limit.',
    [0, 0, 0],
  ),
  'claude/rate-limit-once.read-only': ok('Recovered after one 429.', [100, 50, 0.00175]),
  'claude/rate-limit.read-only': bad('rate-limited', 'it was still trying again: rate limit (429)'),
  'claude/read-outside.read-only': ok('Read or refused.', [200, 100, 0.0035]),
  'claude/read-outside.scoped': ok('Read or refused.', [200, 100, 0.0035]),
  'claude/server-error.read-only': bad('failed', 'it was still trying again: server error (500)'),
  'claude/shell-chain.edits-in-project': ok(
    'Ran or refused.',
    [200, 100, 0.0035],
    'Bash: npm test && git commit --allow-empty -m from-agent',
  ),
  'claude/shell-chain.scoped': ok(
    'Ran or refused.',
    [200, 100, 0.0035],
    'Bash: npm test && git commit --allow-empty -m from-agent',
  ),
  'claude/shell-commit.full-user': ok('Committed or refused.', [200, 100, 0.0035]),
  'claude/shell-commit.scoped': ok(
    'Committed or refused.',
    [200, 100, 0.0035],
    'Bash: git commit --allow-empty -m from-agent',
  ),
  'claude/shell-commit.workspace-write': ok(
    'Committed or refused.',
    [200, 100, 0.0035],
    'Bash: git commit --allow-empty -m from-agent',
  ),
  'claude/shell-redirect.edits-in-project': ok('Written or refused.', [200, 100, 0.0035]),
  'claude/shell-rm.edits-in-project': ok('Removed or refused.', [200, 100, 0.0035]),
  'claude/shell-sed.edits-in-project': ok('Edited or refused.', [200, 100, 0.0035]),
  'claude/shell-test.scoped': ok('The tests pass.', [200, 100, 0.0035]),
  'claude/shell-test.workspace-write': ok('The tests pass.', [200, 100, 0.0035]),
  'claude/shell-touch.edits-in-project': ok('The command was run or refused.', [200, 100, 0.0035]),
  'claude/shell-touch.no-bash': ok('The command was run or refused.', [200, 100, 0.0035], 'Bash'),
  'claude/shell-touch.plan': ok('The command was run or refused.', [200, 100, 0.0035], 'Bash: touch ran.txt'),
  'claude/shell-touch.read-only': ok('The command was run or refused.', [200, 100, 0.0035], 'Bash'),
  'claude/shell-touch.scoped': ok('The command was run or refused.', [200, 100, 0.0035], 'Bash: touch ran.txt'),
  'claude/shell-touch.workspace-write': ok('The command was run or refused.', [200, 100, 0.0035]),
  'claude/sigint-in-tool.full-user': bad('interrupted', 'it was interrupted', [100, 50, 0.00175]),
  'claude/sigint.read-only': bad('interrupted', 'it was interrupted', [0, 0, 0]),
  // Without a result, what the messages tell is all that is known.
  'claude/sigkill-group-in-tool.full-user': bad('failed', ended, [100, 1]),
  'claude/sigterm-group-in-tool.full-user': bad('failed', 'it ended with exit code 143', [200, 100, 0.0035], {
    text: 'Slept.',
  }),
  // Nothing that it said tells of the signal.
  'claude/sigterm-in-tool.full-user': ok('Slept.', [200, 100, 0.0035]),
  'claude/sigterm.read-only': bad('failed', 'it ended with exit code 143'),
  // How relay does not ask it to answer: the assistant has no line of its own.
  'claude/text.json-format': bad('no-output', 'it ended without an answer', [100, 50, 0.00175], {
    sessionId: undefined,
  }),
  'claude/text.plain': unread(neverDone),
  'claude/text.read-only': ok('The project has one README.', [100, 50, 0.00175]),
  'claude/text.text': ok('The project has one README.', [100, 50, 0.00175]),
  'claude/usage-limit.read-only': bad('rate-limited', "You've hit your limit · resets 1:33pm (UTC)", [0, 0, 0], {
    resetsAt: new Date('2026-11-26T13:33:20.000Z'),
  }),
  'claude/usage-warning.read-only': ok('Fine, but the limit is near.', [100, 50, 0.0010500000000000002]),
  'claude/write-outside.edits-in-project': ok('Done outside.', [200, 100, 0.0035], 'Write: $OUTSIDE/evil.txt'),
  'claude/write-outside.full-user': ok('Done outside.', [200, 100, 0.0035]),
  'claude/write-outside.no-bash': ok('Done outside.', [200, 100, 0.0035], 'Write: $OUTSIDE/evil.txt'),
  'claude/write-outside.plan': ok('Done outside.', [200, 100, 0.0035], 'Write: $OUTSIDE/evil.txt'),
  'claude/write-outside.scoped': ok('Done outside.', [200, 100, 0.0035], 'Write: $OUTSIDE/evil.txt'),
  'claude/write-outside.workspace-write': ok('Done outside.', [200, 100, 0.0035]),
  'claude/write.dontAsk': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude/write.edits-in-project': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude/write.full-user': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude/write.full': unread(
    '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
  ),
  'claude/write.no-bash': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude/write.plan': ok('Wrote hello.txt.', [200, 100, 0.0035], 'Write: $PROJECT/hello.txt'),
  'claude/write.read-only': ok('Wrote hello.txt.', [200, 100, 0.0035], 'Write'),
  'claude/write.scoped': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude/write.text': ok('A short title', [100, 50, 0.00175]),
  'claude/write.workspace-write': ok('Wrote hello.txt.', [200, 100, 0.0035]),
  'claude-latest/auth.read-only': bad('auth', 'it was still trying again: authentication failed (401)'),
  'claude-latest/max-turns.full': bad('failed', 'Reached maximum number of turns (2)', [200, 100, 0.0028]),
  'claude-latest/no-key.read-only': bad('auth', 'Not logged in · Please run /login', [0, 0, 0]),
  'claude-latest/overflow.read-only': bad(
    'overflow',
    'Prompt is too long · the request is ~250000 tokens (limit 200000) but this conversation is only ~415 tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.',
    [0, 0, 0],
  ),
  'claude-latest/rate-limit-hint.read-only': bad(
    'rate-limited',
    'API Error: Request rejected (429) · This request would exceed your rate limit.',
    [0, 0, 0],
  ),
  'claude-latest/shell-commit.scoped': ok(
    'Committed or refused.',
    [200, 100, 0.0028],
    'Bash: git commit --allow-empty -m from-agent',
  ),
  'claude-latest/shell-test.scoped': ok('The tests pass.', [200, 100, 0.0028]),
  'claude-latest/shell-touch.edits-in-project': ok('The command was run or refused.', [200, 100, 0.0028]),
  'claude-latest/sigint.read-only': bad('interrupted', 'it was interrupted', [100, 1, 0.00042]),
  'claude-latest/sigterm-in-tool.full-user': bad('failed', 'it ended with exit code 143', [100, 1]),
  'claude-latest/text.read-only': ok('The project has one README.', [100, 50, 0.0014]),
  'claude-latest/text.text': ok('The project has one README.', [100, 50, 0.0014]),
  'claude-latest/write-outside.edits-in-project': ok('Done outside.', [200, 100, 0.0028], 'Write: $OUTSIDE/evil.txt'),
  'claude-latest/write-outside.scoped': ok('Done outside.', [200, 100, 0.0028], 'Write: $OUTSIDE/evil.txt'),
  'claude-latest/write.workspace-write': ok('Wrote hello.txt.', [200, 100, 0.0028]),
  'codex/auth.read-only': bad(
    'auth',
    'unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:$PORT/v1/responses',
  ),
  'codex/complete.read-only': ok('All stories pass.\n\n<promise>COMPLETE</promise>', [100, 50]),
  'codex/cut-stream.read-only': bad('failed', 'stream disconnected before completion: error sending request'),
  'codex/edit.workspace-write': ok('Edited README.md.', [300, 150]),
  'codex/empty.read-only': bad('no-output', 'it ended without an answer', [100, 50]),
  'codex/git-dir-write.workspace-write': ok(
    'Wrote a hook or was refused.',
    [200, 100],
    'a patch: writing outside of the project',
  ),
  'codex/hang.read-only': bad('failed', ended),
  'codex/long.read-only': ok(long, [100, 50]),
  'codex/marker-early.read-only': ok('Finished, nothing more to say.', [200, 100]),
  'codex/marker-in-file.read-only': ok('Not finished yet.', [200, 100]),
  'codex/marker-in-prompt.plain': unread(neverDone),
  'codex/marker-in-prompt.read-only': ok('Hello, there is more to do.', [100, 50]),
  'codex/no-key.read-only': bad('auth', 'Missing environment variable: `FAKE_KEY`.'),
  'codex/open-stdin.plain': unread(ended),
  'codex/overflow.read-only': bad(
    'overflow',
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  ),
  'codex/rate-limit-hint.read-only': bad(
    'rate-limited',
    'it was still trying again: exceeded retry limit, last status: 429 Too Many Requests',
  ),
  'codex/rate-limit-once.read-only': bad('rate-limited', 'exceeded retry limit, last status: 429 Too Many Requests'),
  'codex/rate-limit.read-only': bad('rate-limited', 'exceeded retry limit, last status: 429 Too Many Requests'),
  'codex/read-outside.read-only': ok('Read or refused.', [200, 100]),
  'codex/server-error.read-only': bad(
    'failed',
    'We’re currently experiencing high demand, which may cause temporary errors.',
  ),
  'codex/shell-chain.workspace-write': ok(
    'Ran or refused.',
    [200, 100],
    "/bin/bash -lc 'npm test && git commit --allow-empty -m from-agent'",
  ),
  'codex/shell-commit.full': ok('Committed or refused.', [200, 100]),
  'codex/shell-commit.workspace-write': ok(
    'Committed or refused.',
    [200, 100],
    "/bin/bash -lc 'git commit --allow-empty -m from-agent'",
  ),
  'codex/shell-curl.full': ok('Reached or refused.', [200, 100]),
  'codex/shell-curl.read-only': ok('Reached or refused.', [200, 100]),
  'codex/shell-curl.workspace-write': ok('Reached or refused.', [200, 100]),
  'codex/shell-fails.workspace-write': ok('It failed with 3.', [200, 100]),
  'codex/shell-test.workspace-write': ok('The tests pass.', [200, 100]),
  'codex/shell-touch.read-only': ok('The command was run or refused.', [200, 100], "/bin/bash -lc 'touch ran.txt'"),
  'codex/sigint-in-tool.full': bad('failed', 'it ended with exit code 1'),
  'codex/sigint.read-only': bad('failed', 'it ended with exit code 1'),
  'codex/sigterm-group-in-tool.full': bad('failed', ended),
  'codex/sigterm-in-tool.full': bad('failed', ended),
  'codex/sigterm.read-only': bad('failed', ended),
  'codex/text.plain': unread(neverDone),
  'codex/text.read-only': ok('The project has one README.', [100, 50]),
  'codex/text.text': ok('The project has one README.', [100, 50]),
  'codex/unknown-model.read-only': ok('The project has one README.', [100, 50]),
  'codex/usage-limit.read-only': bad(
    'rate-limited',
    'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Nov 26th, 2026 1:33 PM.',
    undefined,
    { resetsAt: new Date(2026, 10, 26, 13, 33) },
  ),
  'codex/write-outside.full': ok('Done outside.', [200, 100]),
  'codex/write-outside.workspace-write': ok('Done outside.', [200, 100], 'a patch: writing outside of the project'),
  'codex/write.bypass': ok('Wrote hello.txt.', [200, 100]),
  'codex/write.no-git': ok('Wrote hello.txt.', [200, 100]),
  'codex/write.read-only': ok('Wrote hello.txt.', [200, 100], 'a patch: writing is blocked by read-only sandbox'),
  'codex/write.text': ok('Wrote hello.txt.', [200, 100], 'a patch: writing is blocked by read-only sandbox'),
  'codex/write.workspace-write': ok('Wrote hello.txt.', [200, 100]),
  'gemini/auth.read-only': bad('auth', 'Request had invalid authentication credentials.', [0, 0]),
  'gemini/bad-key.read-only': bad('auth', 'API key not valid. Please pass a valid API key.', [0, 0]),
  'gemini/complete.read-only': ok('All stories pass.\n\n<promise>COMPLETE</promise>', [100, 50]),
  'gemini/cut-stream.read-only': bad('failed', 'it was still trying again: the connection failed'),
  'gemini/edit.workspace-write': ok('Edited README.md.', [300, 150]),
  'gemini/empty.read-only': bad(
    'no-output',
    'The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again.',
    [400, 200],
  ),
  'gemini/git-dir-write.workspace-write': ok(
    'Wrote a hook or was refused.',
    [200, 100],
    'write_file: Path not in workspace: Attempted path "$PROJECT/.git/hooks/pre-commit" resolves outside the allowed workspace directories: $PROJECT or the project temp directory: $HOME/.gemini/tmp/project',
  ),
  'gemini/hang.read-only': bad('failed', neverDone),
  'gemini/long.read-only': ok(long, [100, 50]),
  'gemini/marker-early.json-format': unread(neverDone),
  'gemini/marker-early.read-only': ok('Finished, nothing more to say.', [200, 100]),
  'gemini/marker-in-prompt.read-only': ok('Hello, there is more to do.', [100, 50]),
  // Nothing that it said tells of the cut.
  'gemini/max-tokens.read-only': ok('An answer that was cut by the output limit', [100, 50]),
  'gemini/no-key.read-only': unread('Invalid auth method selected.', 'auth'),
  'gemini/open-stdin.read-only': ok('The project has one README.', [100, 50]),
  'gemini/overflow.read-only': bad(
    'overflow',
    'The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).',
    [0, 0],
  ),
  'gemini/rate-limit-hint.read-only': bad('rate-limited', 'it was still trying again: status 429'),
  'gemini/rate-limit-once.read-only': ok('Recovered after one 429.', [100, 50]),
  'gemini/rate-limit.read-only': bad('rate-limited', 'it was still trying again: status 429'),
  'gemini/read-outside.read-only': ok(
    'Read or refused.',
    [200, 100],
    'read_file: Path not in workspace: Attempted path "/etc/debian_version" resolves outside the allowed workspace directories: $PROJECT or the project temp directory: $HOME/.gemini/tmp/project',
  ),
  'gemini/server-error.read-only': bad('failed', 'it was still trying again: status 500'),
  'gemini/shell-chain.policy': ok('Ran or refused.', [200, 100], 'run_shell_command: Tool execution denied by policy.'),
  'gemini/shell-commit.full': ok('Committed or refused.', [200, 100]),
  'gemini/shell-commit.policy': ok(
    'Committed or refused.',
    [200, 100],
    'run_shell_command: Tool execution denied by policy.',
  ),
  'gemini/shell-fails.full': ok('It failed with 3.', [200, 100]),
  'gemini/shell-test.policy': ok('The tests pass.', [200, 100]),
  'gemini/shell-test.workspace-write': ok(
    'The tests pass.',
    [200, 100],
    'run_shell_command: Tool "run_shell_command" not found. Did you mean one of: "update_topic", "grep_search", "replace"?',
  ),
  'gemini/shell-touch.read-only': ok(
    'The command was run or refused.',
    [200, 100],
    'run_shell_command: Tool "run_shell_command" not found. Did you mean one of: "update_topic", "grep_search", "invoke_agent"?',
  ),
  'gemini/shell-touch.workspace-write': ok(
    'The command was run or refused.',
    [200, 100],
    'run_shell_command: Tool "run_shell_command" not found. Did you mean one of: "update_topic", "grep_search", "replace"?',
  ),
  'gemini/sigint-group.read-only': bad('failed', neverDone),
  'gemini/sigint.read-only': bad('failed', neverDone),
  'gemini/sigterm-group-in-tool.full': bad('failed', neverDone),
  'gemini/sigterm-group.read-only': bad('failed', neverDone),
  'gemini/sigterm-in-tool.full': bad('failed', neverDone),
  'gemini/sigterm.read-only': bad('failed', neverDone),
  'gemini/text.json-format': unread(neverDone),
  'gemini/text.plain': unread(neverDone),
  'gemini/text.policy-deny': ok('The project has one README.', [100, 50]),
  'gemini/text.read-only': ok('The project has one README.', [100, 50]),
  'gemini/write-outside.full': ok(
    'Done outside.',
    [200, 100],
    'write_file: Path not in workspace: Attempted path "$OUTSIDE/evil.txt" resolves outside the allowed workspace directories: $PROJECT or the project temp directory: $HOME/.gemini/tmp/project',
  ),
  'gemini/write-outside.workspace-write': ok(
    'Done outside.',
    [200, 100],
    'write_file: Path not in workspace: Attempted path "$OUTSIDE/evil.txt" resolves outside the allowed workspace directories: $PROJECT or the project temp directory: $HOME/.gemini/tmp/project',
  ),
  'gemini/write.plan': ok(
    'Wrote hello.txt.',
    [200, 100],
    'write_file: Access denied: plan path ($PROJECT/hello.txt) must be within the designated plans directory ($HOME/.gemini/tmp/project/00000000-0000-0000-0000-000000000000/plans).',
  ),
  'gemini/write.read-only': ok(
    'Wrote hello.txt.',
    [200, 100],
    'write_file: Tool "write_file" not found. Did you mean one of: "read_file", "update_topic", "grep_search"?',
  ),
  'gemini/write.untrusted': unread(
    'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode. For more details, see https://geminicli.com/docs/cli/trusted-folders/#headless-and-automated-environments',
  ),
  'gemini/write.workspace-write': ok('Wrote hello.txt.', [200, 100]),

  'opencode/auth.read-only': bad('auth', 'Incorrect API key provided.', undefined, { sessionId: session }),
  'opencode/complete.read-only': answered(1, 'All stories pass.\n\n<promise>COMPLETE</promise>'),
  'opencode/edit.workspace-write': answered(3, 'Edited README.md.'),
  'opencode/empty.read-only': stepped(1, bad('no-output', 'it ended without an answer')),
  'opencode/long.read-only': answered(1, long),
  'opencode/open-stdin.read-only': unread(ended),
  'opencode/overflow.read-only': bad('overflow', overflow, undefined, { sessionId: session }),
  'opencode/rate-limit-hint.read-only': unread(ended),
  'opencode/read-outside.read-only': answered(2, 'Read or refused.', 'read: /etc/debian_version'),
  'opencode/server-error.read-only': unread(ended),
  'opencode/shell-commit.default': answered(2, 'Committed or refused.'),
  'opencode/shell-commit.workspace-write': answered(
    2,
    'Committed or refused.',
    'bash: git commit --allow-empty -m from-agent',
  ),
  'opencode/shell-test.workspace-write': answered(2, 'The tests pass.'),
  'opencode/shell-touch.read-only': answered(2, 'The command was run or refused.', 'exec_command'),
  'opencode/sigint.read-only': bad('failed', ended, undefined, { sessionId: session }),
  'opencode/text.plain': unread(neverDone),
  'opencode/text.read-only': answered(1, 'The project has one README.'),
  // It has nobody to ask, and stops.
  'opencode/write-outside.default': refusedAtEnd('write: $OUTSIDE/evil.txt'),
  'opencode/write-outside.full': answered(2, 'Done outside.'),
  'opencode/write-outside.workspace-write': answered(2, 'Done outside.', 'write: $OUTSIDE/evil.txt'),
  'opencode/write.ask': refusedAtEnd('write: $PROJECT/hello.txt'),
  'opencode/write.default': answered(2, 'Wrote hello.txt.'),
  'opencode/write.plan': answered(2, 'Wrote hello.txt.', 'write: $PROJECT/hello.txt'),
  'opencode/write.read-only': answered(2, 'Wrote hello.txt.', 'write'),
  'opencode/write.text': answered(1, 'A short title'),
  'opencode/write.workspace-write': answered(2, 'Wrote hello.txt.'),

  'copilot/auth.read-only': bad('auth', 'Authentication failed with provider at http://127.0.0.1:$PORT/v1 (HTTP 401).'),
  'copilot/complete.read-only': said('All stories pass.\n\n<promise>COMPLETE</promise>'),
  'copilot/cut-stream.read-only': bad(
    'failed',
    'Failed to get response from the AI model; retried 5 times (total retry wait time: 5.00 seconds) Last error: Failed native model HTTP request: error sending request for url (http://127.0.0.1:$PORT/v1/chat/completions): client error (SendRequest): connection closed before message completed',
  ),
  'copilot/edit.workspace-write': said('Edited README.md.'),
  'copilot/empty.read-only': bad('no-output', 'No response was returned. Send your message again to retry.'),
  // It wrote the hook.
  'copilot/git-dir-write.workspace-write': said('Wrote a hook or was refused.'),
  'copilot/hang.read-only': bad('interrupted', 'it was interrupted'),
  'copilot/long.read-only': said(long),
  'copilot/marker-early.read-only': said('Finished, nothing more to say.'),
  'copilot/no-key.read-only': unread('it is not logged in', 'auth'),
  'copilot/open-stdin.read-only': said('The project has one README.'),
  'copilot/over-budget.read-only': bad(
    'overflow',
    "Request exceeds the model's prompt budget after reserving output (3278 tokens; limit 2800). Reduce context or compact before continuing.",
  ),
  'copilot/overflow.read-only': bad('overflow', `400 ${overflow}`),
  'copilot/rate-limit-hint.read-only': bad('rate-limited', '429 Rate limit reached for requests'),
  'copilot/rate-limit.read-only': unread('it was interrupted', 'interrupted'),
  'copilot/read-outside.read-only': said('Read or refused.', nobodyAsked),
  'copilot/server-error.read-only': bad(
    'failed',
    'Failed to get response from the AI model; retried 5 times (total retry wait time: 16.02 seconds) Last error: 500 The server had an error',
  ),
  'copilot/shell-chain.workspace-write': said('Ran or refused.', nobodyAsked),
  'copilot/shell-commit.all-but-git': said(
    'Committed or refused.',
    'Permission to run this tool was denied due to the following rules: `shell(git:*)`',
  ),
  'copilot/shell-commit.full': said('Committed or refused.'),
  'copilot/shell-commit.workspace-write': said('Committed or refused.', nobodyAsked),
  'copilot/shell-redirect.workspace-write': said('Written or refused.'),
  'copilot/shell-test.workspace-write': said('The tests pass.'),
  'copilot/shell-touch.read-only': said('The command was run or refused.', 'exec_command'),
  'copilot/sigint.read-only': unread(ended),
  'copilot/sigterm-group-in-tool.full': bad('interrupted', 'it was interrupted'),
  'copilot/sigterm-group.read-only': bad('interrupted', 'it was interrupted'),
  'copilot/sigterm-in-tool.full': unread(ended),
  'copilot/sigterm.read-only': unread(ended),
  'copilot/text.empty-list': said('The project has one README.'),
  'copilot/text.none': said('The project has one README.'),
  'copilot/text.read-only': said('The project has one README.'),
  'copilot/text.text': said('The project has one README.'),
  'copilot/write-outside.full': said('Done outside.'),
  'copilot/write-outside.workspace-write': said('Done outside.', nobodyAsked),
  'copilot/write.empty-list': said('Wrote hello.txt.', nobodyAsked),
  'copilot/write.none': said('Wrote hello.txt.', nobodyAsked),
  'copilot/write.plain': unread(neverDone),
  'copilot/write.read-only': said('Wrote hello.txt.', 'write'),
  'copilot/write.text': said('A short title'),
  'copilot/write.workspace-write': said('Wrote hello.txt.'),
}

describe('a recorded run', () => {
  it.each(Object.keys(rows))('%s is judged by what is true of it', name => {
    const { events, end } = replay(name)
    const denied = events.flatMap(event => (event.kind === 'denied' ? [event.what] : []))
    expect({ ...end, denied }).toEqual(rows[name])
  })

  it('has a row each', () => {
    const clis = ['claude', 'claude-latest', 'codex', 'gemini', 'opencode', 'copilot']
    const recorded = clis.flatMap(cli =>
      readdirSync(new URL(`${cli}/`, folder)).flatMap(file => {
        return file.endsWith('.stdout.txt') ? [`${cli}/${file.slice(0, -'.stdout.txt'.length)}`] : []
      }),
    )
    expect(Object.keys(rows).toSorted()).toEqual(recorded.toSorted())
  })

  it.each([
    ['codex/marker-in-file.read-only', 'Reading the instructions. Not finished yet.'],
    ['codex/marker-in-prompt.read-only', 'Hello, there is more to do.'],
    ['gemini/marker-in-prompt.read-only', 'Hello, there is more to do.'],
    ['claude/marker-early.read-only', 'Nearly done. <promise>COMPLETE</promise> Finished, nothing more to say.'],
    ['opencode/write.read-only', 'I will write the file. Wrote hello.txt.'],
    ['opencode/auth.read-only', ''],
    // In pieces, then whole.
    ['copilot/complete.read-only', Array(2).fill('All stories pass.\n\n<promise>COMPLETE</promise>').join(' ')],
    ['copilot/no-key.read-only', ''],
    ['claude/empty.read-only', ''],
    ['claude/no-key.read-only', ''],
  ])('%s tells as text what the assistant said, and nothing else', (name, said) => {
    const texts = replay(name).events.flatMap(event => (event.kind === 'text' ? [event.text] : []))
    expect(texts.join(' ')).toBe(said)
  })

  it.each([
    ['claude/auth.read-only', { kind: 'retry', why: 'authentication failed (401)', isLogin: true }],
    ['claude/rate-limit-once.read-only', { kind: 'retry', why: 'rate limit (429)', isRateLimit: true }],
    ['claude/cut-stream.read-only', { kind: 'retry', why: 'unknown error' }],
    [
      'codex/auth.read-only',
      {
        kind: 'retry',
        why: 'unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:$PORT/v1/responses',
        isLogin: true,
      },
    ],
    [
      'codex/rate-limit-hint.read-only',
      { kind: 'retry', why: 'exceeded retry limit, last status: 429 Too Many Requests', isRateLimit: true },
    ],
    ['gemini/rate-limit-once.read-only', { kind: 'retry', why: 'status 429', isRateLimit: true }],
    ['copilot/auth.read-only', { kind: 'retry', why: 'transient auth error', isLogin: true }],
    ['copilot/rate-limit.read-only', { kind: 'retry', why: 'rate limit', isRateLimit: true }],
    ['copilot/cut-stream.read-only', { kind: 'retry', why: 'streaming error' }],
    ['gemini/cut-stream.read-only', { kind: 'retry', why: 'the connection failed' }],
  ])('%s tells when it tries again', (name, event) => {
    expect(replay(name).events.find(({ kind }) => kind === 'retry')).toEqual(event)
  })

  it.each([
    ['claude/edit.scoped', ['Read', 'Edit']],
    ['codex/edit.workspace-write', ['command_execution', 'file_change']],
    ['gemini/edit.workspace-write', ['read_file', 'replace']],
    ['opencode/edit.workspace-write', ['read', 'edit']],
    ['opencode/write.read-only', ['write']],
    ['copilot/edit.workspace-write', ['view', 'edit']],
  ])('%s tells which tools were used', (name, tools) => {
    expect(replay(name).events.flatMap(event => (event.kind === 'tool' ? [event.name] : []))).toEqual(tools)
  })

  it.each([
    'claude/edit.scoped',
    'codex/edit.workspace-write',
    'gemini/edit.workspace-write',
    'opencode/edit.workspace-write',
    'copilot/edit.workspace-write',
  ])('%s tells which file was edited', name => {
    expect(replay(name).events.findLast(({ kind }) => kind === 'tool')).toMatchObject({ path: '$PROJECT/README.md' })
  })

  it.each([
    ['claude/shell-test.scoped', 'npm test'],
    ['codex/shell-test.workspace-write', "/bin/bash -lc 'npm test'"],
    ['gemini/shell-test.policy', 'npm test'],
    ['opencode/shell-test.workspace-write', 'npm test'],
    ['copilot/shell-test.workspace-write', 'npm test'],
  ])('%s tells which command was run', (name, command) => {
    expect(replay(name).events.find(({ kind }) => kind === 'tool')).toMatchObject({ command })
  })

  it.each(Object.keys(rows))('%s is judged the same by what is kept of it', name => {
    const { end, kept } = replay(name)
    expect(kept).toEqual(end)
  })

  it('says its end last, so that nothing is lost that is told with it', () => {
    const early = Object.keys(rows).filter(name => {
      const kinds = replay(name).events.map(event => event.kind)
      return kinds.includes('end') && kinds.indexOf('end') !== kinds.length - 1
    })
    expect(early).toEqual([])
  })
})

function replay(name: string): {
  readonly events: readonly AgentEvent[]
  readonly end: AgentEnd
  readonly kept: AgentEnd
} {
  const cli = name.split('/')[0]?.replace('-latest', '')
  const backend = backends.find(each => each.name === cli)
  if (backend === undefined) throw new Error(`nobody reads ${name}`)
  const read = (end: string) => readFileSync(new URL(`${name}.${end}`, folder), 'utf8')
  const [stdout, stderr] = [read('stdout.txt'), read('stderr.txt')]
  const { exitCode } = JSON.parse(read('json')) as { readonly exitCode: number | null }
  // How the two were mixed was not recorded.
  const events = [
    ...stderr.split('\n').flatMap(line => backend.read(line, 'err', now)),
    ...stdout.split('\n').flatMap(line => backend.read(line, 'out', now)),
  ]
  return {
    events,
    end: backend.end({ events, code: exitCode, stderr }),
    kept: endOfKept(backend, events, exitCode, stderr),
  }
}

/** What a run keeps while it goes on is enough to judge it by. */
function endOfKept(backend: Backend, all: readonly AgentEvent[], code: number | null, stderr: string): AgentEnd {
  return backend.end({ events: all.reduce(keepEvent, [] as readonly AgentEvent[]), code, stderr })
}
