import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/model/check.ts'
import type { ProcessMark, RunOptions, Shell } from '../../src/ports.ts'

/** A shell in a folder of its own, in which these command lines work: the fake one is told what they do. */
export interface ShellSubject {
  readonly shell: Shell
  readonly cwd: string
  exists(name: string): boolean
}

/** What every shell behind the port must keep. The command lines are plain POSIX. */
export function shellContract(name: string, make: () => Promise<ShellSubject>) {
  describe(`${name} shell`, () => {
    const run = (subject: ShellSubject, command: string, more: Partial<RunOptions> = {}): Promise<CommandResult> =>
      subject.shell.run(command, {
        cwd: subject.cwd,
        timeLimit: 30,
        signal: new AbortController().signal,
        onStart: async () => {},
        ...more,
      })

    it('gives exit code and output', async () => {
      const subject = await make()
      expect(await run(subject, 'echo hello')).toEqual({
        end: { kind: 'exit', code: 0 },
        output: 'hello\n',
        cut: false,
      })
      expect(await run(subject, 'echo bad; exit 3')).toEqual({
        end: { kind: 'exit', code: 3 },
        output: 'bad\n',
        cut: false,
      })
    })

    it('does not throw for a program that is not there', async () => {
      const result = await run(await make(), 'no-such-program-of-relay')
      expect(result.end).toEqual({ kind: 'exit', code: 127 })
      expect(result.output).toContain('not found')
    })

    it('tells the signal that ended it', async () => {
      expect(await run(await make(), 'kill -KILL $$')).toEqual({
        end: { kind: 'signal', signal: 'SIGKILL' },
        output: '',
        cut: false,
      })
    })

    it('ends it when its time is over', async () => {
      expect((await run(await make(), 'sleep 30', { timeLimit: 0.2 })).end).toEqual({ kind: 'time-limit' })
    })

    it('ends it when it is told to', async () => {
      const stop = new AbortController()
      const end = run(await make(), 'sleep 30', {
        signal: stop.signal,
        onStart: async () => {
          setImmediate(() => stop.abort())
        },
      })
      expect((await end).end).toEqual({ kind: 'aborted' })
    })

    it('does not begin when it was told to stop before', async () => {
      const subject = await make()
      let starts = 0
      const result = await run(subject, 'echo > ran', {
        signal: AbortSignal.abort(),
        onStart: async () => {
          starts++
        },
      })
      expect({ result, starts }).toEqual({ result: { end: { kind: 'aborted' }, output: '', cut: false }, starts: 0 })
      expect(subject.exists('ran')).toBe(false)
    })

    it('does nothing before onStart has ended, and names a living process in it', async () => {
      const subject = await make()
      const seen: unknown[] = []
      await run(subject, 'echo > ran', {
        onStart: async group => {
          seen.push(await subject.shell.lifeOf(group), subject.exists('ran'))
        },
      })
      expect(seen).toEqual(['alive', false])
      expect(subject.exists('ran')).toBe(true)
    })

    it('never runs when onStart fails, and hands the failure on', async () => {
      const subject = await make()
      let group: ProcessMark | undefined
      const end = run(subject, 'echo > ran', {
        onStart: async mark => {
          group = mark
          throw new Error('the disk is full')
        },
      })
      await expect(end).rejects.toThrow('the disk is full')
      expect(subject.exists('ran')).toBe(false)
      expect(group !== undefined && (await subject.shell.lifeOf(group))).toBe('dead')
    })

    it('is not alive any more when it has ended', async () => {
      const subject = await make()
      let group: ProcessMark | undefined
      await run(subject, 'echo hello', {
        onStart: async mark => {
          group = mark
        },
      })
      if (group === undefined) throw new Error('never started')
      expect(await subject.shell.lifeOf(group)).toBe('dead')
      expect(await subject.shell.endLeftGroup(group, 'A=b')).toBe(false)
    })

    it('knows itself, and tells it from other processes with its number', async () => {
      const { shell } = await make()
      const self = await shell.self()
      const others = {
        started: { ...self, startedAt: '1' },
        booted: { ...self, boot: 'another boot' },
        placed: { ...self, machine: 'another-1' },
        contained: { ...self, space: 'another' },
      }
      expect(await shell.lifeOf(self)).toBe('alive')
      expect(await Promise.all(Object.values(others).map(each => shell.lifeOf(each)))).toEqual([
        'dead',
        'dead',
        'unseen',
        'unseen',
      ])
      for (const other of Object.values(others)) expect(await shell.endLeftGroup(other, 'A=b')).toBe(false)
    })

    it('finds programs', async () => {
      const { shell } = await make()
      expect(await shell.find('sh')).toMatch(/^\/.*\/sh$/)
      expect(await shell.find('no-such-program-of-relay')).toBeNull()
    })
  })
}
