import { isRecord } from '../../../src/ground/json.ts'

/** A tool that a model calls, by the name and with the fields that the program gave it. */
export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>> | string
}

/** What a model answers to one request: some text, a tool, or nothing at all. */
export type Reply = { readonly text: string } | { readonly tool: ToolCall } | 'nothing'

export type Refusal = 'login' | 'overflow'

type Fields = Readonly<Record<string, unknown>>

/** How programs speak with one kind of model: as little of it as they need in order to go on. */
export interface Dialect {
  takes(path: string): boolean
  tools(body: Fields): readonly string[]
  /** How many tools have answered in this conversation. */
  answered(body: Fields): number
  /** All that comes of an answer; `at`: how many came before it. */
  reply(reply: Reply, at: number): readonly ServerEvent[]
  /** What comes of a text before its end. */
  begin(text: string): readonly ServerEvent[]
  refuse(why: Refusal): { readonly status: number; readonly body: Fields } | readonly ServerEvent[]
}

/** `type` names the event where the dialect has names. */
export interface ServerEvent {
  readonly type?: string
  readonly data: Fields | '[DONE]'
}

/** What the model counts for each answer. */
export const tokens = { inputTokens: 100, outputTokens: 50 }
const { inputTokens: input, outputTokens: output } = tokens

/** Anthropic's messages. */
const messages: Dialect = {
  takes: path => path.startsWith('/v1/messages') && !path.includes('count_tokens'),
  tools: body => list(body['tools']).map(tool => String(tool['name'])),
  answered: body => all(body['messages']).filter(each => each['type'] === 'tool_result').length,
  reply(reply, at) {
    if (reply === 'nothing') return [...opening(), ...closing('end_turn')]
    const stop = named('content_block_stop', { index: 0 })
    if ('text' in reply) return [...this.begin(reply.text), stop, ...closing('end_turn')]
    const { name, input: fields } = reply.tool
    return [
      ...opening(),
      named('content_block_start', {
        index: 0,
        content_block: { type: 'tool_use', id: `toolu_${at}`, name, input: {} },
      }),
      named('content_block_delta', {
        index: 0,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(fields) },
      }),
      stop,
      ...closing('tool_use'),
    ]
  },
  begin: text => [
    ...opening(),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  ],
  refuse: why =>
    why === 'login'
      ? { status: 401, body: failure('authentication_error', 'invalid x-api-key') }
      : { status: 400, body: failure('invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum') },
}

function opening(): readonly ServerEvent[] {
  const usage = { input_tokens: input, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-8', content: [], usage }
  return [named('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } })]
}

function closing(reason: string): readonly ServerEvent[] {
  return [
    named('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } }),
    named('message_stop', {}),
  ]
}

function failure(type: string, message: string): Fields {
  return { type: 'error', error: { type, message } }
}

/** OpenAI's responses. */
const responses: Dialect = {
  takes: path => path === '/v1/responses',
  tools: body => list(body['tools']).map(tool => String(tool['name'] ?? tool['type'])),
  answered: body => list(body['input']).filter(each => String(each['type']).endsWith('_call_output')).length,
  reply(reply, at) {
    if (reply === 'nothing') return this.reply({ text: '' }, at)
    const item = 'text' in reply ? spoken(reply.text) : called(reply.tool, `call_${at}`)
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
    return [
      named('response.created', { response: { id: 'resp_1' } }),
      named('response.output_item.done', { output_index: 0, item }),
      named('response.completed', { response: { id: 'resp_1', output: [item], usage } }),
    ]
  },
  begin: text => [
    named('response.created', { response: { id: 'resp_1' } }),
    named('response.output_item.added', { output_index: 0, item: spoken('') }),
    named('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }),
  ],
  refuse(why) {
    if (why === 'login')
      return { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } }
    const error = { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }
    return [
      named('response.created', { response: { id: 'resp_1' } }),
      named('response.failed', { response: { id: 'resp_1', status: 'failed', error } }),
    ]
  },
}

function spoken(text: string): Fields {
  return { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] }
}

function called({ name, input: told }: ToolCall, id: string): Fields {
  return typeof told === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, input: told }
    : { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(told) }
}

/** OpenAI's chat completions. */
const completions: Dialect = {
  takes: path => path === '/v1/chat/completions',
  tools: body => list(body['tools']).map(tool => String((tool['function'] as Fields)['name'])),
  answered: body => list(body['messages']).filter(each => each['role'] === 'tool').length,
  reply(reply, at) {
    if (reply === 'nothing') return [chunk({ role: 'assistant' }), ...finish('stop')]
    if ('text' in reply) return [...this.begin(reply.text), ...finish('stop')]
    const { name, input: fields } = reply.tool
    const call = { index: 0, id: `call_${at}`, type: 'function', function: { name, arguments: JSON.stringify(fields) } }
    return [chunk({ role: 'assistant', tool_calls: [call] }), ...finish('tool_calls')]
  },
  begin: text => [chunk({ role: 'assistant', content: text })],
  refuse(why) {
    if (why === 'login')
      return { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } }
    const message = `This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens.`
    return { status: 400, body: { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } } }
  },
}

function chunk(delta: Fields, more: Fields = {}): ServerEvent {
  const choice = { index: 0, delta, finish_reason: null, ...more }
  return {
    data: { id: 'chatcmpl_1', object: 'chat.completion.chunk', created: 1, model: 'fake-model', choices: [choice] },
  }
}

function finish(reason: string): readonly ServerEvent[] {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const { data } = chunk({}, { finish_reason: reason })
  return [{ data: { ...(data as Fields), usage } }, { data: '[DONE]' }]
}

/** Gemini's generated content. */
const contents: Dialect = {
  takes: path => /^\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent/.test(path),
  tools: body =>
    list(body['tools']).flatMap(tool => [
      ...list(tool['functionDeclarations']).map(each => String(each['name'])),
      ...Object.keys(tool).filter(name => name !== 'functionDeclarations'),
    ]),
  answered: body => all(body['contents']).filter(each => 'functionResponse' in each).length,
  reply(reply) {
    if (reply === 'nothing') return [candidate([], 'STOP')]
    if ('text' in reply) return [candidate([{ text: reply.text }], 'STOP')]
    return [candidate([{ functionCall: { name: reply.tool.name, args: reply.tool.input } }], 'STOP')]
  },
  begin: text => [candidate([{ text }])],
  refuse(why) {
    if (why === 'login') {
      const message = 'Request had invalid authentication credentials.'
      return { status: 401, body: { error: { code: 401, message, status: 'UNAUTHENTICATED' } } }
    }
    const message = 'The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).'
    return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
  },
}

function candidate(parts: readonly Fields[], finishReason?: string): ServerEvent {
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
  const content = { role: 'model', parts }
  return { data: { candidates: [{ index: 0, content, ...(finishReason && { finishReason }) }], usageMetadata } }
}

export const dialects: readonly Dialect[] = [messages, responses, completions, contents]

function named(type: string, fields: Fields): ServerEvent {
  return { type, data: { type, ...fields } }
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The records in a value, at any depth. */
function all(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return value.flatMap(all)
  return isRecord(value) ? [value, ...Object.values(value).flatMap(all)] : []
}
