import type {
  AgentEvent,
  AgentRequest,
  AgentSettings,
  AgentStatus,
  AgentUsage,
  TalkRequest,
} from '../../model/agent.ts'
import { sumOf } from '../../model/usage.ts'
import { type Backend, noSettings } from './backend.ts'
import { claudeServers, claudeSettings } from './claude-settings.ts'
import { lineFields, numberAt, recordAt, recordsAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { refusedTool, toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

export const claude: Backend = {
  name: 'claude',
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  sandboxes: { 'read-only': 'rules', 'workspace-write': 'rules', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: ['tokens', 'cost'],
  login: {
    by: 'claude, then /login',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: ['.claude/.credentials.json'],
  },
  keeps: { names: keptBy },
  // Claude Code also reads servers from every folder above; a skill or an agent can bring servers and hooks of its own.
  projectFiles: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/skills',
    '.claude/agents',
    '.mcp.json',
  ],
  userFiles: ({ CLAUDE_CONFIG_DIR: folder = '.claude' }) => [`${folder}/settings.json`],
  build(request, settings = noSettings) {
    const handed = handedOn(request, settings)
    return {
      argv: [
        ...['claude', '-p', '--output-format', 'stream-json', '--verbose', '--no-session-persistence'],
        ...aloneArgs(request, handed),
        ...modelArgs(request),
        ...budgetArgs(request),
        ...toolArgs(request),
      ],
      env: { ...quiet, ...(request.textOnly ? {} : { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' }) },
      stdin: request.prompt,
      files: handed,
    }
  },
  converse(request) {
    const tools = ['Read', 'Grep', 'Glob', ...(unlisted.test(request.writes) ? [] : editsIn(request.writes))]
    return {
      argv: [
        ...['claude', ...modelArgs(request), '--append-system-prompt', request.rules],
        // By itself a newer one asks a server instead of the user.
        ...['--permission-mode', 'default'],
        // Without `--` the program would read the user's message as one more tool.
        ...['--allowedTools', tools.join(','), '--', request.opening],
      ],
      env: quiet,
    }
  },
  read(line, from) {
    const fields = from === 'out' ? lineFields(line) : undefined
    if (fields === undefined) return []
    const used = fields['type'] === 'assistant' ? requestUsage(recordAt(fields, 'message')) : []
    // A message with a parent comes from a subagent: it is not the assistant's answer, but it is paid for.
    if (typeof fields['parent_tool_use_id'] === 'string') return used
    switch (fields['type']) {
      case 'system':
        return systemEvents(fields)
      case 'assistant':
        return withUsage(assistantEvents(fields), used)
      case 'user':
        return absentTools(fields)
      case 'rate_limit_event':
        return limitEvents(recordAt(fields, 'rate_limit_info'))
      case 'result':
        return resultEvents(fields)
      default:
        return []
    }
  },
  end: judgeEnd,
}

/** Amazon's keys are kept only for a Claude that runs at Amazon. */
function keptBy(env: Readonly<Record<string, string>>): readonly string[] {
  const own = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_FOUNDRY_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN']
  const amazons = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
  return env['CLAUDE_CODE_USE_BEDROCK'] ? [...own, ...amazons] : own
}

const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }

const [settingsFile, serversFile] = ['settings.json', 'servers.json']

/** What the program would lose by reading no settings at all. A text needs only the login. */
function handedOn({ textOnly }: AgentRequest, { users, confirmed }: AgentSettings): Readonly<Record<string, string>> {
  const settings = claudeSettings(users, textOnly ? [] : confirmed)
  const servers = textOnly ? undefined : claudeServers(confirmed)
  return {
    ...(settings === undefined ? {} : { [settingsFile]: JSON.stringify(settings) }),
    ...(servers === undefined ? {} : { [serversFile]: JSON.stringify(servers) }),
  }
}

/**
 * The program reads no settings of the user and none of the project, starts no servers and no skills of theirs, and gets what
 * was confirmed by files of relay's. Rules that allow something would add to those of the sandbox. `--add-dir` with its
 * variable reads CLAUDE.md, which would be left out too.
 */
function aloneArgs({ cwd, textOnly }: AgentRequest, handed: Readonly<Record<string, string>>): readonly string[] {
  return [
    ...['--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands'],
    ...(settingsFile in handed ? ['--settings', `{folder}/${settingsFile}`] : []),
    ...(serversFile in handed ? ['--mcp-config', `{folder}/${serversFile}`] : []),
    ...(textOnly ? [] : ['--add-dir', cwd]),
  ]
}

function modelArgs({ model }: Pick<AgentRequest | TalkRequest, 'model'>): readonly string[] {
  return model === undefined ? [] : ['--model', model]
}

/** The program refuses a budget of nothing. */
function budgetArgs({ budget }: AgentRequest): readonly string[] {
  return budget === undefined ? [] : ['--max-budget-usd', Math.max(budget, 0.0001).toFixed(4)]
}

function editsIn(folder: string): readonly string[] {
  return [`Edit(./${folder}/**)`, `Write(./${folder}/**)`]
}

/**
 * `read-only`: the model has no other tools. `workspace-write`: the program refuses whatever is not listed. The mode
 * `acceptEdits` is not used, because it also lets the shell change and remove project files.
 */
function toolArgs({ sandbox, allow, textOnly }: AgentRequest): readonly string[] {
  if (textOnly) return ['--tools', '']
  if (sandbox === 'danger-full-access') return ['--dangerously-skip-permissions']
  if (sandbox === 'workspace-write') {
    const commands = allow.filter(command => !unlisted.test(command)).map(command => `Bash(${command})`)
    const tools = ['Read', 'Grep', 'Glob', 'Edit(./**)', 'Write(./**)', ...commands]
    return ['--permission-mode', 'dontAsk', '--allowedTools', tools.join(',')]
  }
  return ['--tools', 'Read,Grep,Glob', '--allowedTools', 'Read,Grep,Glob']
}

/** A command with such a character would end its rule, begin another rule, or allow more commands than the user confirmed. */
const unlisted = /[(),*\p{Cc}]|^\s*$/u

function systemEvents(fields: Fields): readonly AgentEvent[] {
  if (fields['subtype'] === 'init') {
    const id = textAt(fields, 'session_id')
    return id === undefined ? [] : [{ kind: 'session', id }]
  }
  if (fields['subtype'] !== 'api_retry') return []
  const error = textAt(fields, 'error') ?? 'unknown'
  const status = numberAt(fields, 'error_status')
  const words = error.replaceAll('_', ' ')
  return [
    {
      kind: 'retry',
      why: status === undefined ? `${words} error` : `${words} (${status})`,
      ...(error === 'authentication_failed' ? { isLogin: true } : {}),
      ...(error === 'rate_limit' ? { isRateLimit: true } : {}),
    },
  ]
}

function assistantEvents(fields: Fields): readonly AgentEvent[] {
  const error = textAt(fields, 'error')
  return recordsAt(recordAt(fields, 'message'), 'content').flatMap((block): readonly AgentEvent[] => {
    const text = textAt(block, 'text')
    const name = textAt(block, 'name')
    if (block['type'] === 'tool_use' && name !== undefined) return [toolUse(name, recordAt(block, 'input'))]
    if (block['type'] !== 'text' || text === undefined) return []
    // In a message with an error the program speaks, not the assistant.
    return error === undefined ? [{ kind: 'text', text, whole: true }] : [failure(text, errorStatus[error])]
  })
}

/** A limit may be reached by this request: a tool leads to another one, which must not begin, and a text may be the last. */
function withUsage(events: readonly AgentEvent[], used: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.some(({ kind }) => kind === 'tool') ? [...used, ...events] : [...events, ...used]
}

const errorStatus: Readonly<Record<string, AgentStatus>> = {
  authentication_failed: 'auth',
  rate_limit: 'rate-limited',
}

/** Reports tools that do not exist. A refusal also comes with the result, but a missing tool comes only here. */
function absentTools(fields: Fields): readonly AgentEvent[] {
  return recordsAt(recordAt(fields, 'message'), 'content').flatMap((block): readonly AgentEvent[] => {
    if (block['type'] !== 'tool_result' || block['is_error'] !== true) return []
    const what = /^<tool_use_error>Error: No such tool available: (\w+)/.exec(textAt(block, 'content') ?? '')?.[1]
    return what === undefined ? [] : [{ kind: 'denied', what }]
  })
}

function limitEvents(info: Fields): readonly AgentEvent[] {
  if (info['status'] !== 'rejected') return []
  const seconds = numberAt(info, 'resetsAt')
  return [
    {
      ...failure('the usage limit is reached', 'rate-limited'),
      ...(seconds === undefined ? {} : { resetsAt: new Date(seconds * 1000) }),
    },
  ]
}

function resultEvents(fields: Fields): readonly AgentEvent[] {
  const denied = recordsAt(fields, 'permission_denials').map((each): AgentEvent => {
    return { kind: 'denied', what: refusedTool(textAt(each, 'tool_name'), recordAt(each, 'tool_input')) }
  })
  const usage: AgentEvent = { kind: 'usage', usage: usageOf(fields) }
  return [...denied, usage, ...(fields['is_error'] === true ? [resultError(fields)] : []), { kind: 'end' }]
}

function resultError(fields: Fields): AgentEvent {
  const reason = textAt(fields, 'terminal_reason')
  if (reason?.startsWith('aborted_')) return failure('it was interrupted', 'interrupted')
  const errors = Array.isArray(fields['errors']) ? fields['errors'] : []
  const message = textAt(fields, 'result') ?? errors.find(each => typeof each === 'string') ?? 'it ended with an error'
  if (fields['subtype'] === 'error_max_budget_usd') return failure(message, 'over-limit')
  return failure(message, reason === 'prompt_too_long' ? 'overflow' : undefined)
}

/** Sums up all models, including the cheap one for small jobs. An older claude tells only the sum of the main one. */
function usageOf(fields: Fields): AgentUsage {
  const models = recordAt(fields, 'modelUsage')
  const cost = numberAt(fields, 'total_cost_usd')
  const tokens = Object.keys(models).map(model => {
    const used = recordAt(models, model)
    return tokensOf(used, ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'], 'outputTokens')
  })
  return {
    ...(tokens.length === 0 ? tokensOf(recordAt(fields, 'usage'), ...namesInUsage) : tokens.reduce(sumOf)),
    ...(cost === undefined ? {} : { cost }),
  }
}

/**
 * The use of the request that a message answers, told with each part of the message. Its output is the one with which it began:
 * how much it came to, only the result says.
 */
function requestUsage(message: Fields): readonly AgentEvent[] {
  const [request, usage] = [textAt(message, 'id'), tokensOf(recordAt(message, 'usage'), ...namesInUsage)]
  return request === undefined || usage.inputTokens === undefined ? [] : [{ kind: 'usage', usage, request }]
}

const namesInUsage = [
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  'output_tokens',
] as const

/** Tokens from the cache count as input. */
function tokensOf(used: Fields, [input = '', ...cached]: readonly string[], output: string): AgentUsage {
  const [fresh, outputTokens] = [numberAt(used, input), numberAt(used, output)]
  const fromCache = cached.map(name => numberAt(used, name) ?? 0).reduce((sum, each) => sum + each, 0)
  return {
    ...(fresh === undefined ? {} : { inputTokens: fresh + fromCache }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}

function failure(message: string, status: AgentStatus | undefined): Extract<AgentEvent, { kind: 'error' }> {
  return { kind: 'error', message, ...(status === undefined ? {} : { status }) }
}
