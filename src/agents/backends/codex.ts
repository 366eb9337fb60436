import { tomlSettings } from '../../ground/read-settings.ts'
import type { AgentEvent, AgentRequest, AgentSettings, AgentStatus } from '../../model/agent.ts'
import { type Backend, noSettings } from './backend.ts'
import { lineFields, numberAt, recordAt, recordsAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

/** Codex. The operating system keeps its commands to the sandbox: they have no network and cannot write to `.git`. */
export const codex: Backend = {
  name: 'codex',
  program: 'codex',
  install: 'npm install -g @openai/codex',
  sandboxes: { 'read-only': 'enforced', 'workspace-write': 'enforced', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: ['tokens'],
  login: { by: 'codex login', variables: ['CODEX_API_KEY'], files: ['.codex/auth.json'] },
  keeps: {
    names: () => ['OPENAI_API_KEY', 'CODEX_API_KEY', 'AZURE_OPENAI_API_KEY'],
    settings: { places: env => [`${env['CODEX_HOME'] || '.codex'}/config.toml`], keysIn: providersKeys },
  },
  projectFiles: ['.codex'],
  userFiles: ({ CODEX_HOME: folder = '.codex' }) => [`${folder}/config.toml`],
  build(request, settings = noSettings) {
    const model = request.model === undefined ? [] : ['-m', request.model]
    return {
      argv: [
        ...['codex', 'exec', '--json', '-C', request.cwd, '--skip-git-repo-check', '--ephemeral'],
        ...['--sandbox', request.sandbox],
        ...ownArgs(request, settings),
        ...textArgs(request),
        ...model,
        // Read the prompt from stdin.
        '-',
      ],
      env: {},
      stdin: request.prompt,
    }
  },
  read(line, from, now) {
    if (from === 'err') return refusedPatch(line)
    const fields = lineFields(line)
    switch (fields?.['type']) {
      case 'thread.started': {
        const id = textAt(fields, 'thread_id')
        return id === undefined ? [] : [{ kind: 'session', id }]
      }
      case 'item.started':
        return startedItem(recordAt(fields, 'item'))
      case 'item.completed':
        return completedItem(recordAt(fields, 'item'))
      case 'error':
        return errorEvents(textAt(fields, 'message') ?? '', now)
      case 'turn.completed':
        return [...usageEvents(recordAt(fields, 'usage')), { kind: 'end' }]
      case 'turn.failed':
        return [failure(textAt(recordAt(fields, 'error'), 'message') ?? 'the turn failed', now), { kind: 'end' }]
      default:
        return []
    }
  },
  end: judgeEnd,
}

/**
 * Codex has no option for "no settings" that would leave the login and the provider alone, so each one that widens a sandbox,
 * or starts something outside of it, is overruled. Its rules let commands run outside of the sandbox, also in `read-only`.
 */
function ownArgs({ sandbox }: AgentRequest, { users }: AgentSettings): readonly string[] {
  const servers = users.flatMap(serversIn).map(name => `${JSON.stringify(name)}={enabled=false}`)
  const settings = [
    'approval_policy="never"',
    'notify=[]',
    ...['hooks', 'plugins', 'apps'].map(feature => `features.${feature}=false`),
    ...(servers.length === 0 ? [] : [`mcp_servers={${servers.join(',')}}`]),
    ...(sandbox === 'workspace-write' ? narrow.map(each => `sandbox_workspace_write.${each}`) : []),
  ]
  return ['--ignore-rules', ...settings.flatMap(each => ['-c', each])]
}

const narrow = ['network_access=false', 'writable_roots=[]', 'exclude_slash_tmp=true']

/** A file that is no TOML has none: Codex refuses to start with it. */
function serversIn(config: string): readonly string[] {
  return Object.keys(recordAt(tomlSettings(config), 'mcp_servers'))
}

/**
 * The variables that the settings name for a provider: `env_key = "MY_KEY"`, `env_http_headers = { "X-Key" = "MY_KEY" }`.
 */
function providersKeys(settings: string): readonly string[] {
  const keys = [...settings.matchAll(/^\s*env_key\s*=\s*["']([^"']+)["']/gm)].map(([, name = '']) => name)
  const headers = [...settings.matchAll(/^\s*env_http_headers\s*=\s*\{([^}]*)\}/gm)].map(([, all = '']) => all)
  return [...keys, ...headers.flatMap(all => [...all.matchAll(/=\s*["']([^"']+)["']/g)].map(([, name = '']) => name))]
}

/**
 * Codex has no option for "no tools". Without these tools it can only patch, which the sandbox refuses, and look at pictures.
 */
function textArgs({ textOnly }: AgentRequest): readonly string[] {
  if (!textOnly) return []
  return ['--disable', 'shell_tool', '--disable', 'unified_exec', '--disable', 'goals', '-c', 'web_search="disabled"']
}

/** A patch that the sandbox refuses gives no event, only a log line on stderr. */
function refusedPatch(line: string): readonly AgentEvent[] {
  const why = / error=patch rejected: ([^;]+)/.exec(line)?.[1]
  return why === undefined ? [] : [{ kind: 'denied', what: `a patch: ${why}` }]
}

function startedItem(item: Fields): readonly AgentEvent[] {
  const name = item['type']
  if (name !== 'command_execution' && name !== 'file_change') return []
  const changes = recordsAt(item, 'changes')
  return (changes.length === 0 ? [item] : changes).map(each => toolUse(name, each))
}

/** An item of type `error` is only a warning: the turn goes on. */
function completedItem(item: Fields): readonly AgentEvent[] {
  const text = textAt(item, 'text')
  if (item['type'] === 'agent_message' && text !== undefined) return [{ kind: 'text', text, whole: true }]
  if (item['type'] !== 'command_execution' || item['status'] !== 'failed') return []
  const refused = textAt(item, 'aggregated_output')?.includes('Read-only file system') === true
  return refused ? [{ kind: 'denied', what: textAt(item, 'command') ?? 'a command' }] : []
}

function errorEvents(message: string, now: Date): readonly AgentEvent[] {
  const why = /^Reconnecting\.\.\. \d+\/\d+ \((.*)\)$/s.exec(message)?.[1]
  if (why === undefined) return [failure(message, now)]
  const status = statusOf(why)
  const isLogin = status === 'auth' ? { isLogin: true as const } : {}
  const isRateLimit = status === 'rate-limited' ? { isRateLimit: true as const } : {}
  return [{ kind: 'retry', why, ...isLogin, ...isRateLimit }]
}

function usageEvents(usage: Fields): readonly AgentEvent[] {
  const [inputTokens, outputTokens] = [numberAt(usage, 'input_tokens'), numberAt(usage, 'output_tokens')]
  if (inputTokens === undefined || outputTokens === undefined) return []
  return [{ kind: 'usage', usage: { inputTokens, outputTokens } }]
}

function failure(message: string, now: Date): AgentEvent {
  const [status, resetsAt] = [statusOf(message), resetIn(message, now)]
  return {
    kind: 'error',
    message,
    ...(status === undefined ? {} : { status }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  }
}

/** Codex reports errors only as sentences. */
function statusOf(message: string): AgentStatus | undefined {
  return sentences.find(([pattern]) => pattern.test(message))?.[1]
}

const sentences: readonly (readonly [RegExp, AgentStatus])[] = [
  [/\bstatus 401 Unauthorized\b|^Missing environment variable: /, 'auth'],
  [/\b429 Too Many Requests\b|^You.ve hit your usage limit\b/, 'rate-limited'],
  [/\bran out of room in the model's context window\b/, 'overflow'],
]

/**
 * Reads `try again at Nov 26th, 2026 1:33 PM.` or, for a time of the same day, `try again at 9:06 PM.`: the next such time. Both are
 * in this machine's time zone, because the program runs here.
 */
function resetIn(message: string, now: Date): Date | undefined {
  const [, day, rest] = /\btry again at (\w{3} \d{1,2})(?:st|nd|rd|th)(, \d{4} \d{1,2}:\d{2} [AP]M)/.exec(message) ?? []
  const at = day === undefined ? nextTime(message, now) : new Date(`${day}${rest}`)
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at
}

function nextTime(message: string, now: Date): Date | undefined {
  const [, hour, minute, half] = /\btry again at (\d{1,2}):(\d{2}) ([AP]M)/.exec(message) ?? []
  if (hour === undefined) return undefined
  const at = new Date(now)
  at.setHours((Number(hour) % 12) + (half === 'PM' ? 12 : 0), Number(minute), 0, 0)
  // Told to the minute: a limit that ends in this one has not ended long ago.
  if (now.getTime() - at.getTime() >= 60_000) at.setDate(at.getDate() + 1)
  return at
}
