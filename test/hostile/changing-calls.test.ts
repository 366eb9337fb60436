import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../src/system/find-program.ts'
import { points } from '../faults/sample.ts'
import { drawn } from '../support/drawn.ts'
import { relayCommand, runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { changedIn, tracing } from './changing-calls.ts'
import { hostileResponses } from './responses.ts'
import { type Surroundings, surroundings } from './surroundings.ts'

const strace = findProgram('strace')

/** Runs relay and answers each path that it changed, or tried to, by any system call. */
async function changesOf(args: readonly string[], there: Surroundings, stdin?: string | Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'relay-calls-'))
  try {
    const log = join(folder, 'log')
    const command = [...tracing(strace ?? '', log), ...relayCommand] as [string, ...string[]]
    const end = await runRelay(args, {
      cwd: there.root,
      env: there.env,
      command,
      ...(stdin === undefined ? {} : { stdin }),
    })
    return { end, paths: [...changedIn(log, there.root)] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Those that are not in relay's own folders, and no device that any program opens. */
function foreign(paths: readonly string[], { root, base }: Surroundings): readonly string[] {
  const own = [join(root, '.relaycode'), join(base, 'home/.local/state/relaycode')]
  return paths
    .filter(path => !own.some(folder => `${path}/`.startsWith(`${folder}/`)))
    .filter(path => !/^\/dev\/(null|tty|pts\/)|^\/proc\/(self|\d+)\//.test(path))
    .map(path => (path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path))
}

// Where everything is to be there, a missing tracer is a failure.
describe.runIf(strace !== null || process.env['CI'] !== undefined)('by no system call relay touches', () => {
  const tried = points(hostileResponses.length, 12, 5).flatMap(point => hostileResponses[point - 1] ?? [])
  it.for(drawn('system calls of a hostile response', tried))(
    'what it must not: $name',
    { timeout: 60_000 },
    async ({ text, code, yes, changes = [] }, { onTestFinished }) => {
      const there = surroundings()
      onTestFinished(there.remove)
      const { end, paths } = await changesOf(['apply', ...(yes === true ? ['--yes'] : [])], there, text)
      expect(end.code, end.stderr).toBe(code)
      // What is asked about is written, and taken back where nobody answers.
      const asked = [...changes, 'src/a.ts'].map(path => `project/${path}`)
      // A look whether things can be moved into a folder moves what is not there.
      const odd = foreign(paths, there).filter(path => !asked.includes(path) && !/\/\.relay-\d+-nothing$/.test(path))
      expect(odd).toEqual([])
    },
  )

  it('what is not in the answer, from patch to undo and redo', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const there = surroundings()
    onTestFinished(there.remove)
    const answer = respond({ 'src/a.ts': 'changed\n', 'src/new/c.ts': 'new\n', 'notes.txt': null })
    const touched = new Set<string>()
    for (const [args, stdin] of [
      [['apply', '--yes'], answer],
      [['undo', '--yes'], undefined],
      [['redo', '--yes'], undefined],
      [['recover'], undefined],
    ] as const) {
      const { end, paths } = await changesOf(args, there, stdin)
      expect(end.code, end.stderr).toBe(0)
      for (const path of foreign(paths, there)) touched.add(path)
    }
    const seen = [...touched].filter(path => !/\/\.relay-\d+-nothing$/.test(path)).sort()
    const asked = ['project/notes.txt', 'project/src/a.ts', 'project/src/new', 'project/src/new/c.ts']
    expect(seen).toEqual(asked)
  })
})
