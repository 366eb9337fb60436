import { jsonSettings } from '../../ground/read-settings.ts'
import type { AgentEvent, AgentRequest, AgentSettings, AgentStatus } from '../../model/agent.ts'
import { type Backend, noSettings } from './backend.ts'
import { lineFields, recordAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

/** GitHub Copilot CLI. It reports neither tokens nor cost. */
export const copilot: Backend = {
  name: 'copilot',
  program: 'copilot',
  install: 'npm install -g @github/copilot',
  sandboxes: { 'read-only': 'rules', 'workspace-write': 'rules', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: [],
  login: {
    by: 'copilot, then /login', // Copilot also accepts GH_TOKEN and GITHUB_TOKEN, but relay gives these to no agent.
    variables: ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
    files: ['.copilot/config.json', '.config/gh/hosts.yml'],
  },
  keeps: {
    names: () => ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'],
  },
  projectFiles: [
    ...['.github/hooks', '.github/copilot', '.github/extensions', '.github/lsp.json', '.github/mcp.json'],
    ...['.copilot', '.mcp.json', '.vscode/mcp.json', '.claude/settings.json', '.claude/settings.local.json'],
  ],
  userFiles: ({ COPILOT_HOME: folder = '.copilot' }) => [`${folder}/config.json`, `${folder}/settings.json`],
  build(request, settings = noSettings) {
    return {
      argv: [
        ...['copilot', '-C', request.cwd, '-s', '--output-format', 'json', '--no-auto-update', '--no-ask-user'],
        ...['--disable-builtin-mcps', '--no-color', '--log-level', 'none'],
        ...toolArgs(request),
      ],
      env: {
        ...(request.model === undefined ? {} : { COPILOT_MODEL: request.model }),
        ...{ COPILOT_HOME: '{folder}/home', COPILOT_ALLOW_ALL: '' },
      },
      stdin: request.prompt,
      files: { 'home/config.json': JSON.stringify(loginIn(settings)) },
    }
  },
  read(line, from) {
    if (from === 'err') return line.startsWith(loggedOut) ? [failure('it is not logged in', 'auth')] : []
    const fields = lineFields(line)
    const data = recordAt(fields ?? {}, 'data')
    switch (fields?.['type']) {
      case 'assistant.message_delta':
        return textEvents(textAt(data, 'deltaContent'), {})
      case 'assistant.message':
        return textEvents(textAt(data, 'content'), { whole: true })
      case 'tool.execution_start':
        return [toolUse(textAt(data, 'toolName') ?? 'tool', recordAt(data, 'arguments'))]
      case 'tool.execution_complete':
        return data['success'] === false ? refusals(recordAt(data, 'error')) : []
      case 'assistant.turn_retry':
        return [retryEvent(textAt(data, 'reason') ?? 'unknown error')]
      case 'session.error':
        return [sessionError(data)]
      case 'abort':
        return [failure('it was interrupted', 'interrupted')]
      case 'result':
        return resultEvents(fields)
      default:
        return []
    }
  },
  end: judgeEnd,
}

/**
 * The user's login and model. Copilot cannot be told to leave out the rest of its home folder: what the user allowed for good,
 * servers, plugins, and hooks that may allow everything. So it gets another one, in which no folder of a project is trusted.
 */
function loginIn({ users }: AgentSettings): object {
  const all = users.flatMap(text => Object.entries(jsonSettings(text)))
  return Object.fromEntries(all.filter(([name]) => /user|token|host|model|proxy|effort/i.test(name)))
}

const loggedOut = 'Error: No authentication information found.'

/** `read-only` and text only: the model has no other tools. `workspace-write`: the program refuses whatever is not listed. */
function toolArgs({ sandbox, allow, textOnly }: AgentRequest): readonly string[] {
  // No tool has this name. Copilot ignores an empty list and then offers every tool.
  if (textOnly) return ['--available-tools', 'none']
  if (sandbox === 'danger-full-access') return ['--allow-all']
  if (sandbox === 'read-only') return ['--available-tools', 'view', 'grep', 'glob', '--allow-all-tools']
  const commands = allow.filter(command => !unlisted.test(command)).map(command => `shell(${command})`)
  return ['write', ...commands].flatMap(tool => ['--allow-tool', tool])
}

/** A command with such a character would end its rule, begin another rule, or allow more commands than the user confirmed. */
const unlisted = /[(),*\p{Cc}]|^\s*$/u

function textEvents(text: string | undefined, how: { readonly whole?: true }): readonly AgentEvent[] {
  return text === undefined || text === '' ? [] : [{ kind: 'text', text, ...how }]
}

/** This event does not name the tool; the event before it did. */
function refusals(error: Fields): readonly AgentEvent[] {
  const message = textAt(error, 'message') ?? ''
  const absent = /^Tool '(.+)' does not exist\.$/.exec(message)?.[1]
  if (absent !== undefined) return [{ kind: 'denied', what: absent }]
  return error['code'] === 'denied' ? [{ kind: 'denied', what: message.replace(/\. .*$/s, '') }] : []
}

function retryEvent(reason: string): AgentEvent {
  return {
    kind: 'retry',
    why: reason.replaceAll('_', ' '),
    ...(reason === 'transient_auth_error' ? { isLogin: true } : {}),
    ...(reason === 'rate_limit' ? { isRateLimit: true } : {}),
  }
}

function sessionError(data: Fields): AgentEvent {
  // Advice may follow on further lines.
  const message = textAt(data, 'message')?.split('\n')[0] ?? 'it ended with an error'
  const type = textAt(data, 'errorType') ?? ''
  if (type in errorStatus) return failure(message, errorStatus[type])
  if (message.startsWith('No response was returned')) return failure(message, 'no-output')
  // Copilot counts tokens before it sends, and refuses a prompt that is too long. Otherwise the message is the provider's.
  const isOverBudget = message.startsWith("Request exceeds the model's prompt budget")
  const isOverflow = isOverBudget || (data['statusCode'] === 400 && message.includes('maximum context length'))
  return failure(message, isOverflow ? 'overflow' : undefined)
}

const errorStatus: Readonly<Record<string, AgentStatus>> = {
  authentication: 'auth',
  rate_limit: 'rate-limited',
}

function resultEvents(fields: Fields): readonly AgentEvent[] {
  const id = textAt(fields, 'sessionId')
  return [...(id === undefined ? [] : [{ kind: 'session', id } as const]), { kind: 'end' }]
}

function failure(message: string, status: AgentStatus | undefined): AgentEvent {
  return { kind: 'error', message, ...(status === undefined ? {} : { status }) }
}
