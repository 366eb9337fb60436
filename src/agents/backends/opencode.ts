import { join } from 'node:path'
import { jsonSettings } from '../../ground/read-settings.ts'
import type { AgentEnd, AgentEvent, AgentRequest, AgentSettings, AgentStatus, AgentUsage } from '../../model/agent.ts'
import { type Backend, type EndedRun, noSettings } from './backend.ts'
import { lineFields, numberAt, only, recordAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { refusedTool, toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

export const opencode: Backend = {
  name: 'opencode',
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  sandboxes: { 'read-only': 'rules', 'workspace-write': 'rules', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: ['tokens', 'cost'],
  login: {
    by: 'opencode auth login',
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    files: ['.local/share/opencode/auth.json'],
  },
  keeps: {
    names: env => [...knownKeys, ...providersKeys(env['OPENCODE_CONFIG_CONTENT'] ?? '')],
    settings: { places: settingsFiles, keysIn: providersKeys },
  },
  // A plugin in the folder runs when the program starts.
  projectFiles: ['opencode.json', 'opencode.jsonc', '.opencode'],
  userFiles({ XDG_CONFIG_HOME: above = '.config', OPENCODE_CONFIG: file, OPENCODE_CONFIG_DIR: folder }) {
    const folders = [`${above}/opencode`, '.opencode', ...(folder === undefined ? [] : [folder])]
    const names = ['config.json', 'opencode.json', 'opencode.jsonc']
    return [...folders.flatMap(each => names.map(name => `${each}/${name}`)), ...(file === undefined ? [] : [file])]
  },
  build(request, settings = noSettings) {
    const model = request.model === undefined ? [] : ['-m', request.model]
    const permission = permissionFor(request)
    const rights = permission === undefined ? ['--auto'] : ['--agent', ownAgent]
    const { OPENCODE_PERMISSION: given = '{}' } = settings.env
    return {
      argv: [
        ...['opencode', 'run', '--format', 'json', '--dir', request.cwd, '--pure'],
        // It tells only there that it tries again.
        ...['--print-logs', '--log-level', 'WARN'],
        ...model,
        ...rights,
      ],
      env: {
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_PERMISSION: permission === undefined ? given : JSON.stringify(permission),
        OPENCODE_CONFIG_CONTENT: JSON.stringify(configFor(request, permission, settings)),
      },
      stdin: request.prompt,
    }
  },
  read(line, from) {
    // A refusal on stderr also comes as an event. The program tries again without one.
    if (from === 'err') return retriesIn(line)
    const fields = lineFields(line)
    switch (fields?.['type']) {
      case 'step_start':
        return session(fields)
      case 'text': {
        const text = textAt(recordAt(fields, 'part'), 'text')
        return text === undefined ? [] : [{ kind: 'text', text }]
      }
      case 'tool_use':
        return toolEvents(recordAt(fields, 'part'))
      case 'step_finish':
        return [{ kind: 'usage', usage: usageOf(recordAt(fields, 'part')) }]
      case 'error':
        return [...session(fields), errorEvent(recordAt(fields, 'error'))]
      default:
        return []
    }
  },
  end: judgeSteps,
}

/** The keys by which opencode finds a provider without any settings. */
const knownKeys = [
  ...['ANTHROPIC', 'OPENAI', 'GEMINI', 'OPENROUTER', 'OPENCODE', 'GOOGLE', 'GOOGLE_GENERATIVE_AI', 'AZURE', 'XAI'],
  ...['GROQ', 'DEEPSEEK', 'MISTRAL', 'CEREBRAS', 'TOGETHER', 'FIREWORKS', 'MOONSHOT', 'ZHIPU', 'PERPLEXITY', 'COHERE'],
].map(provider => `${provider}_API_KEY`)

function settingsFiles(env: Readonly<Record<string, string>>): readonly string[] {
  const folder = `${env['XDG_CONFIG_HOME'] || '.config'}/opencode`
  const named = env['OPENCODE_CONFIG'] ? [env['OPENCODE_CONFIG']] : []
  return [...['config.json', 'opencode.json', 'opencode.jsonc'].map(name => `${folder}/${name}`), ...named]
}

/** The variables that the settings name for a provider, as `{env:MY_KEY}`. What a server of theirs wants is not kept. */
function providersKeys(settings: string): readonly string[] {
  const { provider } = jsonSettings(settings)
  return [...(JSON.stringify(provider) ?? '').matchAll(/\{env:([^}"]+)\}/g)].map(([, name = '']) => name)
}

/**
 * Judges a run by its last step, which is an answer if it finished without calling a tool and the program ended by itself.
 *
 * No event marks the end of a run, and a step that calls a tool may give its text before or after the call.
 */
function judgeSteps(run: EndedRun): AgentEnd {
  const start = run.events.findLastIndex(({ kind }) => kind === 'session')
  const step = run.events.slice(start + 1).map(({ kind }) => kind)
  const isDone = run.code !== null && step.includes('usage') && !step.includes('tool')
  const told = run.events.filter(({ kind }, at) => at > start || kind !== 'text')
  const end = judgeEnd({ ...run, events: isDone ? [...told, { kind: 'end' }] : told })
  const denied = run.events.slice(start + 1).findLast(({ kind }) => kind === 'denied')
  // opencode cannot ask a question here, so the run ends with the refusal.
  if (end.status !== 'failed' || run.code !== 0 || denied?.kind !== 'denied') return end
  return { ...end, status: 'denied', why: `it ended without an answer after it was refused: ${denied.what}` }
}

/**
 * The agent under which opencode works: the rights of an agent stand above all others. Its settings are merged with those of an
 * agent of the same name, so nobody may know the name before.
 */
const ownAgent = 'relay-{run}'

/**
 * The settings above all others: what the user's variable says, what was confirmed of the project, and relay's own. opencode
 * reads nothing else of the project, and would leave out AGENTS.md too. It keeps a copy of each folder for undoing, if not told
 * otherwise, and nobody would remove them.
 */
function configFor({ cwd }: AgentRequest, permission: object | undefined, settings: AgentSettings): object {
  const { env, users, confirmed } = settings
  const given = jsonSettings(env['OPENCODE_CONFIG_CONTENT'] ?? '')
  const project = confirmed
    .filter(({ path }) => projectSettings.includes(path))
    .map(({ bytes }) => only(jsonSettings(new TextDecoder().decode(bytes)), handedOn))
  const own = Object.assign({}, given, ...project) as Fields
  const servers = [...users.map(jsonSettings), given].flatMap(each => Object.keys(recordAt(each, 'mcp')))
  const told = Array.isArray(own['instructions']) ? own['instructions'] : []
  return {
    ...own,
    provider: Object.assign({}, ...[given, ...project].map(each => recordAt(each, 'provider'))) as Fields,
    instructions: [...told, join(cwd, 'AGENTS.md'), join(cwd, 'CLAUDE.md')],
    mcp: Object.fromEntries(servers.map(name => [name, { enabled: false }])),
    snapshot: false,
    ...(permission === undefined ? {} : rightsFor(permission, recordAt(given, 'agent'))),
  }
}

/** Also for every other agent: opencode goes on with another one where it does not know the one that is named. */
function rightsFor(permission: object, agents: Fields): object {
  return { permission, default_agent: ownAgent, agent: { ...agents, [ownAgent]: { mode: 'primary', permission } } }
}

const projectSettings = ['opencode.json', 'opencode.jsonc']
/** What changes no rights and starts nothing. */
const handedOn = ['model', 'small_model', 'provider', 'enabled_providers', 'disabled_providers', 'instructions']

/** The last rule that matches a tool or a command decides, so the rule that denies everything comes first. */
function permissionFor({ sandbox, allow, textOnly }: AgentRequest): object | undefined {
  if (textOnly) return { '*': 'deny' }
  if (sandbox === 'danger-full-access') return undefined
  const reading = { read: { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' }, ...readers }
  const commands = allow.filter(command => !unlisted.test(command)).map(command => [command, 'allow'])
  const writing = { edit: 'allow', bash: { '*': 'deny', ...Object.fromEntries(commands) } }
  return {
    ...{ '*': 'deny', ...reading, ...(sandbox === 'workspace-write' ? writing : {}) },
    external_directory: 'deny',
  }
}

const readers = { glob: 'allow', grep: 'allow', list: 'allow', todoread: 'allow', todowrite: 'allow' }

/** A command with such a character would allow more commands than the user confirmed. */
const unlisted = /[*?\p{Cc}]|^\s*$/u

/** Such as `… message="stream error" … error.error="AI_APICallError: Rate limit reached for requests"`. */
function retriesIn(line: string): readonly AgentEvent[] {
  const why = / message="stream error" .*\berror\.error="([^"]*)/.exec(line)?.[1]
  if (why === undefined) return []
  const isRateLimit = /rate.?limit|too many requests|\b429\b/i.test(why) ? { isRateLimit: true as const } : {}
  return [{ kind: 'retry', why, ...isRateLimit }]
}

/** Comes with the start of a step, or with an error before any step. */
function session(fields: Fields): readonly AgentEvent[] {
  const id = textAt(fields, 'sessionID')
  return id === undefined ? [] : [{ kind: 'session', id }]
}

function toolEvents(part: Fields): readonly AgentEvent[] {
  const name = textAt(part, 'tool') ?? 'tool'
  const state = recordAt(part, 'state')
  const input = recordAt(state, 'input')
  // opencode reports both a missing tool and a wrong call as the completed tool `invalid`.
  if (name === 'invalid') {
    const called = textAt(input, 'tool') ?? name
    const isAbsent = textAt(input, 'error')?.startsWith('Model tried to call unavailable tool') === true
    return [{ kind: 'tool', name: called }, ...(isAbsent ? [{ kind: 'denied', what: called } as const] : [])]
  }
  const isRefused = state['status'] === 'error' && refusal.test(textAt(state, 'error') ?? '')
  return [toolUse(name, input), ...(isRefused ? [{ kind: 'denied', what: refusedTool(name, input) } as const] : [])]
}

/** A tool that is missing is told like this where `invalid` is denied with all others. */
const refusal =
  /^(?:The user (?:has specified a rule which prevents|rejected permission)|Model tried to call unavailable tool)/

function usageOf(part: Fields): AgentUsage {
  const tokens = recordAt(part, 'tokens')
  const [inputTokens, outputTokens] = [numberAt(tokens, 'input'), numberAt(tokens, 'output')]
  const cost = numberAt(part, 'cost')
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cost === undefined ? {} : { cost }),
  }
}

function errorEvent(error: Fields): AgentEvent {
  const data = recordAt(error, 'data')
  const message = textAt(data, 'message') ?? textAt(error, 'name') ?? 'it ended with an error'
  const status = errorStatus(error['name'], data['statusCode'])
  return { kind: 'error', message, ...(status === undefined ? {} : { status }) }
}

function errorStatus(name: unknown, statusCode: unknown): AgentStatus | undefined {
  if (name === 'ContextOverflowError') return 'overflow'
  if (statusCode === 429) return 'rate-limited'
  return statusCode === 401 ? 'auth' : undefined
}
