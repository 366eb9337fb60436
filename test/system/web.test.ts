import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Web, WebRequest } from '../../src/ports.ts'
import { systemWeb } from '../../src/system/web.ts'
import { fakeSystem } from '../support/fake-system.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** A server that tells what it was asked, and one URL where there is none. */
const subjects: readonly [string, () => Promise<{ web: Web; url: string; nowhere: string }>][] = [
  [
    'real',
    async () => {
      const here = createServer((request, response) => {
        let body = ''
        request.on('data', chunk => (body += chunk))
        request.on('end', () => response.writeHead(418).end(`${request.method} ${request.headers['x-mine']} ${body}`))
      })
      const gone = createServer()
      const nowhere = await listen(gone)
      gone.close()
      server = here
      return { web: systemWeb, url: await listen(here), nowhere }
    },
  ],
  [
    'fake',
    async () => {
      const { web } = fakeSystem()
      const url = 'http://127.0.0.1:2/'
      for (const method of ['GET', 'POST'] as const) {
        web.answers.set(`${method} ${url}`, ({ headers, body = '' }) => {
          return { status: 418, text: `${method} ${headers['X-Mine']} ${body}` }
        })
      }
      return { web, url, nowhere: 'http://127.0.0.1:1/' }
    },
  ],
]

const listen = async (here: Server): Promise<string> => {
  await new Promise<void>(listening => here.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(here.address() as AddressInfo).port}/`
}

const asked = (url: string, more: Partial<WebRequest> = {}): WebRequest => {
  const headers = { 'X-Mine': 'mine' }
  return { method: 'GET', url, headers, timeLimit: 30, signal: new AbortController().signal, ...more }
}

describe.each(subjects)('the %s web', (_name, make) => {
  it('gives the answer, whatever its status', async () => {
    const { web, url } = await make()
    expect(await web.request(asked(url))).toEqual({ status: 418, text: 'GET mine ' })
    expect(await web.request(asked(url, { method: 'POST', body: 'é' }))).toEqual({ status: 418, text: 'POST mine é' })
  })

  it('says which host cannot be reached', async () => {
    const { web, nowhere } = await make()
    const error = await web.request(asked(nowhere)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'environment', message: `Cannot reach ${new URL(nowhere).host}: ECONNREFUSED` })
  })

  it('ends when it was told to', async () => {
    const { web, url } = await make()
    await expect(web.request(asked(url, { signal: AbortSignal.abort('SIGINT') }))).rejects.toBe('SIGINT')
  })
})

describe('the real web', () => {
  it('waits no longer than it may', async () => {
    server = createServer(() => {})
    const url = await listen(server)
    await expect(systemWeb.request(asked(url, { timeLimit: 0.05 }))).rejects.toThrow('no answer in 0.05 seconds')
  })

  it('tells no header that cannot be sent', async () => {
    const error = await systemWeb.request(asked('http://127.0.0.1:1/', { headers: { a: 'x\nsecret' } })).catch(String)
    expect(error).not.toContain('secret')
  })
})
