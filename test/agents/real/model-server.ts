import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRecord } from '../../../src/ground/json.ts'
import { type Dialect, dialects, type Refusal, type ServerEvent, type ToolCall } from './dialects.ts'

/** What the model does from now on. */
export type Saying =
  | { readonly kind: 'text'; readonly text: string }
  /** One call after the other, then a text. A function chooses the calls by what the program sent. */
  | { readonly kind: 'calls'; readonly calls: Calls | ((asked: string) => Calls); readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refuse'; readonly why: Refusal }
  /** Begins a text and never ends it. */
  | { readonly kind: 'hang'; began(): void }

type Calls = readonly ToolCall[]

/** What a program sent to the model. */
interface ModelRequest {
  readonly tools: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
}

/** A model for programs that talk to one over HTTP: it says what it is told to say, and keeps what it was sent. */
export interface ModelServer {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  say(saying: Saying): void
  close(): Promise<void>
}

export async function startModelServer(): Promise<ModelServer> {
  let saying: Saying = { kind: 'nothing' }
  let requests: ModelRequest[] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const text = await textOf(request)
    const dialect = request.method === 'POST' ? dialects.find(each => each.takes(path)) : undefined
    if (dialect === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const body = JSON.parse(text) as ModelRequest['body']
    requests.push({ tools: dialect.tools(body), body })
    // A request for a title offers no tool. Where tools are called, or nothing ends, it is answered at once.
    const isAside = dialect.tools(body).length === 0 && (saying.kind === 'calls' || saying.kind === 'hang')
    answer(dialect, isAside ? { kind: 'text', text: 'A title' } : saying, body, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    say(what) {
      saying = what
      requests = []
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function answer(dialect: Dialect, saying: Saying, body: ModelRequest['body'], response: ServerResponse): void {
  if (saying.kind === 'hang') {
    stream(response, dialect.begin('It begins'))
    saying.began()
    return
  }
  const found = saying.kind === 'refuse' ? dialect.refuse(saying.why) : said(dialect, saying, body)
  if ('status' in found) response.writeHead(found.status, { 'content-type': 'application/json' })
  else stream(response, found)
  response.end('status' in found ? JSON.stringify(found.body) : '')
}

function said(
  dialect: Dialect,
  saying: Exclude<Saying, { readonly kind: 'refuse' | 'hang' }>,
  body: ModelRequest['body'],
): readonly ServerEvent[] {
  const at = dialect.answered(body)
  const tool = saying.kind === 'calls' ? callsOf(saying.calls, body)[at] : undefined
  if (tool !== undefined) return dialect.reply({ tool }, at)
  return dialect.reply(saying.kind === 'nothing' ? 'nothing' : { text: saying.text }, at)
}

function callsOf(calls: Calls | ((asked: string) => Calls), body: ModelRequest['body']): Calls {
  return typeof calls === 'function' ? calls(textsIn(body).join('\n')) : calls
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : []
}

function stream(response: ServerResponse, events: readonly ServerEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { type, data } of events) {
    const name = type === undefined ? '' : `event: ${type}\n`
    response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
