import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/model/check.ts'
import type { Programs, StartOptions } from '../../src/ports.ts'

/** Programs in a folder, of which these work: the fake ones are told what they do. */
export interface ProgramsSubject {
  readonly programs: Programs
  readonly cwd: string
}

interface Told {
  readonly end: CommandResult['end']
  readonly lines: readonly string[]
}

/** What everything behind the port must keep. */
export function programsContract(name: string, make: () => Promise<ProgramsSubject>) {
  describe(`${name} programs`, () => {
    const run = async (argv: readonly string[], more: Partial<StartOptions> = {}): Promise<Told> => {
      const { programs, cwd } = await make()
      const lines: string[] = []
      const running = await programs.start(argv, {
        cwd,
        env: { PATH: process.env['PATH'] ?? '' },
        stdin: '',
        timeLimit: 30,
        signal: new AbortController().signal,
        onStart: async () => {},
        onLine: (line, from) => lines.push(`${from}: ${line}`),
        ...more,
      })
      return { end: await running.ended, lines }
    }

    it('gives the exit code and each line', async () => {
      const argv = ['sh', '-c', 'echo one; printf two; exit 3']
      expect(await run(argv)).toEqual({ end: { kind: 'exit', code: 3 }, lines: ['out: one', 'out: two'] })
    })

    it('hands over what the program reads', async () => {
      expect(await run(['cat'], { stdin: 'a\nb' })).toEqual({
        end: { kind: 'exit', code: 0 },
        lines: ['out: a', 'out: b'],
      })
    })

    it('ends with 127 where there is no such program', async () => {
      const { end, lines } = await run(['no-such-program-of-relay'])
      expect(end).toEqual({ kind: 'exit', code: 127 })
      expect(lines.join('\n')).toContain('not found')
    })

    it('ends it when its time is over', async () => {
      expect((await run(['sleep', '30'], { timeLimit: 0.2 })).end).toEqual({ kind: 'time-limit' })
    })

    it('never lets it run when it was told to stop before', async () => {
      const stop = new AbortController()
      const onStart = async () => stop.abort()
      expect(await run(['sh', '-c', 'echo one; printf two; exit 3'], { signal: stop.signal, onStart })).toEqual({
        end: { kind: 'aborted' },
        lines: [],
      })
    })
  })
}
