import { isRecord, parseJson } from '../../ground/json.ts'
import type { AgentEvent, AgentRequest, AgentStatus } from '../../model/agent.ts'
import type { Backend } from './backend.ts'
import { lineFields, numberAt, recordAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

export const gemini: Backend = {
  name: 'gemini',
  program: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  sandboxes: { 'read-only': 'rules', 'workspace-write': 'rules', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: ['tokens'],
  login: {
    by: 'gemini, then /auth',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    files: ['.gemini/oauth_creds.json'],
  },
  keeps: { names: () => ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] },
  // The nearest .env, in this folder or above, sets variables, and these can name commands and servers.
  projectFiles: ['.gemini', '.env'],
  build(request) {
    const model = request.model === undefined ? [] : ['-m', request.model]
    const policy = policyFor(request)
    return {
      argv: [
        // Without `--skip-trust` Gemini does nothing in a folder that it does not know.
        ...['gemini', '--skip-trust', '-o', 'stream-json', ...model],
        ...['--approval-mode', approvalModes[request.sandbox]],
        ...(policy === undefined ? [] : ['--policy', '{folder}/policy.toml']),
        // No extension and no server has this name.
        ...['--extensions', 'none', '--allowed-mcp-server-names', 'none'],
      ],
      env: {},
      stdin: request.prompt,
      ...(policy === undefined ? {} : { files: { 'policy.toml': policy } }),
    }
  },
  read(line, from) {
    if (from === 'err') return retryEvents(line)
    const fields = lineFields(line)
    switch (fields?.['type']) {
      case 'init': {
        const id = textAt(fields, 'session_id')
        return id === undefined ? [] : [{ kind: 'session', id }]
      }
      case 'message': {
        // Gemini repeats the prompt as a message of the user.
        const text = fields['role'] === 'assistant' ? textAt(fields, 'content') : undefined
        return text === undefined ? [] : [{ kind: 'text', text }]
      }
      case 'tool_use': {
        const name = textAt(fields, 'tool_name')
        return name === undefined ? [] : [toolUse(name, recordAt(fields, 'parameters'))]
      }
      case 'tool_result':
        return refusals(fields)
      case 'error':
        return fields['severity'] === 'error' ? [failure(textAt(fields, 'message'))] : []
      case 'result':
        return resultEvents(fields)
      default:
        return []
    }
  },
  end(run) {
    const end = judgeEnd(run)
    return run.code === noLogin ? { ...end, status: 'auth' } : end
  },
}

/** The exit code when there is no login; apart from it only stderr says so. */
const noLogin = 41

/** By themselves `default` writes and runs nothing, and `auto_edit` edits inside the project; the user's settings add to both. */
const approvalModes = {
  'read-only': 'default',
  'workspace-write': 'auto_edit',
  'danger-full-access': 'yolo',
} as const satisfies Record<AgentRequest['sandbox'], string>

/**
 * A policy that denies every tool and allows the listed ones: it stands above the user's settings, and takes the place of the
 * user's policies. A command is allowed by its prefix; Gemini refuses one that goes on with another command.
 */
function policyFor({ sandbox, allow, textOnly, cwd }: AgentRequest): string | undefined {
  if (textOnly) return rule({ toolName: '*', decision: 'deny', priority: 999 })
  if (sandbox === 'danger-full-access') return undefined
  const named = readers.map(toolName => ({ toolName }))
  const writing = [
    ...['write_file', 'replace'].map(toolName => ({ toolName, argsPattern: pathBelow(cwd) })),
    // Every command would match an empty prefix.
    ...allow
      .filter(command => command.trim() !== '')
      .map(commandPrefix => ({ toolName: 'run_shell_command', commandPrefix })),
  ]
  const allowed = sandbox === 'workspace-write' ? [...named, ...writing] : named
  return [
    rule({ toolName: '*', decision: 'deny', priority: 900 }),
    ...allowed.map(each => rule({ ...each, decision: 'allow', priority: 950 })),
  ].join('\n')
}

/** Under their present names and an earlier one. */
const readers = [
  ...['list_directory', 'read_file', 'read_many_files', 'glob', 'grep_search', 'search_file_content'],
  ...['google_web_search', 'update_topic', 'write_todos'],
]

/**
 * Arguments with a path in the folder: the user's settings can add folders to the workspace. In JSON no text inside another
 * argument can look like this. Gemini leaves out a rule whose pattern repeats a group, and then nothing may be written.
 */
function pathBelow(folder: string): string {
  const inside = JSON.stringify(folder.replace(/\/$/, ''))
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return `"file_path":"(?:${inside}/|(?![/~\\\\]))(?!\\.\\./)(?![^"]*/\\.\\./)`
}

/** Gemini reads only one key per line. JSON strings are valid TOML, except for one character. */
function rule(keys: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(keys).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
  return `[[rule]]\n${lines.join('').replaceAll('\x7f', '\\u007f')}`
}

/** Gemini reports retries only on stderr. */
function retryEvents(line: string): readonly AgentEvent[] {
  const [all, status] = /^Attempt \d+ failed(?: with status (\d+))?\. Retrying with backoff/.exec(line) ?? []
  if (all === undefined) return []
  const why = status === undefined ? 'the connection failed' : `status ${status}`
  return [{ kind: 'retry', why, ...(status === '429' ? { isRateLimit: true } : {}) }]
}

function refusals(fields: Fields): readonly AgentEvent[] {
  const error = recordAt(fields, 'error')
  const message = textAt(error, 'message') ?? ''
  const refused =
    error['type'] === 'tool_not_registered' ||
    error['type'] === 'policy_violation' ||
    /^(?:Path not in workspace|Access denied): /.test(message)
  if (!refused) return []
  const [name] = (textAt(fields, 'tool_id') ?? 'a tool').split('__')
  return [{ kind: 'denied', what: `${name}: ${message}` }]
}

function resultEvents(fields: Fields): readonly AgentEvent[] {
  const stats = recordAt(fields, 'stats')
  const [inputTokens, outputTokens] = [numberAt(stats, 'input_tokens'), numberAt(stats, 'output_tokens')]
  const isTold = inputTokens !== undefined && outputTokens !== undefined
  return [
    ...(isTold ? [{ kind: 'usage' as const, usage: { inputTokens, outputTokens } }] : []),
    ...(fields['status'] === 'success' ? [] : [failure(textAt(recordAt(fields, 'error'), 'message'))]),
    { kind: 'end' },
  ]
}

function failure(told: string | undefined): AgentEvent {
  const message = told === undefined ? 'it ended with an error' : plainMessage(told)
  const status = sentences.find(([pattern]) => pattern.test(told ?? ''))?.[1]
  return { kind: 'error', message, ...(status === undefined ? {} : { status }) }
}

/** Takes the message out of `[API Error: {"error":{"message":"…"}}]`. */
function plainMessage(told: string): string {
  const body = parseJson(/^\[API Error: (\{.*\})\]$/s.exec(told)?.[1] ?? '')
  const message = isRecord(body) ? textAt(recordAt(body, 'error'), 'message') : undefined
  return message ?? told
}

/** Gemini's errors have no type: only the text distinguishes them. */
const sentences: readonly (readonly [RegExp, AgentStatus])[] = [
  [/"UNAUTHENTICATED"|\bAPI key not valid\b/, 'auth'],
  [/"RESOURCE_EXHAUSTED"/, 'rate-limited'],
  [/\binput token count .* exceeds the maximum\b/, 'overflow'],
  [/^The model returned an empty response\b/, 'no-output'],
]
