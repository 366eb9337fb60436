import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Origin } from '../../../src/agents/ship/origin.ts'
import { type PullRequest, prPreflight, pullRequestTitle, requestPull } from '../../../src/agents/ship/pull-request.ts'
import { systemWeb } from '../../../src/system/web.ts'
import { awsKey, githubToken } from '../../support/secrets.ts'
import { ShipWorld } from './world.ts'

const token = 'ghp_0123456789abcdefghij0123456789abcdef'
const url = 'https://github.com/o/r.git'
const github = { owner: 'o', name: 'r' }
const origin: Origin = { url, pushUrl: url, github, pushesTo: github, defaultBranch: 'release/next' }
const body = 'Adds `rm -rf ~` and $(touch hacked) "quoted" \'too\'\r\n\n## Ä\n\\n $HOME\n'

let world: ShipWorld
beforeEach(() => {
  world = new ShipWorld()
  world.programs({ gh: '#!/bin/sh\nexit 1\n' })
})
afterEach(() => world.remove())

const doors = () => ({ ...world.system, web: systemWeb })
const request = (more: Partial<PullRequest> = {}) => {
  const texts = { title: 'feat: add `x` $(y)', body }
  return requestPull({ origin, branch: 'claude/work', ...texts, timeLimit: 30, ...more }, doors())
}

describe('a pull request by gh', () => {
  /** A gh that is logged in, notes how it was called, and keeps the body. */
  const fakeGh = (list: string, create: string) => {
    const script = `#!/bin/sh
printf '%s\\n' "$@" "--- prompt=$GH_PROMPT_DISABLED" >> ${world.home}/gh.log
case "$1 $2" in
  "auth status") exit 0;;
  "pr list") ${list};;
  "pr create") cat > ${world.home}/body; ${create};;
  *) exit 9;;
esac
`
    world.programs({ gh: script })
  }

  it('is opened with its texts as they are', async () => {
    fakeGh('echo "[]"', 'echo "Creating pull request" >&2; echo https://github.com/o/r/pull/7')
    expect(await request()).toEqual({ kind: 'opened', url: 'https://github.com/o/r/pull/7', isMasked: false })
    expect(world.read('body')).toBe(body)
    const called = [
      ['auth', 'status', '--hostname', 'github.com'],
      ['pr', 'list', '--repo', 'o/r', '--head', 'claude/work', '--state', 'open', '--json', 'url,headRepositoryOwner'],
      ['pr', 'create', '--repo', 'o/r', '--head', 'claude/work', '--base', 'release/next'],
    ]
    const texts = ['--title', 'feat: add `x` $(y)', '--body-file', '-']
    const words = [...(called[2] ?? []), ...texts]
    const log = [called[0] ?? [], called[1] ?? [], words].map(each => `${each.join('\n')}\n--- prompt=1\n`).join('')
    expect(world.read('gh.log')).toBe(log)
  })

  it('has its own text, also while another one is opened', async () => {
    world.programs({
      gh: `#!/bin/sh
cd ${world.home}
case "$1 $2" in
  "pr list") echo "[]";;
  "pr create")
    title=\${10}
    touch "begun-$title"
    until [ -e begun-one ] && [ -e begun-two ]; do sleep 0.05; done
    for last; do :; done
    cat "$last" > "body-$title"
    echo https://github.com/o/r/pull/7;;
esac
`,
    })
    const both = [request({ title: 'one', body: 'The first.' }), request({ title: 'two', body: 'The second.' })]
    expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['opened', 'opened'])
    expect([world.read('body-one'), world.read('body-two')]).toEqual(['The first.', 'The second.'])
  })

  it('goes into the branch that was named, from a fork', async () => {
    fakeGh('echo "[]"', 'echo https://github.com/o/r/pull/7')
    const pushesTo = { owner: 'me', name: 'r' }
    expect(await request({ origin: { ...origin, pushesTo }, base: 'dev' })).toMatchObject({ kind: 'opened' })
    expect(world.read('gh.log')).toContain('--head\nme:claude/work\n--base\ndev\n')
  })

  it('is found when it is open already, and is that of nobody else', async () => {
    const pull = (owner: string, n: number) => ({
      headRepositoryOwner: { login: owner },
      url: `https://github.com/o/r/pull/${n}`,
    })
    fakeGh(`echo '${JSON.stringify([pull('stranger', 1), pull('O', 2)])}'`, 'exit 1')
    expect(await request()).toEqual({ kind: 'open-already', url: 'https://github.com/o/r/pull/2' })
    fakeGh(`echo '${JSON.stringify([pull('stranger', 1)])}'`, 'echo https://github.com/o/r/pull/3')
    expect(await request()).toEqual({ kind: 'opened', url: 'https://github.com/o/r/pull/3', isMasked: false })
  })

  it('is found when another one was faster', async () => {
    const list = `[ -e ${world.home}/body ] && echo '[{"url":"https://github.com/o/r/pull/4"}]' || echo '[]'`
    fakeGh(list, 'echo "a pull request for branch already exists" >&2; exit 1')
    expect(await request()).toEqual({ kind: 'open-already', url: 'https://github.com/o/r/pull/4' })
  })

  it.each([
    ['GraphQL: No commits between main and claude/work (createPullRequest)', 'refused'],
    ['GraphQL: Resource not accessible by personal access token', 'auth'],
    ['HTTP 401: Bad credentials (https://api.github.com/graphql)', 'auth'],
    ['error connecting to api.github.com', 'network'],
    ['GraphQL: API rate limit exceeded for user ID 1.', 'limit'],
  ])('fails with "%s"', async (line, cause) => {
    fakeGh('echo "[]"', `echo '${line} ${token}' >&2; exit 1`)
    Object.assign(world.system.env, { GITHUB_TOKEN: token })
    const message = `gh opened no pull request in o/r: ${line} ***`
    expect(await request()).toMatchObject({ kind: 'failed', cause, message })
  })

  it('tells why gh died, and not the version that Node prints last', async () => {
    fakeGh('echo "[]"', "printf 'Error: no config\\n    at main (gh.js:1:1)\\n\\nNode.js v20.20.2\\n' >&2; exit 1")
    expect(await request()).toMatchObject({ message: 'gh opened no pull request in o/r: Error: no config' })
  })
})

describe('a pull request by the REST API', () => {
  let server: Server | undefined
  let asked: { method: string; path: string; headers: Record<string, unknown>; body: unknown }[]
  beforeEach(() => {
    asked = []
    Object.assign(world.system.env, { GITHUB_TOKEN: ` ${token}\n` })
  })
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** A stand-in for GitHub: the answers to GET, and to POST. */
  const serve = async (get: readonly [number, unknown], post: readonly [number, unknown]) => {
    server = createServer((incoming, response) => {
      let text = ''
      incoming.on('data', chunk => (text += chunk))
      incoming.on('end', () => {
        const { method = '', url: path = '', headers } = incoming
        asked.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) })
        const [status, answer] = method === 'GET' ? get : post
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
      })
    })
    await new Promise<void>(listening => server?.listen(0, '127.0.0.1', listening))
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    Object.assign(world.system.env, { GITHUB_API_URL: `${api}/` })
  }

  it('is opened, with the token in its header alone', async () => {
    await serve([200, []], [201, { html_url: 'https://github.com/o/r/pull/7' }])
    expect(await request()).toEqual({ kind: 'opened', url: 'https://github.com/o/r/pull/7', isMasked: false })
    expect(asked.map(({ headers, ...rest }) => rest)).toEqual([
      { method: 'GET', path: '/repos/o/r/pulls?state=open&head=o%3Aclaude%2Fwork', body: undefined },
      {
        method: 'POST',
        path: '/repos/o/r/pulls',
        body: { title: 'feat: add `x` $(y)', body, head: 'claude/work', base: 'release/next' },
      },
    ])
    expect(asked[1]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${token}`,
      'user-agent': 'relaycode',
    })
  })

  it('says no token to the reader of a pull request', async () => {
    await serve([200, []], [201, { html_url: 'https://github.com/o/r/pull/7' }])
    const told = await request({ title: `feat: ${token}`, body: `It is ${token}.` })
    expect(told).toMatchObject({ kind: 'opened', isMasked: true })
    expect(asked[1]?.body).toMatchObject({ title: 'feat: ***', body: 'It is ***.' })
  })

  const key = (passphrase?: string) => {
    const form = { type: 'pkcs8', format: 'pem' } as const
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    return `${privateKey.export(passphrase === undefined ? form : { ...form, passphrase, cipher: 'aes-128-cbc' })}`
  }
  it.each([
    [
      'a key of AWS',
      `id = ${'AKIA'}ABCDEFGHIJKLMNOP\nAWS_SECRET_ACCESS_KEY = "${awsKey}"`,
      'id = ***\nAWS_SECRET_ACCESS_KEY = "***"',
    ],
    ['a private key', `it:\n${key()}end`, 'it:\n***\nend'],
    ['an encrypted one, quoted', `> ${key('word').trim().replaceAll('\n', '\n> ')}\nend`, '> ***\nend'],
    ['a token that its writer lets pass', `${githubToken} secretlint-disable-line`, '*** secretlint-disable-line'],
  ])('says no secret to the reader of a pull request: %s', async (_, text, shown) => {
    await serve([200, []], [201, { html_url: 'https://github.com/o/r/pull/7' }])
    expect(await request({ body: text })).toMatchObject({ kind: 'opened', isMasked: true })
    expect(asked[1]?.body).toMatchObject({ body: shown })
  })

  it('is found when it is open already', async () => {
    await serve([200, [{ html_url: 'https://github.com/o/r/pull/2' }]], [500, {}])
    expect(await request()).toEqual({ kind: 'open-already', url: 'https://github.com/o/r/pull/2' })
    expect(asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it.each([
    [401, { message: 'Bad credentials' }, 'auth', 'Bad credentials'],
    [403, { message: `Resource not accessible by ${token}` }, 'auth', 'Resource not accessible by ***'],
    [403, { message: 'API rate limit exceeded' }, 'limit', 'API rate limit exceeded'],
    [404, { message: 'Not Found' }, 'auth', 'Not Found'],
    [
      422,
      { message: 'Validation Failed', errors: [{ message: 'No commits between x and y' }] },
      'refused',
      'No commits between x and y',
    ],
    [
      422,
      { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }] },
      'refused',
      'Validation Failed: base is invalid',
    ],
    [502, {}, 'network', 'it said nothing'],
  ] as const)('fails with the status %d', async (status, answer, cause, says) => {
    await serve([200, []], [status, answer])
    const message = `GitHub opened no pull request in o/r: ${says} (HTTP ${status})`
    expect(await request()).toMatchObject({ kind: 'failed', cause, message })
  })

  it('fails where no server is', async () => {
    await serve([200, []], [201, {}])
    server?.close()
    const failed = await request()
    expect(failed).toMatchObject({ kind: 'failed', cause: 'network', hint: 'Look at your network, then try again.' })
    expect(JSON.stringify(failed)).toContain('ECONNREFUSED')
  })
})

describe('without a way to GitHub', () => {
  const preflight = (of: Origin | undefined) => prPreflight(of, world.system)

  it('nothing is opened on another host', async () => {
    expect(await request({ origin: { ...origin, github: undefined } })).toEqual({
      kind: 'not-github',
      message: 'pushed, no pull request: not GitHub',
    })
  })

  it('nothing is opened without an account', async () => {
    expect(await request()).toEqual({
      kind: 'failed',
      cause: 'auth',
      message: 'gh is not logged in, and GITHUB_TOKEN is not set',
      hint: 'Run `gh auth login`, or set GITHUB_TOKEN.',
    })
  })

  it('says beforehand what is missing', async () => {
    const kinds = async (of: Origin | undefined) => (await preflight(of)).map(({ kind }) => kind)
    expect(await kinds(undefined)).toEqual(['no-origin'])
    expect(await kinds(origin)).toEqual(['no-account'])
    expect(await preflight({ ...origin, url: 'https://me:secret@gitlab.com/o/r', github: undefined })).toEqual([
      {
        kind: 'not-github',
        message: 'https://***@gitlab.com/o/r is not on GitHub',
        hint: 'The branch is pushed there, and no pull request is opened.',
      },
    ])
    Object.assign(world.system.env, { GITHUB_TOKEN: token })
    expect(await kinds(origin)).toEqual([])
    Object.assign(world.system.env, { GITHUB_TOKEN: '' })
    world.programs({ gh: '#!/bin/sh\n[ "$*" = "auth status --hostname github.com" ]\n' })
    expect(await kinds(origin)).toEqual([])
  })
})

it.each([
  ['feat: add dark mode', 'feat: add dark mode'],
  ['  - add\n  dark   mode ', 'add dark mode'],
  ['# When I type', 'When I type'],
  [`${'word '.repeat(14)}ends`, `${'word '.repeat(14).trim()}…`],
  [`${'x'.repeat(66)} and, more words`, `${'x'.repeat(66)} and…`],
  ['y'.repeat(80), `${'y'.repeat(71)}…`],
  ['y'.repeat(72), 'y'.repeat(72)],
  ['😀'.repeat(73), `${'😀'.repeat(71)}…`],
])('makes a title of %j', (text, title) => {
  expect(pullRequestTitle(text)).toBe(title)
  expect([...title].length).toBeLessThanOrEqual(72)
})
