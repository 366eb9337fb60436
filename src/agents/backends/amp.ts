import type { AgentEvent, AgentRequest } from '../../model/agent.ts'
import type { Backend } from './backend.ts'
import { lineFields, recordAt, recordsAt, textAt } from './json-fields.ts'
import { judgeEnd } from './judge-end.ts'
import { toolUse } from './tool-use.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Amp, written from its help, which says that its lines are like those of Claude Code.
 *
 * Nothing in its help limits writing to a folder, so relay refuses `workspace-write`.
 */
export const amp: Backend = {
  name: 'amp',
  program: 'amp',
  install: 'npm install -g @sourcegraph/amp',
  sandboxes: { 'read-only': 'rules', 'workspace-write': 'none', 'danger-full-access': 'rules' },
  versionArgs: ['--version'],
  tells: [],
  login: { by: 'amp login', variables: ['AMP_API_KEY'], files: ['.local/share/amp/secrets.json'] },
  keeps: { names: () => ['AMP_API_KEY'] },
  untried: true,
  projectFiles: ['.amp'],
  build(request) {
    // Amp has modes instead of models: a mode sets the model, the prompt and the tools.
    const mode = request.model === undefined ? [] : ['-m', request.model]
    return {
      argv: ['amp', '-x', '--stream-json', '--settings-file', '{folder}/settings.json', ...mode],
      env: {},
      stdin: request.prompt,
      files: { 'settings.json': JSON.stringify(settingsFor(request)) },
    }
  },
  read(line, from) {
    // Amp waits for a login, and would wait for ever.
    if (line.startsWith('No API key found.')) return [{ kind: 'retry', why: 'no API key found', isLogin: true }]
    const fields = from === 'out' ? lineFields(line) : undefined
    // A message with a parent comes from a subagent: it is not the assistant's answer.
    if (fields === undefined || typeof fields['parent_tool_use_id'] === 'string') return []
    switch (fields['type']) {
      case 'system': {
        const id = textAt(fields, 'session_id')
        return id === undefined ? [] : [{ kind: 'session', id }]
      }
      case 'assistant':
        return recordsAt(recordAt(fields, 'message'), 'content').flatMap(blockEvents)
      case 'result':
        return resultEvents(fields)
      default:
        return []
    }
  },
  end: judgeEnd,
}

/** Allows only the named tools: if Amp names a tool differently, the tool is missing but never free. */
function settingsFor({ sandbox, textOnly }: AgentRequest): object {
  if (sandbox === 'danger-full-access') return { 'amp.dangerouslyAllowAll': true }
  const tools = textOnly ? [] : ['Read', 'Grep', 'glob']
  return {
    // Amp might ignore an empty list. No tool has this name.
    'amp.tools.enable': textOnly ? ['none'] : tools,
    'amp.permissions': [...tools.map(tool => ({ tool, action: 'allow' })), { tool: '*', action: 'reject' }],
  }
}

function blockEvents(block: Fields): readonly AgentEvent[] {
  const [text, name] = [textAt(block, 'text'), textAt(block, 'name')]
  if (block['type'] === 'tool_use' && name !== undefined) return [toolUse(name, recordAt(block, 'input'))]
  return block['type'] === 'text' && text !== undefined ? [{ kind: 'text', text, whole: true }] : []
}

function resultEvents(fields: Fields): readonly AgentEvent[] {
  const result = textAt(fields, 'result')
  if (fields['is_error'] === true) {
    const message = textAt(fields, 'error') ?? result ?? 'it ended with an error'
    return [{ kind: 'error', message }, { kind: 'end' }]
  }
  return [...(result === undefined ? [] : [{ kind: 'text', text: result, whole: true } as const]), { kind: 'end' }]
}
