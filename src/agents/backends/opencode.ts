import type { AgentEnd, AgentEvent, AgentRequest, AgentStatus, AgentUsage } from '../../model/agent.ts'
import type { Backend, EndedRun } from './backend.ts'
import { lineFields, numberAt, recordAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'

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
  // A plugin in the folder runs when the program starts.
  projectFiles: ['opencode.json', 'opencode.jsonc', '.opencode'],
  build(request) {
    const model = request.model === undefined ? [] : ['-m', request.model]
    const all = request.sandbox === 'danger-full-access' ? ['--auto'] : []
    const permission = permissionFor(request)
    return {
      argv: ['opencode', 'run', '--format', 'json', '--dir', request.cwd, ...model, ...all],
      env: {
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
        ...(permission === undefined ? {} : { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission }) }),
      },
      stdin: request.prompt,
    }
  },
  read(line, from) {
    // A refusal on stderr also comes as an event.
    const fields = from === 'out' ? lineFields(line) : undefined
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

/** The last rule that matches a command decides, so the rule that denies everything comes first. */
function permissionFor({ sandbox, allow, textOnly }: AgentRequest): object | undefined {
  if (textOnly) return { '*': 'deny' }
  if (sandbox === 'danger-full-access') return undefined
  const outside = { webfetch: 'deny', external_directory: 'deny' }
  if (sandbox === 'read-only') return { edit: 'deny', bash: 'deny', ...outside }
  const commands = allow.filter(command => !unlisted.test(command)).map(command => [command, 'allow'])
  return { edit: 'allow', bash: { '*': 'deny', ...Object.fromEntries(commands) }, ...outside }
}

/** A command with such a character would allow more commands than the user confirmed. */
const unlisted = /[*?\p{Cc}]|^\s*$/u

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
  if (!isRefused) return [{ kind: 'tool', name }]
  const at = textAt(input, 'command') ?? textAt(input, 'filePath')
  const what = at === undefined ? name : `${name}: ${at}`
  return [
    { kind: 'tool', name },
    { kind: 'denied', what },
  ]
}

const refusal = /^The user (?:has specified a rule which prevents|rejected permission)/

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
  return statusCode === 401 ? 'auth' : undefined
}
