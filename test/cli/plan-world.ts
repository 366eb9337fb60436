import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type RelayEnd, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { runHere } from '../support/relay-here.ts'
import { repositoryAt } from '../support/repository.ts'

/** A task's file: its dependencies, and what it says besides. */
export interface PlannedTask {
  readonly needs?: string
  readonly text?: string
}

const promise = (marker: string) => `<promise>${marker}</promise>`
export const complete = promise('COMPLETE')
export const failed = promise('FAILED')
export const blocked = promise('BLOCKED')
export const raf = 'RAF/abcdef-demo'

/** A home with a project in git, a plan in it, and a claude that is a shell script. */
export class PlanWorld {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'relay-do-')))
  readonly cwd = join(this.home, 'project')
  readonly env = {
    HOME: this.home,
    XDG_STATE_HOME: join(this.home, 'state'),
    PATH: `${join(this.home, 'bin')}:${testPath}`,
    GIT_AUTHOR_NAME: 'user',
    GIT_AUTHOR_EMAIL: 'u@x',
    GIT_COMMITTER_NAME: 'user',
    GIT_COMMITTER_EMAIL: 'u@x',
  }

  constructor(tasks: Readonly<Record<string, PlannedTask>> = { '01-one': {}, '02-two': {} }) {
    for (const folder of ['project', 'bin', 'calls']) mkdirSync(join(this.home, folder))
    repositoryAt(this.cwd, tasks, () => {
      this.git('init', '-q', '-b', 'main')
      this.write('a.js', '1\n')
      this.write('.gitignore', '/.relaycode/\n')
      this.configure({})
      this.write(`${raf}/input.md`, 'Make it demo.\n')
      for (const [name, { needs, text = `Do ${name}.` }] of Object.entries(tasks)) {
        const dependencies = needs === undefined ? '' : `## Dependencies\n${needs}\n\n`
        this.write(`${raf}/plans/${name}.md`, `# Task: ${name}\n\n## Objective\n${text}\n\n${dependencies}`)
      }
      this.commit('first')
    })
  }

  configure(config: object): void {
    this.write('relaycode.config.json', JSON.stringify({ projectId: 'demo', ...config }))
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, path)), { recursive: true })
    writeFileSync(join(this.cwd, path), text)
  }

  read(path: string): string | undefined {
    return existsSync(join(this.cwd, path)) ? readFileSync(join(this.cwd, path), 'utf8') : undefined
  }

  outcome(task: string): string | undefined {
    return this.read(`${raf}/outcomes/${task}.md`)
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.cwd, env: { ...process.env, ...this.env }, encoding: 'utf8' })
  }

  commit(message: string): void {
    this.git('add', '-A')
    this.git('commit', '-qm', message)
  }

  /** The newest last. */
  subjects(branch = 'HEAD'): readonly string[] {
    return this.git('log', '--reverse', '--format=%s', branch).trim().split('\n')
  }

  /**
   * Has claude run these lines of shell in its checkout: `$ID` is the task, `$N` counts the calls of all, `$OUT` is where its
   * outcome goes. `$SAID` becomes its last message.
   */
  claude(script: string): this {
    const lines = [
      '#!/bin/sh',
      'if [ "$1" = --version ]; then echo "2.1.0 (Claude Code)"; exit 0; fi',
      `N=$(($(ls '${this.home}/calls' | wc -l) + 1))`,
      `cat > '${this.home}/calls/'$N`,
      `ID=$(sed -n 's/^This is task .*(abcdef): \\([0-9a-z]*\\), .*/\\1/p' '${this.home}/calls/'$N)`,
      `OUT=$(ls ${raf}/plans/$ID-*.md | sed s/plans/outcomes/)`,
      `mkdir -p ${raf}/outcomes`,
      `SAID='${complete}'`,
      `done_with() { printf '## Summary\\n%s\\n\\n${complete}\\n' "$1" > $OUT; }`,
      script,
      `printf '%s\\n' '{"type":"system","subtype":"init","session_id":"s"}'`,
      `printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\\n' "$SAID"`,
      `printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.01,"modelUsage":{"m":{"inputTokens":100,"outputTokens":10}}}\\n' "$SAID"`,
    ]
    writeFileSync(join(this.home, 'bin/claude'), lines.join('\n'), { mode: 0o755 })
    return this
  }

  /** The envelopes that claude got, oldest first. */
  get calls(): readonly string[] {
    const names = readdirSync(join(this.home, 'calls'))
    return names
      .toSorted((a, b) => Number(a) - Number(b))
      .map(name => readFileSync(join(this.home, 'calls', name), 'utf8'))
  }

  /** Which tasks claude was called for, in their order. */
  get called(): readonly string[] {
    return this.calls.map(text => /\(abcdef\): ([0-9a-z]+),/.exec(text)?.[1] ?? '')
  }

  /** Lines unwrapped. */
  async run(...args: readonly string[]) {
    return unwrapped(await runHere(args, { cwd: this.cwd, env: this.env }))
  }

  /** The program itself. */
  async program(...args: readonly string[]) {
    return unwrapped(await runRelay(args, { cwd: this.cwd, env: this.env }))
  }

  do(...args: readonly string[]) {
    return this.run('do', 'demo', ...args)
  }

  start(...args: readonly string[]) {
    return startRelay(args, { cwd: this.cwd, env: this.env })
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

function unwrapped({ code, stdout, stderr }: RelayEnd) {
  return { code, stdout, stderr: stderr.replaceAll(/\n {2,}(?=\S)/g, ' ') }
}
