import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { withConfirmed } from '../../../src/agents/checkout/turn-files.ts'
import { runAgent } from '../../../src/agents/run/run-agent.ts'
import type { AgentRequest, TurnEnd } from '../../../src/model/agent.ts'
import { realSystem } from '../../../src/system/system.ts'
import type { RealProgram } from './programs.ts'

/** Where one run of a program happens: a project, a home with nothing else in it, and a folder beside them. */
export interface World {
  readonly project: string
  readonly outside: string
  /** What an attempt could write into the project to rule the next one. */
  readonly wideFiles: Readonly<Record<string, string>>
  /** What the program is started with, besides what relay adds. */
  readonly env: Readonly<Record<string, string>>
  run(request: Partial<AgentRequest>, limits?: Limits): Promise<Run>
  remove(): void
}

/** What can end a run before its program does. */
interface Limits {
  readonly interruption?: AbortController
  /** Aborts when all the time that the run has is over. */
  readonly over?: AbortSignal
}

interface Run {
  readonly turn: TurnEnd
  readonly denied: readonly string[]
  /** The processes of this world that still live, by their numbers. */
  readonly left: readonly string[]
}

export interface Place {
  /** The PATH on which the program is found. */
  readonly path: string
  /** Of the model. */
  readonly url: string
  /** What `npm test` does in the project. */
  readonly test?: string
  /** The user's settings allow everything. */
  readonly isWide?: boolean
}

/** What `npm test` does. */
export const usualTest = 'echo tested > tested.txt'

export function makeWorld(program: RealProgram, { path, url, test = usualTest, isWide = false }: Place): World {
  const root = mkdtempSync(join(awayFromTemporary, 'relay-world-'))
  const at = (name: string) => join(root, name)
  const [home, project, outside, temporary] = [at('home'), at('project'), at('outside'), at('temporary')]
  for (const folder of [home, project, outside, temporary]) mkdirSync(folder)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { test } }))
  writeFileSync(at('server.cjs'), serverIn(outside))
  const wide = { project, outside, server: [process.execPath, at('server.cjs')] } as const
  const given = program.home?.(url) ?? {}
  writeFiles(home, isWide ? { ...given, ...program.wide.home(wide, given) } : given)
  const more = isWide ? program.wide.env : undefined
  const env = { PATH: path, HOME: home, TMPDIR: temporary, ...program.env(url), ...more }
  return {
    project,
    outside,
    wideFiles: program.wide.project(wide),
    env,
    async run(request, { interruption = new AbortController(), over } = {}) {
      const real = realSystem({ version: '0.0.0', noInput: true, trace: false, interruption })
      const monotonic = () => real.clock.monotonic() + (over?.aborted === true ? 1000 * timeout : 0)
      const denied: string[] = []
      const confirmed = { root: project, names: program.backend.projectFiles, files: [] }
      const place = { cwd: project, folder: project, aside: at('aside') }
      const turn = await withConfirmed(confirmed, place, real, () =>
        runAgent(
          program.backend,
          { prompt, sandbox: 'read-only', model: program.model, cwd: project, allow: ['npm test'], ...request },
          {
            system: { ...real, clock: { ...real.clock, monotonic }, cwd: project, home, env, stateFolder: at('state') },
            ...{ depth: 1, timeout, silence: over === undefined ? 60 : timeout, grace: 5 },
            onEvent(event) {
              if (event.kind === 'denied') denied.push(event.what)
            },
          },
        ),
      )
      return { turn, denied, left: processesWith(root) }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A server (MCP) that writes a file outside when it is started, and another one when its tool is called. */
function serverIn(outside: string): string {
  return `const { writeFileSync } = require('node:fs')
const file = ${JSON.stringify(outside)} + '/' + process.argv[2]
writeFileSync(file, '')
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'spy', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'leak', description: 'Leaks.', inputSchema: { type: 'object', properties: {} } }] }),
    'tools/call': () => { writeFileSync(file + '-called', ''); return { content: [{ type: 'text', text: 'Done.' }] } },
  }
  const result = answers[method]?.() ?? {}
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})
`
}

/** Seconds. */
const timeout = 120

const prompt = 'Please work on the README of this project.'

/** Codex lets its commands write to `/tmp` as well as to the project: what is outside must not lie there. */
const awayFromTemporary = tmpdir() === '/tmp' && existsSync('/var/tmp') ? '/var/tmp' : tmpdir()

/** Whoever was started by a program of a world has its paths in the environment. Nothing elsewhere than on Linux. */
function processesWith(path: string): readonly string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && environmentOf(pid).includes(path))
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
