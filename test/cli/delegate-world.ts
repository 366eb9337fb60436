import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endRelays, type RelayEnd, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { runHere } from '../support/relay-here.ts'
import { repositoryAt } from '../support/repository.ts'

/** A token that must stand nowhere but in the one header of a request. */
export const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

interface Request {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Record<string, unknown> | undefined
}

/** A home with a repository, its bare remote on a stand-in for GitHub, and an agent that is a shell script. */
export class DelegateWorld {
  readonly home = mkdtempSync(join(tmpdir(), 'relay-delegate-'))
  readonly cwd = join(this.home, 'project')
  readonly bare = join(this.home, 'origin.git')
  readonly requests: Request[] = []
  readonly env: Record<string, string>
  #server: Server | undefined

  constructor() {
    for (const folder of [this.cwd, join(this.home, 'bin'), join(this.home, 'seen')]) mkdirSync(folder)
    this.env = {
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      PATH: `${join(this.home, 'bin')}:${testPath}`,
      GITHUB_TOKEN: token,
      GIT_AUTHOR_NAME: 'user',
      GIT_AUTHOR_EMAIL: 'u@x',
      GIT_COMMITTER_NAME: 'user',
      GIT_COMMITTER_EMAIL: 'u@x',
    }
    writeFileSync(join(this.home, '.gitconfig'), '[user]\n\tname = user\n\temail = u@x\n')
    repositoryAt(this.cwd, 'delegate', () => {
      this.git('init', '-q', '-b', 'main')
      this.write({ 'a.txt': '1\n', '.gitignore': '/.relaycode/\n' })
      this.commit('first')
    })
    this.install('gh', 'exit 1')
    this.agent('echo 2 > a.txt; echo b > b.txt')
  }

  /** `origin` is this URL, which git leads to a bare repository beside. */
  withOrigin(url = 'https://github.com/o/r.git'): this {
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', this.bare], { env: this.env })
    this.git('config', '--global', `url.${this.bare}.insteadOf`, url)
    this.git('remote', 'add', 'origin', url)
    this.git('push', '-q', 'origin', 'main')
    return this
  }

  /** The stand-in for the REST API: no pull request is open, and one can be made. */
  async withApi(open: readonly string[] = [], status = 201): Promise<this> {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', piece => (text += piece))
      request.on('end', () => {
        const { method = '', url = '' } = request
        const body = text === '' ? undefined : JSON.parse(text)
        this.requests.push({ method, url, authorization: request.headers.authorization, body })
        const made = { html_url: 'https://github.com/o/r/pull/7', message: 'no' }
        const answer = method === 'GET' ? open.map(html_url => ({ html_url })) : made
        response.writeHead(method === 'GET' ? 200 : status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer))
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    this.#server = server
    this.env['GITHUB_API_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return this
  }

  async remove(): Promise<void> {
    await endRelays()
    for (const { pid, status } of this.sessions() as { pid: number | null; status: string }[]) {
      if (pid !== null && (status === 'working' || status === 'initializing')) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {}
      }
    }
    await new Promise(done => (this.#server === undefined ? done(undefined) : this.#server.close(done)))
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.cwd, env: this.env, encoding: 'utf8' })
  }

  gitIn(cwd: string, ...args: readonly string[]): string {
    return execFileSync('git', args, { cwd, env: this.env, encoding: 'utf8' })
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(this.cwd, path), text)
  }

  commit(subject: string): void {
    this.git('add', '-A')
    this.git('commit', '-qm', subject)
  }

  install(name: string, script: string): void {
    writeFileSync(join(this.home, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }

  /** What the agent does in its clone; what it was given is kept in `seen/`. */
  agent(script: string, said = 'The toggle is there.'): void {
    const message = { type: 'assistant', message: { content: [{ type: 'text', text: said }] } }
    const result = { type: 'result', subtype: 'success', is_error: false, result: said, session_id: 's' }
    this.install(
      'claude',
      [
        `N=$(ls '${this.home}/seen' | wc -l)`,
        `{ cat; echo; echo =====; env; pwd; for each in "$@"; do echo "$each"; done; } > '${this.home}/seen/'$N`,
        script,
        `cat <<'EOF'\n${JSON.stringify(message)}\n${JSON.stringify(result)}\nEOF`,
      ].join('\n'),
    )
  }

  /** All that agents were given: prompt, environment, folder and words. */
  get seen(): readonly string[] {
    const folder = join(this.home, 'seen')
    return readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  }

  get sessionsFolder(): string {
    return join(this.home, 'state/relaycode/sessions')
  }

  sessions(): readonly Record<string, unknown>[] {
    if (!existsSync(this.sessionsFolder)) return []
    return readdirSync(this.sessionsFolder).flatMap(name => {
      const path = join(this.sessionsFolder, name, 'session.json')
      if (!existsSync(path)) return []
      const session = JSON.parse(readFileSync(path, 'utf8'))
      return [{ ...session, pid: session.owner?.pid ?? null, folder: join(this.sessionsFolder, name) }]
    })
  }

  relay(...args: readonly string[]): Promise<RelayEnd> {
    return runHere(['delegate', ...args], { cwd: this.cwd, env: this.env })
  }

  /** The program itself. */
  program(...args: readonly string[]): Promise<RelayEnd> {
    return runRelay(['delegate', ...args], { cwd: this.cwd, env: this.env })
  }

  start(...args: readonly string[]) {
    return startRelay(['delegate', ...args], { cwd: this.cwd, env: this.env })
  }

  read(path: string): string {
    return readFileSync(join(this.cwd, path), 'utf8')
  }
}
