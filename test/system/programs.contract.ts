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
  const tell = async (
    how: 'run' | 'start',
    argv: readonly string[],
    more: Partial<StartOptions> = {},
  ): Promise<Told> => {
    const { programs, cwd } = await make()
    const lines: string[] = []
    const options: StartOptions = {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
      stdin: '',
      timeLimit: 30,
      signal: new AbortController().signal,
      onStart: async () => {},
      onLine: (line, from) => lines.push(`${from}: ${line}`),
      ...more,
    }
    const end = how === 'run' ? await programs.run(argv, options) : await (await programs.start(argv, options)).ended
    return { end, lines }
  }
  const prints = ['sh', '-c', 'echo one; printf two; exit 3']

  describe.each(['run', 'start'] as const)(`${name} programs: %s`, how => {
    it('gives the exit code and each line', async () => {
      expect(await tell(how, prints)).toEqual({ end: { kind: 'exit', code: 3 }, lines: ['out: one', 'out: two'] })
    })

    it('hands over what the program reads', async () => {
      expect(await tell(how, ['cat'], { stdin: 'a\nb' })).toEqual({
        end: { kind: 'exit', code: 0 },
        lines: ['out: a', 'out: b'],
      })
    })

    it('ends with 127 where there is no such program', async () => {
      const { end, lines } = await tell(how, ['no-such-program-of-relay'])
      expect(end).toEqual({ kind: 'exit', code: 127 })
      expect(lines.join('\n')).toContain('not found')
    })

    it('ends it when its time is over', async () => {
      expect((await tell(how, ['sleep', '30'], { timeLimit: 0.2 })).end).toEqual({ kind: 'time-limit' })
    })

    it('never lets it run when it was told to stop before', async () => {
      const signal = AbortSignal.abort()
      expect(await tell(how, prints, { signal })).toEqual({ end: { kind: 'aborted' }, lines: [] })
    })
  })

  it(`never lets one of the ${name} programs run when it was told to stop while that was noted`, async () => {
    const stop = new AbortController()
    const onStart = async () => stop.abort()
    expect(await tell('start', prints, { signal: stop.signal, onStart })).toEqual({
      end: { kind: 'aborted' },
      lines: [],
    })
  })
}
