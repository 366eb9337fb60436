import { describe, expect, it } from 'vitest'
import { points } from '../faults/sample.ts'
import { drawn } from '../support/drawn.ts'
import { runRelay } from '../support/real-relay.ts'
import { runInTerminal } from '../support/real-terminal.ts'
import { hostileJournals } from './journals.ts'
import { hostileProjects } from './projects.ts'
import { surroundings } from './surroundings.ts'
import { foreignIn } from './terminal-bytes.ts'

const tried = drawn('a hostile project', [
  ...points(hostileJournals.length, 15, 3).flatMap(point => hostileJournals[point - 1] ?? []),
  ...points(hostileProjects.length, 15, 2).flatMap(point => hostileProjects[point - 1] ?? []),
])

/** A sample of them, and of that a fifth each day; all with FAULTS=all. */
describe.concurrent('a hostile project', () => {
  it.for(tried)('harms nobody: $name', async ({ lay, runs }, { onTestFinished }) => {
    const there = surroundings()
    onTestFinished(there.remove)
    lay(there)
    there.settle()
    for (const { args, stdin, keys, codes, says = /(?:)/, changes = [], env, exact } of runs) {
      const run = { cwd: there.root, env: { ...there.env, ...env } }
      const end =
        keys === undefined
          ? await runRelay(args, { ...run, ...(stdin === undefined ? {} : { stdin }) })
          : await runInTerminal(args, { ...run, keys })
      const said = `relay ${args.join(' ')}: ${end.code}\n${end.stderr}${end.stdout}`
      expect(codes, said).toContain(end.code)
      expect(end.stderr).toMatch(says)
      const shown = end.stderr + (exact === true ? '' : end.stdout)
      expect(foreignIn(shown, keys === undefined ? undefined : there.root), said).toBeUndefined()
      expect(
        there.changed().filter(path => !changes.includes(path.replace('project/', ''))),
        said,
      ).toEqual([])
    }
  })
})
