import { describe, expect, it } from 'vitest'
import { points } from '../faults/sample.ts'
import { drawn } from '../support/drawn.ts'
import { runRelay } from '../support/real-relay.ts'
import { runInTerminal } from '../support/real-terminal.ts'
import { hostileResponses } from './responses.ts'
import { surroundings } from './surroundings.ts'
import { foreignIn } from './terminal-bytes.ts'

const some = points(hostileResponses.length, 55).flatMap(point => hostileResponses[point - 1] ?? [])
const inTerminal = new Set(points(some.length, 11).map(point => some[point - 1]?.name))

/** A sample of them, and of that a fifth each day; all with FAULTS=all. */
describe.concurrent('a hostile response', () => {
  it.for(drawn('a hostile response', some))(
    'gets nothing that it must not get: $name',
    async ({ name, text, code, yes, says = /(?:)/, changes = [] }, { onTestFinished }) => {
      const there = surroundings()
      onTestFinished(there.remove)

      const args = yes === true ? ['apply', '--yes'] : ['apply']
      const piped = await runRelay(args, { cwd: there.root, stdin: text, env: there.env })
      expect({ code: piped.code, stdout: piped.stdout }, piped.stderr).toEqual({ code, stdout: '' })
      expect(piped.stderr.replaceAll(/\s+/g, ' ')).toMatch(says)
      expect(foreignIn(piped.stderr, undefined)).toBeUndefined()
      expect(there.changed()).toEqual(changes.map(path => `project/${path}`))
      expect(there.strange()).toEqual([])

      if (!inTerminal.has(name)) return
      there.write('../answer.md', text)
      const before = there.changed()
      const run = { cwd: there.root, env: there.env, keys: ['d', 'w', 'n'] }
      const shown = await runInTerminal(['apply', '--again', '../answer.md'], run)
      expect(foreignIn(shown.stdout, there.root)).toBeUndefined()
      expect(there.changed(), shown.stdout).toEqual(before)
      expect(there.strange()).toEqual([])
    },
  )
})
